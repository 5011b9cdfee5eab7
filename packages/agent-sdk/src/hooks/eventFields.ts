import { z } from "zod";
import { PERMISSION_MODES } from "../permissions/modes.ts";
import { once } from "../utils/once.ts";

/** Fields that several events have, on the way to a hook and back. */

/** What runs a session. */
export const ENTRYPOINTS = ["terminal", "print", "sdk"] as const;
export type Entrypoint = (typeof ENTRYPOINTS)[number];

/** How a prompt came to Wave. Each comes from a person or from the program that creates the agent. */
export const PROMPT_SOURCES = ["typed", "queued", "steered", "print", "sdk"] as const;
export type PromptSource = (typeof PROMPT_SOURCES)[number];

export const commonInput = once(() =>
  z.object({
    session_id: z.string().describe("the session"),
    transcript_path: z.string().describe("its file, readable and complete up to this event"),
    cwd: z.string().describe("the folder in which tools work now"),
    prompt_id: z
      .string()
      .optional()
      .describe("the prompt that is judged or worked on; absent before the first"),
    permission_mode: z.enum(PERMISSION_MODES).describe("the mode the session is in"),
    interactive: z.boolean().describe("whether anybody can answer when Wave asks"),
    entrypoint: z
      .enum(ENTRYPOINTS)
      .describe("what runs the session: the terminal interface, wave -p, or a program with the SDK"),
    worktree_root: z.string().optional().describe("in a linked git worktree: its top folder"),
    main_checkout: z
      .string()
      .optional()
      .describe("and the checkout that it belongs to, or the bare repository"),
    agent_id: z
      .string()
      .optional()
      .describe("of a sub-agent's events: which one; absent in the main conversation"),
    agent_type: z.string().optional().describe("and the name of its definition, such as explore"),
    parent_agent_id: z.string().optional().describe("and the sub-agent that it works for, when there is one"),
  }),
);

/** Fields that mean the same on every event. */
const commonOutput = () => ({
  continue: z.boolean().optional().describe("false ends the turn after the hooks of this event"),
  stopReason: z.string().optional().describe("shown to the user when continue is false"),
  systemMessage: z.string().optional().describe("a warning for the user"),
  suppressOutput: z.boolean().optional().describe("accepted, without effect"),
});

export const blockDecision = () => ({
  decision: z.enum(["block", "approve"]).optional().describe("block holds; approve says nothing"),
  reason: z.string().optional().describe("why"),
});

export const context = () => z.string().optional().describe("context for the model");

export const toolDecision = () => ({
  permissionDecision: z
    .enum(["allow", "deny", "ask", "defer"])
    .optional()
    .describe("deny beats ask beats allow; defer is read as ask"),
  permissionDecisionReason: z
    .string()
    .optional()
    .describe("deny: told to the model; allow and ask: told to the user"),
});

export function outputOf<T extends z.ZodRawShape, S extends z.ZodRawShape>(
  event: string,
  topLevel: T,
  specific: S,
) {
  return z.object({
    ...commonOutput(),
    ...topLevel,
    hookSpecificOutput: z.object({ hookEventName: z.literal(event), ...specific }).optional(),
  });
}

export const stopFacts = () => ({
  stop_hook_active: z.boolean().describe("true from the second stop of a prompt on"),
  last_assistant_message: z.string().describe("the answer the model would end with"),
  stop_block_count: z.number().describe("blocked stops in a row so far"),
  stop_block_limit: z.number().describe("after so many the turn ends all the same"),
});

/** On the events of a sub-agent's own life these are always there. */
export const ofSubAgent = () => ({
  agent_id: z.string().describe("which sub-agent"),
  agent_type: z.string().describe("the name of its definition, such as explore"),
});

export const toolCall = () => ({
  tool_name: z.string().describe("the tool"),
  tool_input: z.record(z.string(), z.unknown()).describe("what the tool is called with; paths are absolute"),
  tool_use_id: z.string().describe("this call, the same before and after it"),
  affected_paths: z
    .array(
      z.object({
        path: z.string().describe("absolute"),
        access: z.enum(["read", "write", "unknown"]).describe("unknown: a program may do either"),
        real_path: z.string().optional().describe("where links lead, when that is elsewhere"),
        below: z
          .boolean()
          .optional()
          .describe("true: also files in this folder, known by a pattern or not one by one"),
      }),
    )
    .describe("the files and folders that the call touches, also those of a shell command"),
  analysis: z.enum(["complete", "incomplete"]).describe("incomplete: the call may touch other files as well"),
  commands: z
    .array(z.string())
    .optional()
    .describe("of a shell command: each of its commands, also those inside others"),
  source: z
    .literal("user")
    .optional()
    .describe("the person typed this command with `!`; absent when the model wants it"),
});

/** As in Claude Code: a gate that runs the tests at Stop takes longer than a minute. */
export const TEN_MINUTES = { seconds: 600 } as const;

import type { PlanEntry, SessionUpdate, ToolCallContent, ToolKind } from "@agentclientprotocol/sdk";
import type { AgentEvent, Message, ToolBlock, TurnEnd } from "wave-agent-sdk";
import { toolTitle } from "./toolTitle.ts";

type Input = Readonly<Record<string, unknown>>;

/** What an editor draws beside a call. */
const KINDS: Readonly<Record<string, ToolKind>> = {
  Read: "read",
  LS: "read",
  Grep: "search",
  Glob: "search",
  Edit: "edit",
  MultiEdit: "edit",
  Write: "edit",
  Bash: "execute",
  BashOutput: "execute",
  KillShell: "execute",
  WebFetch: "fetch",
  TodoWrite: "think",
  Agent: "think",
  ExitPlanMode: "switch_mode",
};

export const kindOf = (name: string): ToolKind => KINDS[name] ?? "other";

/** What an editor is told of an event, in its words. Pure; `known` has the calls that it has heard of. */
export function updatesOf(event: AgentEvent, known: Set<string>): SessionUpdate[] {
  switch (event.type) {
    case "text_delta":
      return [{ sessionUpdate: "agent_message_chunk", content: text(event.text) }];
    case "reasoning_delta":
      return [{ sessionUpdate: "agent_thought_chunk", content: text(event.text) }];
    case "messages_changed":
      return event.message ? newBlocks(event.message, known) : [];
    case "tool_started":
      return [
        {
          sessionUpdate: "tool_call_update",
          toolCallId: event.toolUseId,
          status: "in_progress",
          title: toolTitle(event.name, event.input),
          rawInput: event.input,
          ...contentOf(diffsOf(event.name, event.input)),
        },
        ...planOf(event.name, event.input),
      ];
    case "tool_ended":
      return [
        {
          sessionUpdate: "tool_call_update",
          toolCallId: event.toolUseId,
          status: event.success ? "completed" : "failed",
          rawOutput: event.result,
          // A diff that was made stays on the screen; what a call printed, or why it did not run, is shown.
          ...(event.success && kindOf(event.name) === "edit" ? {} : contentOf([shown(event.result)])),
        },
      ];
    case "mode_changed":
      return [{ sessionUpdate: "current_mode_update", currentModeId: event.mode }];
    default:
      return [];
  }
}

/** An earlier conversation, for an editor that opens it. */
export function replayOf(messages: readonly Message[]): SessionUpdate[] {
  return messages.flatMap((message) =>
    message.blocks.flatMap((block): SessionUpdate[] => {
      const whose = message.role === "user" ? "user_message_chunk" : "agent_message_chunk";
      if (block.type === "text") return [{ sessionUpdate: whose, content: text(block.content) }];
      if (block.type === "reasoning" && block.content !== "")
        return [{ sessionUpdate: "agent_thought_chunk", content: text(block.content) }];
      if (block.type !== "tool") return [];
      const call = newCall(block);
      const content = [
        ...diffsOf(block.name, inputOf(block)),
        ...(block.result ? [shown(block.result)] : []),
      ];
      const status = block.success === true ? ("completed" as const) : ("failed" as const);
      return [{ ...call, status, ...contentOf(content) }];
    }),
  );
}

/** The whole list of steps, as the model keeps it. */
function planOf(name: string, input: Input): SessionUpdate[] {
  const todos = input["todos"];
  if (name !== "TodoWrite" || !Array.isArray(todos)) return [];
  const entries = todos.map((todo: { content: string; status: PlanEntry["status"] }): PlanEntry => ({
    content: todo.content,
    status: todo.status,
    priority: "medium",
  }));
  return [{ sessionUpdate: "plan", entries }];
}

/** What a call changes in files, as the editor shows changes. */
export function diffsOf(name: string, input: Input): ToolCallContent[] {
  const path = input["file_path"];
  if (typeof path !== "string") return [];
  const one = (edit: Input): ToolCallContent[] =>
    typeof edit["new_string"] === "string" && typeof edit["old_string"] === "string"
      ? [{ type: "diff", path, oldText: edit["old_string"], newText: edit["new_string"] }]
      : [];
  if (name === "Edit") return one(input);
  if (name === "MultiEdit" && Array.isArray(input["edits"])) return input["edits"].flatMap(one);
  if (name === "Write" && typeof input["content"] === "string")
    return [{ type: "diff", path, newText: input["content"] }];
  return [];
}

/** How a turn ended, in the words of the protocol; what only Wave knows is said besides. */
export const STOP_REASONS = {
  done: "end_turn",
  "stop-cap": "end_turn",
  denied: "end_turn",
  halted: "end_turn",
  "output-misfit": "end_turn",
  aborted: "cancelled",
  // The editor takes the prompt out of the conversation, as Wave did.
  "prompt-blocked": "refusal",
  limit: "max_turn_requests",
  "max-turns": "max_turn_requests",
  "context-full": "max_tokens",
} as const satisfies Record<Exclude<TurnEnd["because"], "model-error">, string>;

/** Calls come with the answer that makes them, before anybody judges them; what hooks and Wave say to the person comes at any time. */
function newBlocks({ id, blocks }: Message, known: Set<string>): SessionUpdate[] {
  return blocks.flatMap((block, index) => {
    const key = block.type === "tool" ? block.id : `${id} ${index}`;
    const update =
      block.type === "tool"
        ? newCall(block)
        : block.type === "error" || block.type === "warn"
          ? fromWave(block.content)
          : undefined;
    if (!update || known.has(key)) return [];
    known.add(key);
    return [update];
  });
}

/** Words for the person that the model never reads: marked, so that nobody takes them for the model's. */
export const fromWave = (words: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: text(`\n[wave] ${words}\n`),
});

function newCall(block: ToolBlock): SessionUpdate & { sessionUpdate: "tool_call" } {
  const input = inputOf(block);
  const path = input["file_path"];
  return {
    sessionUpdate: "tool_call",
    toolCallId: block.id,
    title: toolTitle(block.name, input),
    kind: kindOf(block.name),
    status: "pending",
    rawInput: input,
    ...(typeof path === "string" ? { locations: [{ path }] } : {}),
  };
}

function inputOf({ input, parameters }: ToolBlock): Input {
  if (input) return input;
  try {
    const parsed: unknown = JSON.parse(parameters);
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    // Broken arguments are refused by the gate, and the result says so.
    return {};
  }
}

export const text = (words: string) => ({ type: "text" as const, text: words });
export const shown = (words: string): ToolCallContent => ({ type: "content", content: text(words) });
const contentOf = (content: ToolCallContent[]) => (content.length === 0 ? {} : { content });

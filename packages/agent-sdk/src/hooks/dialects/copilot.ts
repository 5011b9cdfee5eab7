import { isRecord } from "../outputFields.ts";
import type { Asked, DialectRow } from "./row.ts";
import { callThere, inputHere, picked } from "./tools.ts";

/** Copilot CLI 1.0.102. Which of its two payloads a hook reads, the spelling of the event in its file says. */
export const copilot: DialectRow = {
  agent: "Copilot CLI",
  tools: {
    Bash: { name: "bash", also: ["Bash", "shell", "powershell"] },
    Read: { name: "view", also: ["Read"], fields: { file_path: "path" } },
    Write: { name: "create", also: ["Write"], fields: { file_path: "path", content: "file_text" } },
    Edit: {
      name: "edit",
      also: ["Edit", "str_replace_editor", "apply_patch"],
      fields: { file_path: "path", old_string: "old_str", new_string: "new_str" },
    },
    Glob: { name: "glob", also: ["Glob"] },
    Grep: { name: "grep", also: ["Grep", "rg"] },
    WebFetch: { name: "web_fetch", also: ["WebFetch"] },
    Agent: { name: "task", also: ["Agent", "Task"] },
    TodoWrite: { name: "update_todo", also: ["TodoWrite"] },
    AskUserQuestion: { name: "ask_user", also: ["AskUserQuestion"] },
  },
  input: (asked) => (isPascal(asked.as) ? snakeInput(asked) : camelInput(asked)),
  output,
};

const isPascal = (event: string) => /^[A-Z]/.test(event);

/** With Claude Code's names of tools. */
function snakeInput({ as, fields, now }: Asked): Record<string, unknown> {
  return {
    ...picked(fields, [...COMMON, "tool_name", "tool_input"]),
    hook_event_name: as,
    timestamp: now.toISOString(),
    ...(fields["result_text"] === undefined
      ? {}
      : { tool_result: { result_type: resultType(fields), text_result_for_llm: fields["result_text"] } }),
  };
}

const COMMON = ["session_id", "cwd", "prompt", "source", "reason", "trigger", "message", "agent_type"];

function camelInput({ fields, now }: Asked): Record<string, unknown> {
  const call = fields["tool_name"] === undefined ? undefined : callThere(copilot, fields);
  return {
    sessionId: fields["session_id"],
    timestamp: now.getTime(),
    cwd: fields["cwd"],
    // A text with JSON in it, as scripts read it there.
    ...(call && { toolName: call.name, toolArgs: JSON.stringify(call.input) }),
    ...(fields["result_text"] === undefined
      ? {}
      : { toolResult: { resultType: resultType(fields), textResultForLlm: fields["result_text"] } }),
    ...picked(fields, ["prompt", "source", "reason", "trigger", "message", "error"]),
    ...(fields["agent_type"] === undefined ? {} : { agentName: fields["agent_type"] }),
  };
}

const resultType = ({ tool_success: success }: Readonly<Record<string, unknown>>) =>
  success === false ? "failure" : "success";

/** Its decision stands at the top. */
function output(
  printed: Readonly<Record<string, unknown>>,
  { event, fields }: Asked,
): Record<string, unknown> {
  const { permissionDecision, permissionDecisionReason, modifiedArgs, additionalContext, ...rest } = printed;
  const inner = isRecord(printed["hookSpecificOutput"]) ? printed["hookSpecificOutput"] : {};
  const before = isRecord(fields["tool_input"]) ? fields["tool_input"] : {};
  const specific = {
    ...inner,
    ...given({ permissionDecision, permissionDecisionReason, additionalContext }),
    ...(modifiedArgs === undefined
      ? {}
      : {
          updatedInput: isRecord(modifiedArgs)
            ? { ...before, ...inputHere(copilot, fields, modifiedArgs) }
            : modifiedArgs,
        }),
  };
  if (Object.keys(specific).length === 0) return rest;
  return { ...rest, hookSpecificOutput: { ...specific, hookEventName: event } };
}

const given = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

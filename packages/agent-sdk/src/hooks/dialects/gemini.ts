import { isRecord } from "../outputFields.ts";
import type { Asked, DialectRow } from "./row.ts";
import { callThere, inputHere, picked } from "./tools.ts";

/** Gemini CLI 0.61. */
export const gemini: DialectRow = {
  agent: "Gemini CLI",
  tools: {
    Bash: { name: "run_shell_command" },
    Read: { name: "read_file", also: ["read_many_files"] },
    Write: { name: "write_file" },
    Edit: { name: "replace" },
    Glob: { name: "glob" },
    Grep: { name: "grep_search", also: ["search_file_content"] },
    LS: { name: "list_directory", fields: { path: "dir_path" } },
    WebFetch: { name: "web_fetch" },
    Agent: { name: "invoke_agent" },
    TodoWrite: { name: "write_todos" },
    AskUserQuestion: { name: "ask_user" },
    ExitPlanMode: { name: "exit_plan_mode" },
  },
  mcpName: (server, tool) => `mcp_${server}_${tool}`,
  input: ({ as, event, fields, now }) => ({
    ...picked(fields, ["session_id", "transcript_path", "cwd"]),
    hook_event_name: as,
    timestamp: now.toISOString(),
    ...ofEvent({ event, fields }),
  }),
  output,
  plainText: "system-message",
  refuses: (code) => code > 2,
  variables: ({ projectDir, sessionId }) => ({
    GEMINI_PROJECT_DIR: projectDir,
    GEMINI_CWD: projectDir,
    GEMINI_SESSION_ID: sessionId,
  }),
};

function ofEvent({ event, fields }: Pick<Asked, "event" | "fields">): Record<string, unknown> {
  switch (event) {
    case "PreToolUse":
    case "PostToolUse": {
      const { name, input } = callThere(gemini, fields);
      const call = { tool_name: name, tool_input: input };
      if (event === "PreToolUse") return call;
      const text = fields["result_text"];
      const error = fields["tool_success"] === false ? { error: { message: text } } : {};
      return { ...call, tool_response: { llmContent: text, returnDisplay: text, ...error } };
    }
    case "Stop":
      return {
        prompt: "",
        prompt_response: fields["last_assistant_message"],
        stop_hook_active: fields["stop_hook_active"],
      };
    default:
      return picked(fields, ["prompt", "source", "reason", "trigger", "notification_type", "message"]);
  }
}

function output(printed: Readonly<Record<string, unknown>>, asked: Asked): Record<string, unknown> {
  const { event, fields } = asked;
  const { decision, hookSpecificOutput: specific, ...rest } = printed;
  const { hookEventName: _name, tool_input: given, ...said } = isRecord(specific) ? specific : {};
  const before = isRecord(fields["tool_input"]) ? fields["tool_input"] : {};
  const updatedInput = isRecord(given) ? { ...before, ...inputHere(gemini, fields, given) } : given;
  return {
    ...rest,
    ...(decision === undefined ? {} : { decision: decisionFor(event, decision) }),
    ...(specific === undefined
      ? {}
      : {
          hookSpecificOutput: {
            hookEventName: event,
            ...said,
            ...(given === undefined ? {} : { updatedInput }),
          },
        }),
  };
}

/** Everywhere but before a call there is only one thing to hold back. */
function decisionFor(event: Asked["event"], decision: unknown): unknown {
  if (event === "PreToolUse") return decision;
  if (decision === "deny" || decision === "ask") return "block";
  return decision === "allow" ? "approve" : decision;
}

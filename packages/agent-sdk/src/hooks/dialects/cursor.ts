import { isRecord } from "../outputFields.ts";
import type { Asked, DialectRow } from "./row.ts";
import { callThere, inputHere, picked } from "./tools.ts";

/** Cursor 3.18: flat fields, and events of their own for shell, MCP, reading and editing. */
export const cursor: DialectRow = {
  agent: "Cursor",
  tools: {
    Bash: { name: "Shell" },
    Read: { name: "Read" },
    Write: { name: "Write" },
    Edit: { name: "Write", also: ["Edit"] },
    Grep: { name: "Grep" },
    Agent: { name: "Task" },
  },
  mcpName: (_server, tool) => `MCP:${tool}`,
  input: (asked) => {
    const { as, fields } = asked;
    const id = fields["session_id"];
    return {
      conversation_id: id,
      generation_id: fields["prompt_id"] ?? id,
      model: "",
      hook_event_name: as,
      cursor_version: "3.18.0",
      workspace_roots: [fields["cwd"]],
      user_email: null,
      ...picked(fields, ["session_id", "transcript_path", "cwd"]),
      ...ofEvent(asked),
    };
  },
  output,
};

function ofEvent({ as, fields, contentOf }: Asked): Record<string, unknown> {
  const call = callThere(cursor, fields);
  const input = isRecord(fields["tool_input"]) ? fields["tool_input"] : {};
  const duration = fields["duration_ms"];
  switch (as) {
    case "beforeShellExecution":
      return { command: input["command"], sandbox: false };
    case "afterShellExecution":
      return { command: input["command"], output: fields["result_text"], duration };
    case "beforeMCPExecution":
      return { tool_name: toolOf(fields), tool_input: JSON.stringify(input) };
    case "afterMCPExecution": {
      const result = JSON.stringify(fields["tool_response"] ?? fields["result_text"]);
      return { tool_name: toolOf(fields), tool_input: JSON.stringify(input), result_json: result, duration };
    }
    case "beforeReadFile": {
      const path = String(input["file_path"]);
      return { file_path: path, content: contentOf(path) ?? "", attachments: [] };
    }
    case "afterFileEdit": {
      const { file_path, content, old_string = "", new_string = content } = input;
      return { file_path, edits: [{ old_string, new_string }] };
    }
    case "preToolUse":
      return { tool_name: call.name, tool_input: call.input, tool_use_id: fields["tool_use_id"] };
    case "postToolUse": {
      const text = JSON.stringify(fields["tool_response"] ?? fields["result_text"]);
      return {
        tool_name: call.name,
        tool_input: call.input,
        tool_use_id: fields["tool_use_id"],
        tool_output: text,
        duration,
      };
    }
    case "postToolUseFailure":
      return {
        tool_name: call.name,
        tool_input: call.input,
        tool_use_id: fields["tool_use_id"],
        error_message: fields["error"],
        failure_type: "error",
        is_interrupt: fields["is_interrupt"],
        duration,
      };
    case "beforeSubmitPrompt":
      return { prompt: fields["prompt"], attachments: [] };
    case "stop":
    case "subagentStop":
      return {
        status: "completed",
        loop_count: fields["stop_block_count"],
        ...(as === "stop" ? {} : { subagent_id: fields["agent_id"], subagent_type: fields["agent_type"] }),
      };
    case "subagentStart":
      return { subagent_id: fields["agent_id"], subagent_type: fields["agent_type"], task: "" };
    case "sessionStart":
      return { is_background_agent: false, composer_mode: "agent" };
    default:
      return picked(fields, ["reason", "trigger"]);
  }
}

const toolOf = (fields: Readonly<Record<string, unknown>>) =>
  /^mcp__.+?__(.+)$/.exec(String(fields["tool_name"]))?.[1] ?? fields["tool_name"];

function output(
  printed: Readonly<Record<string, unknown>>,
  { event, as, fields }: Asked,
): Record<string, unknown> {
  const {
    permission,
    user_message: toUser,
    agent_message: toModel,
    updated_input: updated,
    additional_context: additionalContext,
    followup_message: followUp,
    continue: goesOn,
    ...rest
  } = printed;
  const before = isRecord(fields["tool_input"]) ? fields["tool_input"] : {};
  const isPrompt = as === "beforeSubmitPrompt";
  const specific = given({
    permissionDecision: event === "PreToolUse" ? permission : undefined,
    permissionDecisionReason: permission === undefined ? undefined : (toModel ?? toUser),
    updatedInput: isRecord(updated) ? { ...before, ...inputHere(cursor, fields, updated) } : updated,
    additionalContext,
  });
  const blocks = (isPrompt && goesOn === false) || (event !== "PreToolUse" && permission === "deny");
  return {
    ...rest,
    ...given({ continue: isPrompt ? undefined : goesOn }),
    ...(blocks ? { decision: "block", reason: toUser ?? toModel ?? "a hook for Cursor said no" } : {}),
    // Words that are to be the next prompt: the agent goes on with them.
    ...(typeof followUp === "string" && followUp !== "" ? { decision: "block", reason: followUp } : {}),
    ...(blocks || toUser === undefined || permission === "deny" ? {} : { systemMessage: toUser }),
    ...(Object.keys(specific).length === 0
      ? {}
      : { hookSpecificOutput: { ...specific, hookEventName: event } }),
  };
}

const given = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

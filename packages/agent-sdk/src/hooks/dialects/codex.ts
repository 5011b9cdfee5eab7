import { isRecord } from "../outputFields.ts";
import type { DialectRow } from "./row.ts";

/** Codex 0.166: Claude Code's shapes, but for names of its own. */
export const codex: DialectRow = {
  agent: "Codex",
  tools: {
    Bash: { name: "Bash", also: ["shell", "local_shell"] },
    Write: { name: "apply_patch", also: ["Write", "Edit"] },
    Edit: { name: "apply_patch", also: ["Edit", "Write"] },
    Agent: { name: "spawn_agent", also: ["Agent"] },
  },
  input: ({ event, fields }) => {
    const { prompt_id: turn, tool_name: tool, tool_input: input, tool_response: _own, ...rest } = fields;
    const patch = isRecord(input) ? patchOf(String(tool), input) : undefined;
    return {
      ...rest,
      hook_event_name: event,
      ...(turn === undefined ? {} : { turn_id: turn }),
      ...(tool === undefined
        ? {}
        : patch === undefined
          ? { tool_name: tool === "Agent" ? "spawn_agent" : tool, tool_input: input }
          : { tool_name: "apply_patch", tool_input: { command: patch } }),
      ...(event === "PostToolUse" ? { tool_response: rest["result_text"] } : {}),
    };
  },
  output: (printed) => ({ ...printed }),
};

/** A change of a file in the form in which Codex makes all of them. */
function patchOf(tool: string, input: Readonly<Record<string, unknown>>): string | undefined {
  const lines = (sign: string, text: unknown) =>
    String(text)
      .split("\n")
      .map((line) => sign + line);
  const { file_path: path, content, old_string: before, new_string: after } = input;
  const body =
    tool === "Write"
      ? [`*** Add File: ${String(path)}`, ...lines("+", content)]
      : tool === "Edit"
        ? [`*** Update File: ${String(path)}`, "@@", ...lines("-", before), ...lines("+", after)]
        : undefined;
  return body && ["*** Begin Patch", ...body, "*** End Patch"].join("\n");
}

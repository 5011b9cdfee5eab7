import type { Message, ToolBlock } from "@/messages/blocks.ts";
import type { SessionRecord } from "@/messages/sessionLines.ts";
import type { SessionHandle } from "@/services/session.ts";
import { sessionFileFor } from "@/session/file/sessionPaths.ts";

/** A session that was not saved yet. */
export function sessionIn(sessionsDir: string, id = "s1"): SessionHandle {
  return { id, file: sessionFileFor(sessionsDir, id), cwd: "/project" };
}

export function userMessage(id: string, text = `text of ${id}`): Message {
  return { id, role: "user", blocks: [{ type: "text", content: text }] };
}

export function toolBlock(id: string, more: Partial<ToolBlock> = {}): ToolBlock {
  return { type: "tool", id, name: "Bash", parameters: '{"command":"true"}', stage: "pending", ...more };
}

export function callMessage(id: string, ...toolIds: string[]): Message {
  return { id, role: "assistant", blocks: toolIds.map((toolId) => toolBlock(toolId)) };
}

export function added(message: Message): SessionRecord {
  return { type: "edit", edit: { edit: "add-message", message } };
}

export function answered(toolId: string, result: string): SessionRecord {
  return {
    type: "edit",
    edit: { edit: "update-tool", toolId, changes: { stage: "ended", success: true, result } },
  };
}

export function started(toolId: string): SessionRecord {
  return { type: "tool_started", toolId, name: "Bash", inputHash: "0" };
}

import type { Message, ToolBlock } from "./blocks.ts";
import type { TranscriptEdit } from "./edits.ts";

/**
 * The edits that answer every call without a result, because a model server refuses a conversation with an unanswered
 * call. Only what is known is said: a call that had begun may or may not have taken effect, one that had not begun
 * had none. Neither is run again by itself (T193, T195).
 */
export function repairEdits(
  messages: readonly Message[],
  startedToolIds: readonly string[],
): TranscriptEdit[] {
  const started = new Set(startedToolIds);
  return unansweredTools(messages).map((toolId) => ({
    edit: "update-tool",
    toolId,
    changes: { stage: "ended", success: false, ...(started.has(toolId) ? INTERRUPTED : NOT_STARTED) },
  }));
}

const INTERRUPTED = {
  error: "interrupted; outcome unknown",
  result:
    "Interrupted; outcome unknown. Wave stopped while this call was running, so it may have taken effect, in part or " +
    "completely, and its output is lost. It was not run again. Look at the current state before you repeat it.",
};

const NOT_STARTED = {
  error: "not started",
  result: "Not started. Wave stopped before this call ran, so it had no effect. It was not run afterwards.",
};

/** Nobody has decided about it yet, or Wave ended before somebody did. */
export const neverBegan = ({ result, error }: Pick<ToolBlock, "result" | "error">): boolean =>
  result === undefined || error === NOT_STARTED.error;

// An edit reaches the newest message that has the id. Where an id was used again, the newest one speaks for it:
// answering for an older one would overwrite a result that is there.
function unansweredTools(messages: readonly Message[]): string[] {
  const answered = new Map<string, boolean>();
  for (const message of messages) {
    const tools = message.blocks.filter((block) => block.type === "tool");
    for (const { id } of tools) {
      answered.set(
        id,
        tools.every((tool) => tool.id !== id || tool.result !== undefined),
      );
    }
  }
  return [...answered].filter(([, hasResult]) => !hasResult).map(([id]) => id);
}

import type { TurnEnd } from "../events.ts";
import { endedBy } from "./turn/limits.ts";
import type { Submission } from "./promptManager.ts";
import { GIVE_UP_MS } from "./workQueue.ts";

// How a prompt ends that never became a turn, or whose turn did not end by itself.

export const NOT_BEGUN = (what: string) => `the agent was destroyed before this ${what} began`;
export const STILL_RUNS = `what was running did not end within ${GIVE_UP_MS / 1000} seconds after it was interrupted; the session is closed without it`;
export const NOT_ENDED = "the agent was destroyed, and what was running did not end when it was interrupted";

export const aborted = (reason: string) =>
  ({ accepted: false, because: "aborted", reason, unanswered: false }) satisfies Submission;

/** The prompt did not become part of the conversation: it goes back to whoever wrote it. */
export function notSubmitted(
  submission: Submission & { accepted: false },
  promptBack: string,
  signal?: AbortSignal,
): TurnEnd {
  const { because, reason, unanswered } = submission;
  const usage = { inputTokens: 0, outputTokens: 0 };
  const ending = because === "aborted" && signal?.aborted ? endedBy(signal) : { because, reason };
  return { ...ending, unanswered, answer: "", modelCalls: 0, usage, denials: [], promptBack };
}

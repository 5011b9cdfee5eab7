import type { TurnEnd } from "wave-agent-sdk";

/** What decides the exit status of print mode. Several can be true of one run; the order below says which counts. */
export interface RunFacts {
  /** The signal that ended the run, or SIGPIPE when nobody reads the stream any more. */
  endedBy?: "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGPIPE" | undefined;
  /** A settings file could not be read or parsed. */
  settingsFailed?: boolean;
  /** A hook of the project that nobody approved would have judged something. */
  unguarded?: boolean;
  wrongUsage?: boolean;
  /** stdout could not be written, and that ended the turn. */
  outputLost?: boolean;
  /** Something failed outside a turn: no key, a session that cannot be opened or saved. */
  failed?: boolean;
  end?: Pick<TurnEnd, "because" | "unanswered"> | undefined;
}

const SIGNAL_STATUS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGPIPE: 141 } as const;

/** The first that applies, in the documented order. */
export function exitStatus(facts: RunFacts): number {
  const because = facts.end?.because;
  if (facts.endedBy) return SIGNAL_STATUS[facts.endedBy];
  if (because === "aborted" && !facts.outputLost) return SIGNAL_STATUS.SIGINT;
  if (facts.settingsFailed || facts.unguarded) return 78;
  if (because === "halted") return 5;
  if (because === "prompt-blocked") return 3;
  if (facts.end?.unanswered) return 4;
  if (facts.failed || facts.outputLost || (because !== undefined && FAILED.has(because))) return 1;
  if (facts.wrongUsage) return 2;
  return 0;
}

const FAILED: ReadonlySet<TurnEnd["because"]> = new Set([
  "max-turns",
  "limit",
  "output-misfit",
  "model-error",
  "context-full",
  "denied",
]);

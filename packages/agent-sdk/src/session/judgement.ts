import type { HookDefinition } from "../hooks/definition.ts";
import type { HookPlan } from "../hooks/plan.ts";
import type { HookExecutionResult } from "../hooks/result.ts";
import type { Verdict } from "../hooks/verdict.ts";
import type { HookRunContext } from "../services/hook.ts";

/** What the hooks of one event said, with everything a record needs. Nothing has been done about it yet. */
export interface Judgement {
  pass: 1 | 2;
  /** The hooks that were asked, by the index of their verdict. */
  planned: readonly HookDefinition[];
  results: HookExecutionResult[];
  verdicts: Verdict[];
  skipped: HookPlan["skipped"];
  unreviewed: HookPlan["unreviewed"];
  aboutOthers: HookPlan["aboutOthers"];
  /** By the index of its verdict: what a hook changed, and whether it stands. */
  rewriters?: ReadonlyMap<number, { fields: string[]; taken: boolean }>;
  durationMs: number;
}

export interface JudgeOptions {
  signal?: AbortSignal;
  toolUseId?: string;
  pass?: 1 | 2;
  /** What the next hook of a sequential group is asked after one before it rewrote the tool's input; or why it is not asked. */
  afterRewrite?: (to: Record<string, unknown>) => { input: Record<string, unknown> } | { stop: string };
  /**
   * Asks the same hooks as this judgement did, and those whose `if` is about the call as it is now: what a person switched on
   * or off meanwhile counts from the next event on.
   */
  like?: Judgement;
  /** The transcript for hooks that were written for another agent. */
  transcriptFor?: HookRunContext["transcriptFor"];
  /** Hears what a hook said that nobody waited for. */
  onLater?: (judged: Judgement) => void;
  /** Where its hooks set variables for later commands. */
  envFileFor?: HookRunContext["envFileFor"];
}

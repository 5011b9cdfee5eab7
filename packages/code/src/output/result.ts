import { PRICES_AS_OF, type TurnEnd, type TurnFailure } from "wave-agent-sdk";
import type { PrintResult, ResultSubtype } from "./schema.ts";
import type { Tally } from "./tally.ts";

const SUBTYPES: Record<TurnEnd["because"], ResultSubtype> = {
  done: "success",
  "stop-cap": "stop_cap",
  aborted: "interrupted",
  "prompt-blocked": "prompt_blocked",
  halted: "halted",
  denied: "denied",
  "max-turns": "error_max_turns",
  // Only programs set these limits and schemas.
  limit: "error_max_turns",
  "output-misfit": "error_model",
  "context-full": "error_context_full",
  "model-error": "error_model",
};

/** The result object of a turn that ran. */
export function resultOf(run: {
  end: TurnEnd;
  tally: Tally;
  sessionId: string;
  exitStatus: number;
  /** What should be on disk was lost, and why. */
  notSaved?: string | undefined;
  /** Why the session is not on disk, lost or never written. */
  saveProblem?: string | undefined;
}): PrintResult {
  const { end, tally, sessionId, exitStatus, notSaved, saveProblem = notSaved } = run;
  const ended = SUBTYPES[end.because];
  const isError = ended !== "success" && ended !== "stop_cap";
  const reasons = [end.reason, notSaved].filter((reason) => reason !== undefined);
  return {
    type: "result",
    // The answer stands; whoever wants to go on with the session has to know.
    subtype: notSaved !== undefined && !isError ? "error_session" : ended,
    is_error: isError,
    result: end.answer,
    ...(reasons.length === 0 ? {} : { reason: reasons.join("\n") }),
    ...(end.failure && { error: wireFailure(end.failure) }),
    exit_status: exitStatus,
    session_id: sessionId,
    session_saved: saveProblem === undefined,
    ...(saveProblem === undefined ? {} : { not_saved: saveProblem }),
    num_turns: end.modelCalls,
    usage: wireUsage(end.usage),
    ...wireCost(end.usage),
    permission_denials: end.denials.map((denial) => ({
      tool_name: denial.toolName,
      tool_use_id: denial.toolUseId,
      tool_input: denial.input,
      reason: denial.reason,
      by: denial.by,
      ...(denial.allowedBy === undefined ? {} : { allowed_by: denial.allowedBy }),
    })),
    hooks: tally.hooks,
    failed_open: [...tally.failedOpen],
    answers: tally.answers,
  };
}

/** The result object of a run that never came to a turn: a reader of JSON gets an object all the same. */
export function resultWithoutTurn(run: {
  tally: Tally;
  subtype: ResultSubtype;
  reason: string;
  exitStatus: number;
}): PrintResult {
  const { hooks, failedOpen, answers } = run.tally;
  return {
    type: "result",
    subtype: run.subtype,
    is_error: true,
    result: "",
    reason: run.reason,
    exit_status: run.exitStatus,
    session_id: "",
    session_saved: false,
    num_turns: 0,
    usage: { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0 },
    permission_denials: [],
    hooks,
    failed_open: [...failedOpen],
    answers,
  };
}

function wireFailure({ kind, detail, status, canRetry, retryAfterMs }: TurnFailure): PrintResult["error"] {
  return {
    kind,
    ...(detail === undefined ? {} : { detail }),
    ...(status === undefined ? {} : { status }),
    can_retry: canRetry,
    ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }),
  };
}

function wireCost({ costUsd, unpricedTokens }: TurnEnd["usage"]): Partial<PrintResult> {
  if (costUsd === undefined) return {};
  return {
    // A millionth of a cent is noise of the sum.
    total_cost_usd: Number(costUsd.toFixed(8)),
    prices_as_of: PRICES_AS_OF,
    ...(unpricedTokens === undefined ? {} : { unpriced_tokens: unpricedTokens }),
  };
}

export function wireUsage(usage: TurnEnd["usage"]): PrintResult["usage"] {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached_input_tokens: usage.cachedInputTokens ?? 0,
  };
}

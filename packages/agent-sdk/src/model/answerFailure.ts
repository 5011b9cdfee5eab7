import { ModelError } from "../errors.ts";
import { readHttpFailure } from "./httpErrors.ts";
import { ConnectionFailure, readNetworkFailure } from "./networkErrors.ts";
import type { ModelTarget, NamedTarget, Outcome } from "./call.ts";
import { proxyVariable } from "./proxy.ts";
import { StreamFailure } from "./readAnswer.ts";
import { MAX_ATTEMPTS, MAX_ATTEMPTS_BROKEN, MAX_ATTEMPTS_SILENT } from "./retry.ts";
import { serverWords } from "./serverWords.ts";
import type { Patience, SilenceWatch } from "./silence.ts";

export type Failed = Extract<Outcome<never>, { end: "failed" }>;
type Failure = ConnectionFailure | StreamFailure;

/**
 * What went wrong on the way of one answer. Anything else (a callback that threw) is thrown on. What came of an answer that
 * broke off has had no effect, since calls run only when it is whole: asking again repeats nothing but words.
 */
export function answerFailure(
  error: unknown,
  context: { target: NamedTarget; silence: SilenceWatch; patience: Patience; streamed: boolean },
): Failed {
  const { target, silence, streamed } = context;
  if (error instanceof ModelError) return { end: "failed", error, retry: { again: "no" } };
  if (!(error instanceof ConnectionFailure) && !(error instanceof StreamFailure)) throw error;
  const said = error instanceof StreamFailure ? error.said : undefined;
  const reported = said && readHttpFailure(said, target);
  // A server that says what is wrong with the request says the same again.
  if (reported && (!streamed || reported.retry.again === "no")) return { end: "failed", ...reported };
  if (error instanceof ConnectionFailure && error.phase === "before-answer" && !silence.broken)
    return connectionFailure(error, target);

  const words = said ? serverWords(said.body, target.apiKey) : "";
  const because = words === "" ? why(error, context) : `${why(error, context)}: ${words}`;
  const what = streamed
    ? `The answer from ${target.address} broke off in the middle (${because})`
    : `The model server at ${target.address} gave no answer (${because})`;
  const advice = streamed
    ? 'what came so far is kept, and a message such as "go on" continues from there.'
    : "send again, or look at the server.";
  const attempts = silence.broken ? MAX_ATTEMPTS_SILENT : streamed ? MAX_ATTEMPTS_BROKEN : MAX_ATTEMPTS;
  const isLimit = reported?.error.kind === "rate-limited";
  return {
    end: "failed",
    error: isLimit ? reported.error : new ModelError("broken-stream", `${what}; ${advice}`, { cause: error }),
    retry: { again: "later", attempts, afterMs: undefined, why: what, ...(streamed && { restarts: true }) },
  };
}

export function connectionFailure(error: ConnectionFailure, target: ModelTarget): Failed {
  const where = { address: target.address, proxyVariable: proxyVariable(target.baseUrl, target.env) };
  return { end: "failed", ...readNetworkFailure(error, where) };
}

function why(error: Failure, context: { silence: SilenceWatch; patience: Patience }): string {
  const { silence, patience } = context;
  if (!silence.broken)
    return error instanceof StreamFailure ? error.message : `the connection was lost, ${error.code}`;
  const alive = silence.isAlive ? "nothing but signs of life" : "nothing";
  return `${alive} came for ${patience.silenceMs / 1000} seconds, the limit that modelTimeout sets`;
}

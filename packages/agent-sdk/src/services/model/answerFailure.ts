import { ModelError } from "../../errors.ts";
import { readHttpFailure } from "./httpErrors.ts";
import { ConnectionFailure, readNetworkFailure } from "./networkErrors.ts";
import type { ModelTarget, NamedTarget, Outcome } from "./provider.ts";
import { proxyVariable } from "./proxy.ts";
import { StreamFailure } from "./readAnswer.ts";
import { MAX_ATTEMPTS } from "./retry.ts";
import { serverWords } from "./serverWords.ts";
import type { SilenceWatch } from "./silence.ts";

export type Failed = Extract<Outcome<never>, { end: "failed" }>;
type Failure = ConnectionFailure | StreamFailure;

/** What went wrong on the way of one answer. Anything else (a callback that threw) is thrown on. */
export function answerFailure(
  error: unknown,
  context: { target: NamedTarget; silence: SilenceWatch; streamed: boolean },
): Failed {
  const { target, silence, streamed } = context;
  if (error instanceof ModelError) return { end: "failed", error, retry: { again: "no" } };
  if (!(error instanceof ConnectionFailure) && !(error instanceof StreamFailure)) throw error;
  if (streamed)
    return { end: "failed", error: brokeInTheMiddle(error, target, silence), retry: { again: "no" } };

  // Nothing was shown yet, so asking again repeats nothing.
  if (error instanceof StreamFailure && error.said)
    return { end: "failed", ...readHttpFailure(error.said, target) };
  if (error instanceof ConnectionFailure && error.phase === "before-answer" && !silence.broken) {
    return connectionFailure(error, target);
  }
  const what = `The model server at ${target.address} gave no answer (${why(error, silence)})`;
  return {
    end: "failed",
    error: new ModelError("broken-stream", `${what}; send again, or look at the server.`, { cause: error }),
    retry: { again: "later", attempts: MAX_ATTEMPTS, afterMs: undefined, why: what },
  };
}

export function connectionFailure(error: ConnectionFailure, target: ModelTarget): Failed {
  const where = { address: target.address, proxyVariable: proxyVariable(target.baseUrl, target.env) };
  return { end: "failed", ...readNetworkFailure(error, where) };
}

function brokeInTheMiddle(error: Failure, target: NamedTarget, silence: SilenceWatch): ModelError {
  if (error instanceof StreamFailure && error.said) {
    const { error: reported } = readHttpFailure(error.said, target);
    if (reported.kind !== "server" && reported.kind !== "overloaded") return reported;
  }
  const words =
    error instanceof StreamFailure && error.said ? serverWords(error.said.body, target.apiKey) : "";
  const because = words === "" ? why(error, silence) : `${why(error, silence)}: ${words}`;
  const message = `The answer from ${target.address} broke off in the middle (${because}); what came so far is kept, and a message such as "go on" continues from there.`;
  return new ModelError("broken-stream", message, { cause: error });
}

function why(error: Failure, silence: SilenceWatch): string {
  if (silence.broken) return `nothing came for ${silence.limitMs / 1000} seconds`;
  return error instanceof StreamFailure ? error.message : `the connection was lost, ${error.code}`;
}

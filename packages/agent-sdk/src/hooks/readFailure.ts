import type { SettingsScope, HookIdentity } from "./definition.ts";
import type { HookEvent } from "./events.ts";
import type { Entrypoint } from "./eventFields.ts";
import { headAndTail } from "../utils/headAndTail.ts";
import { maskSecrets } from "../utils/maskSecrets.ts";
import { onOneLine } from "../utils/quoted.ts";
import {
  failureAdvice,
  failureFacts,
  failureMessage,
  failureQuestion,
  firstLine,
  WAYS_TO_FAIL,
  type FailureWay,
} from "./failures.ts";
import {
  actingOnError,
  isWeaker,
  onErrorFor,
  type FailureKind,
  type FailurePolicy,
  type OnError,
} from "./failurePolicy.ts";
import type { HookExecutionResult } from "./result.ts";

/** A hook that could not decide, and what its `onError` made of that. */
export interface HookFailure {
  kind: FailureKind;
  /** What happened, as it goes on after the hook's name: "timed out after 10 s". */
  what: string;
  /** The same with all that the hook wrote about it. */
  details: string;
  /** With "continue" the action goes on although nobody judged it: counted and shown. */
  did: OnError;
  /** The whole sentence, for whoever has to do something about it. */
  message: string;
  /** The same for the model: without what to do about it. */
  facts: string;
  /** What to do about it, for a person. */
  advice: string;
  /** The same for a person who is asked what to do about it. */
  question: string;
}

export type JudgedHook = HookIdentity & {
  onError: FailurePolicy;
  scope?: SettingsScope;
  /** What runs the session. Default: the terminal. */
  entrypoint?: Entrypoint;
};

/** Only for a hook that failed: of everything that went wrong, what `onError` is strictest about. */
export function readFailure(
  event: HookEvent,
  result: HookExecutionResult,
  output: { stderr: string; broken: string | undefined },
  hook: JudgedHook,
): HookFailure {
  const { name, source, onError, scope, entrypoint = "terminal" } = hook;
  const [first, ...others] = waysOf(result, output).map((failed) => {
    const { kind } = WAYS_TO_FAIL[failed.way];
    return { ...failed, kind, did: actingOnError(event, onErrorFor(onError, kind)) };
  });
  // Nothing wrong can be named only if whoever calls this is wrong; no verdict may come of that.
  if (!first) throw new Error(`hook ${name} did not fail`);
  const { way, ...strictest } = others.reduce(
    (best, one) => (isWeaker(best.did, one.did) ? one : best),
    first,
  );
  const failure = {
    event,
    hook: { name, source },
    way,
    what: strictest.what,
    did: strictest.did,
    scope,
    entrypoint,
  };
  return {
    ...strictest,
    message: failureMessage(failure),
    facts: failureFacts(failure),
    advice: failureAdvice(failure),
    question: failureQuestion(failure),
  };
}

/**
 * A hook that was ended, or never ran, failed in that way, whatever it had printed before. One that ended by itself can
 * fail in several ways at once.
 */
function waysOf(
  result: HookExecutionResult,
  { stderr, broken }: { stderr: string; broken: string | undefined },
): Failed[] {
  const { error, exitCode } = result;
  if (error) return [failed(error.way, error.message)];
  if (result.timedOut) return [failed("timed-out", howItEnded(result), stderr)];
  if (exitCode === undefined) return [failed("killed", howItEnded(result), stderr)];
  const ways: Failed[] = [];
  if (broken !== undefined) ways.push(failed("broken-output", `printed broken output: ${onOneLine(broken)}`));
  if (result.argsCut) ways.push(failed("cut-arguments", "got arguments that were cut at 32 KiB"));
  if (exitCode !== 0) {
    const way = exitCode === 126 || exitCode === 127 ? "not-found" : "exit-code";
    ways.push(failed(way, `ended with exit code ${exitCode}`, stderr));
  }
  return ways;
}

interface Failed {
  way: FailureWay;
  what: string;
  details: string;
}

function failed(way: FailureWay, end: string, stderr = ""): Failed {
  const details = headAndTail(maskSecrets(stderr === "" ? end : `${end}: ${stderr}`), DETAILS_LIMIT).text;
  const [first = ""] = end.split("\n");
  return { way, what: stderr === "" ? first : `${first}: ${firstLine(stderr)}`, details };
}

/** For a record: a hook can write a megabyte before it dies. */
const DETAILS_LIMIT = 4 * 1024;

/** "exit 0", "timed out after 10 s", "was not started: …". */
export function howItEnded(result: HookExecutionResult): string {
  if (result.aborted) return "was interrupted";
  if (result.notAsked !== undefined) return `was not asked: ${result.notAsked}`;
  if (result.background) return "runs in the background";
  if (result.error) return result.error.message;
  if (result.timedOut) return `timed out after ${seconds(result.duration)}`;
  if (result.signal !== undefined) return `was killed by ${result.signal}`;
  return result.exitCode === undefined ? "ended without an exit code" : `exit ${result.exitCode}`;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0).replace(/\.0$/, "")} s`;

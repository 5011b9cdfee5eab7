import type { HookIdentity } from "./definition.ts";
import { HOOK_EVENTS, type HookEvent } from "./events.ts";
import { actingOnError, onErrorFor } from "./failurePolicy.ts";
import { readCutOutput } from "./cutOutput.ts";
import { findObjects } from "./findObjects.ts";
import { howItEnded, readFailure, type HookFailure, type JudgedHook } from "./readFailure.ts";
import { readObject, stricter, type Decision, type Reading } from "./readObject.ts";
import type { HookExecutionResult } from "./result.ts";

export type Failure = HookFailure | { kind: "interrupted" };

/** For the user, as an ErrorBlock. */
export interface VerdictError {
  text: string;
  /** Set when it is about a hook that could not decide. */
  failure?: HookFailure;
}

/** What a finished hook said. Nothing here has been done yet. */
export interface Verdict {
  hook: HookIdentity;
  /** How the hook ended, in words: "exit 0", "timed out after 10 s". */
  ended: string;
  decision: Decision;
  /** Whose the decision is: the hook's, or that of its `onError`, since the hook could not decide. */
  decidedBy: "hook" | "failure";
  /** Why. Exit-code output is passed on as a plain message, JSON as a HookBlock; hence where it comes from. */
  reason: { text: string; from: "stderr" | "json" } | undefined;
  halt: string | undefined;
  context: { text: string; as: "second-user-message" | "hook-block" } | undefined;
  /** Characters of its text that the model gets. Absent: HOOK_TEXT_LIMIT. */
  contextLimit?: number;
  rewrite: { to: Record<string, unknown> } | { refused: string } | undefined;
  /** What its rewrite did, so that the call is refused: "rewrote an input that …". */
  rewriteRefused?: string;
  failure: Failure | undefined;
  errors: VerdictError[];
  /** For the user, as WarnBlocks. */
  warnings: string[];
  unknownFields: string[];
  /** The tool's input that it saw, when it was not the one that the others saw. */
  saw?: Record<string, unknown>;
  /** Why it may have meant more than it says, where its `onError` lets that pass; they are among the warnings, too. */
  doubts?: string[];
}

/** Exit code and JSON to a verdict. The table is in decision 0003: what holds back counts, what lets through must be sound. */
export function readVerdict(event: HookEvent, result: HookExecutionResult, hook: JudgedHook): Verdict {
  const verdict = readDecision(event, result, hook);
  if (!verdict.rewrite || !("refused" in verdict.rewrite)) return verdict;
  // The old input is not what the hook wanted to run, so nothing runs (G9).
  return refused(verdict, `hook ${hook.name}: ${verdict.rewrite.refused}`);
}

/** A deny for a reason of Wave's own, beside the hook's when it denied, too. */
export function refused(verdict: Verdict, why: string): Verdict {
  const own = verdict.decision === "deny" && verdict.reason ? `${verdict.reason.text}\n` : "";
  return { ...verdict, decision: "deny", decidedBy: "hook", reason: { text: own + why, from: "json" } };
}

/** A deny because of what a sound rewrite would lead to; `what` is what the hook did. */
export function refusedRewrite(verdict: Verdict, what: string): Verdict {
  return { ...refused(verdict, `hook ${verdict.hook.name} ${what}`), rewriteRefused: what };
}

/** Of what a hook said, that the turn ends: the rest has been carried out where it was said. */
export const onlyHalt = ({ hook, ended, halt }: Verdict): Verdict => ({ ...silent(hook, ended), halt });

function readDecision(event: HookEvent, result: HookExecutionResult, hook: JudgedHook): Verdict {
  if (result.notAsked !== undefined || result.background) return silent(hook, howItEnded(result));
  const row = HOOK_EVENTS[event];
  const stdout = result.stdout?.trim().toWellFormed() ?? "";
  const stderr = result.stderr?.trim().toWellFormed() ?? "";
  const ended = howItEnded(result);
  const found = findObjects(result.stdout ?? "");
  const cut = readCutOutput(result);
  const objects = found.objects.map(({ ways }) => ways.map((object) => readObject(event, object)));
  const readings = [
    ...objects.flat(),
    ...(cut?.ways ?? []).map((way) => onlyHeldBack(readObject(event, way))),
  ];
  const said = strictest(readings);
  // Who lets pass what a broken guard should have judged needs no more than a word about a doubt.
  const goesOn = actingOnError(event, onErrorFor(hook.onError, "invalid")) === "continue";
  const misfits = unique(
    readings.flatMap(({ broken, doubts }) => (goesOn ? broken : [...broken, ...doubts])),
  );
  const broken =
    cut?.broken ??
    found.broken ??
    (misfits.length > 0 ? `its JSON does not fit: ${misfits.join("; ")}` : undefined);
  const finished =
    result.exitCode !== undefined && !result.timedOut && result.signal === undefined && !result.error;
  const whole = finished && result.argsCut !== true && broken === undefined;

  const verdict: Verdict = {
    hook: { name: hook.name, source: hook.source },
    ended,
    decision: whole || said.decision !== "allow" ? said.decision : "none",
    decidedBy: "hook",
    reason: said.reason === undefined ? undefined : { text: said.reason, from: "json" },
    halt: said.halt && (said.halt.reason ?? `hook ${hook.name} ended the turn without giving a reason`),
    context: whole && said.context !== undefined ? { text: said.context, as: "hook-block" } : undefined,
    rewrite: finished
      ? (readings.map(({ rewrite }) => rewrite).find(isRefused) ?? (whole ? said.rewrite : undefined))
      : undefined,
    failure: undefined,
    errors: [],
    warnings: [
      ...objects.flatMap((ways) => unique(ways.flatMap((reading) => reading.systemMessage ?? []))),
      ...[...(goesOn ? said.doubts : []), ...said.warnings].map((warning) => `hook ${hook.name}: ${warning}`),
    ],
    unknownFields: [...said.unknownFields, ...(found.foreign ?? [])],
    ...(result.saw && { saw: result.saw }),
    ...(goesOn && said.doubts.length > 0 ? { doubts: said.doubts } : {}),
  };
  verdict.warnings.push(...found.nearMisses.map((miss) => `hook ${hook.name}: ${miss}`));
  for (const { repeated } of found.objects)
    for (const field of repeated)
      verdict.warnings.push(
        `hook ${hook.name} printed "${field}" more than once in one object; the stricter one counts`,
      );
  if (objects.length > 1)
    verdict.warnings.push(
      `hook ${hook.name} printed ${objects.length} JSON objects; only the strictest counts`,
    );
  if (said.halt && said.halt.reason === undefined) {
    verdict.warnings.push(`hook ${hook.name}: continue is false without a stopReason`);
  }
  // Whoever interrupted the turn knows why: nothing is shown, and nothing runs after it.
  if (result.aborted) {
    return { ...verdict, failure: { kind: "interrupted" } };
  }

  if (finished && result.exitCode === 2) return blockedByExitCode(verdict, said.decision, { stderr, broken });

  const holdsBack = verdict.halt !== undefined || verdict.decision === "deny" || verdict.decision === "ask";
  const oddExit = result.exitCode !== 0 && verdict.decision === "none" && verdict.halt === undefined;
  if (!whole || oddExit) {
    const failure = readFailure(event, result, { stderr, broken }, hook);
    if (!holdsBack) return withoutDecision(verdict, failure, wordsForUser(result, stderr));
    verdict.warnings.push(`hook ${hook.name} ${failure.what}; what it had decided before holds`);
  }
  if (verdict.decision === "allow" && result.exitCode !== 0 && !verdict.halt && !isRefused(verdict.rewrite))
    verdict.warnings.push(
      `hook ${hook.name} allowed this and then ended with exit code ${result.exitCode}; its JSON counts`,
    );
  if (verdict.decision === "deny" && !verdict.reason) return denyWithoutReason(verdict);

  const isPlainText = found.objects.length === 0 && !found.foreign && stdout !== "";
  if (isPlainText && row.stdout !== "not-used") verdict.context = { text: stdout, as: row.stdout };
  return verdict;
}

const unique = (texts: readonly string[]) => [...new Set(texts)];

function silent({ name, source }: HookIdentity, ended: string): Verdict {
  return {
    hook: { name, source },
    ended,
    decision: "none",
    decidedBy: "hook",
    reason: undefined,
    halt: undefined,
    context: undefined,
    rewrite: undefined,
    failure: undefined,
    errors: [],
    warnings: [],
    unknownFields: [],
  };
}

const isRefused = (rewrite: Reading["rewrite"]) => rewrite !== undefined && "refused" in rewrite;

const SILENT: Reading = {
  decision: "none",
  reason: undefined,
  halt: undefined,
  context: undefined,
  rewrite: undefined,
  systemMessage: undefined,
  broken: [],
  doubts: [],
  warnings: [],
  unknownFields: [],
};

/** Of what may not be as it was printed. */
function onlyHeldBack({ decision, reason, halt }: Reading): Reading {
  const holds = decision === "deny" || decision === "ask";
  return { ...SILENT, halt, ...(holds && { decision, reason }) };
}

/** Of several objects only the strictest counts; of equals the first. */
function strictest(readings: readonly Reading[]): Reading {
  const rank = (reading: Reading) =>
    reading.halt ? 4 : (["none", "allow", "ask", "deny"] as const).indexOf(reading.decision);
  return readings.reduce(
    (best, reading) => (rank(reading) > rank(best) ? reading : best),
    readings[0] ?? SILENT,
  );
}

/** Exit 2 always blocks (T1, T2, G6): the JSON can only add a better reason. */
function blockedByExitCode(
  verdict: Verdict,
  said: Decision,
  output: { stderr: string; broken: string | undefined },
): Verdict {
  const { name } = verdict.hook;
  const warnings = [...verdict.warnings];
  if (said === "allow" || said === "ask") {
    warnings.push(`hook ${name} exited with 2, which blocks, and printed "${said}"; the stricter one counts`);
  }
  if (output.broken !== undefined) warnings.push(`hook ${name}: ${output.broken}`);
  const fromJson = said === "deny" ? verdict.reason : undefined;
  if (said === "deny" && !fromJson && output.stderr === "") warnings.push(giveAReason(name));
  const text = output.stderr || `blocked by hook ${name} (exit code 2, without a reason)`;
  // Nothing runs in any case, so what it would have run with has no meaning.
  return {
    ...verdict,
    decision: "deny",
    reason: fromJson ?? { text, from: "stderr" },
    rewrite: undefined,
    warnings,
  };
}

/** A deny without a word still denies; the author is told (JO-6). */
function denyWithoutReason(verdict: Verdict): Verdict {
  const { name } = verdict.hook;
  return {
    ...verdict,
    reason: { text: `blocked by hook ${name}, which gave no reason`, from: "json" },
    warnings: [...verdict.warnings, giveAReason(name)],
  };
}

const giveAReason = (name: string) =>
  `hook ${name} blocked without a reason; give one, it is what the model or the user reads`;

/** Nobody decided: the hook's own `onError` speaks, and nothing of its output is believed. */
function withoutDecision(verdict: Verdict, failure: HookFailure, words: string | undefined): Verdict {
  if (failure.did === "continue") {
    // A valid object beside an odd exit code keeps its context and its rewrite; a broken one has none.
    return { ...verdict, failure, errors: [{ text: words ?? failure.message, failure }] };
  }
  return {
    ...verdict,
    decision: stricter(verdict.decision, failure.did === "block" ? "deny" : "ask"),
    decidedBy: "failure",
    reason: { text: failure.message, from: "stderr" },
    failure,
  };
}

/** stderr of a hook that ended by itself is passed on as it came (SPEC 2). */
const wordsForUser = (result: HookExecutionResult, stderr: string): string | undefined =>
  result.exitCode !== undefined && result.exitCode !== 0 && stderr !== "" ? stderr : undefined;

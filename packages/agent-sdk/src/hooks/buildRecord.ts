import { createHash } from "node:crypto";
import { headAndTail } from "../utils/headAndTail.ts";
import { maskSecrets } from "../utils/maskSecrets.ts";
import { combine } from "./combine.ts";
import { identityOf, type HookDefinition } from "./definition.ts";
import { HOOK_EVENTS, type HookEvent } from "./events.ts";
import type { DecisionRecord } from "./record.ts";
import type { HookExecutionResult } from "./result.ts";
import type { Failure, Verdict } from "./verdict.ts";

interface Judged {
  pass: 1 | 2;
  results: readonly HookExecutionResult[];
  verdicts: readonly Verdict[];
  skipped: readonly { hook: HookDefinition; why: string }[];
  /** By the index of its verdict: what a hook changed, and whether it stands. */
  rewriters?: ReadonlyMap<number, { fields: string[]; taken: boolean }>;
  durationMs: number;
}

type Rest = Partial<Omit<DecisionRecord, "event" | "mode" | "hooks" | "skipped" | "durationMs">>;

/** The line that explains an event afterwards. Without `rest.decision` it says what the hooks alone decided. */
export function buildRecord(
  event: HookEvent,
  mode: string,
  judged: readonly Judged[],
  rest: Rest = {},
  earlier: readonly Judged[] = [],
): DecisionRecord {
  const last = judged.at(-1);
  const combined = combine(last?.verdicts ?? []);
  const decider = combined.halts[0] ?? combined.deciders[0];
  const decision = rest.decision ?? outcomeOf(event, combined);
  const keeps = { stderr: !isErased(event, decision) };
  const interrupted = last?.verdicts.some((verdict) => verdict.failure?.kind === "interrupted");
  return {
    event,
    mode,
    hooks: entriesOf(judged, keeps),
    ...(earlier.length === 0 ? {} : { earlier: entriesOf(earlier, keeps) }),
    skipped: [
      ...(last?.skipped ?? []).map(({ hook, why }) => ({ ...identityOf(hook), why })),
      ...(last ? notAsked(last) : []),
    ],
    decision,
    decidedBy: decider ? `hook ${decider.hook.name}` : interrupted ? "an interrupt" : "no hook objected",
    ...(combined.reason ? { reason: combined.reason } : {}),
    durationMs: Math.round(judged.reduce((sum, one) => sum + one.durationMs, 0)),
    ...rest,
  };
}

export const hashOf = (value: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(value) ?? "")
    .digest("hex");

const entriesOf = (judged: readonly Judged[], keeps: { stderr: boolean }) =>
  judged.flatMap((one) =>
    one.verdicts.flatMap((verdict, index) =>
      one.results[index]?.notAsked === undefined ? [hookEntry(one, verdict, index, keeps)] : [],
    ),
  );

const notAsked = ({ results, verdicts }: Judged): DecisionRecord["skipped"] =>
  verdicts.flatMap(({ hook }, index) => {
    const why = results[index]?.notAsked;
    return why === undefined ? [] : [{ ...hook, why }];
  });

function hookEntry(
  judged: Judged,
  verdict: Verdict,
  index: number,
  keeps: { stderr: boolean },
): DecisionRecord["hooks"][number] {
  const result = judged.results[index];
  const rewriter = judged.rewriters?.get(index);
  const cut = (result?.truncated?.stdout ?? 0) + (result?.truncated?.stderr ?? 0);
  const { failure } = verdict;
  const reason = verdict.reason?.text ?? verdict.halt;
  return {
    name: verdict.hook.name,
    source: verdict.hook.source,
    pass: judged.pass,
    ended: verdict.ended,
    durationMs: Math.round(result?.duration ?? 0),
    verdict: wordFor(verdict),
    ...(reason === undefined ? {} : { reason }),
    ...(rewriter ? { rewrote: rewriter.fields, rewriteTaken: rewriter.taken } : {}),
    ...(verdict.rewriteRefused === undefined ? {} : { rewriteRefused: verdict.rewriteRefused }),
    stdoutBytes: Buffer.byteLength(result?.stdout ?? ""),
    stderrBytes: Buffer.byteLength(result?.stderr ?? ""),
    ...(keeps.stderr ? stderrOf(result, verdict) : {}),
    ...(cut > 0 ? { cutBytes: cut } : {}),
    ...(failure ? failureFields(failure) : {}),
    ...(verdict.unknownFields.length > 0 ? { unknownFields: verdict.unknownFields } : {}),
    ...(verdict.doubts ? { doubts: keptText(verdict.doubts.join("; ")) } : {}),
  };
}

/** A hook may write there what it judged: of a prompt that is erased nothing is kept. */
const isErased = (event: HookEvent, decision: DecisionRecord["decision"]) =>
  HOOK_EVENTS[event].onBlock === "drop-prompt" && (decision === "blocked" || decision === "halted");

/** Nobody else hears what a hook writes beside its verdict, so the record keeps it. */
function stderrOf(
  result: HookExecutionResult | undefined,
  { reason, failure }: Verdict,
): Pick<DecisionRecord["hooks"][number], "stderr"> {
  const text = result?.stderr?.trim() ?? "";
  if (text === "" || reason?.from === "stderr" || failure) return {};
  return { stderr: keptText(text) };
}

const keptText = (text: string) => headAndTail(maskSecrets(text), TEXT_LIMIT).text;
const TEXT_LIMIT = 2_000;

function failureFields(failure: Failure): Partial<DecisionRecord["hooks"][number]> {
  if (failure.kind === "interrupted") return { failure: "interrupted", failedOpen: false };
  const { kind, details, did } = failure;
  return { failure: `${kind}: ${details}`, failureKind: kind, failedOpen: did === "continue" };
}

/** A hook that did not get to say anything must not read like one that had no objection. */
function wordFor({ halt, failure, decision }: Verdict): string {
  if (halt !== undefined) return "halt";
  if (decision !== "none" || !failure) return decision;
  return failure.kind === "interrupted" ? "interrupted" : "could not decide";
}

function outcomeOf(event: HookEvent, combined: ReturnType<typeof combine>): DecisionRecord["decision"] {
  if (combined.halts.length > 0) return "halted";
  if (combined.decision !== "deny") return "pass";
  const { onBlock } = HOOK_EVENTS[event];
  if (onBlock === "keep-going") return "continued";
  return onBlock === "tell-user" ? "pass" : "blocked";
}

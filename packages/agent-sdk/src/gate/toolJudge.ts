import { labelOf } from "../hooks/definition.ts";
import { deniedByFailureAlone } from "../hooks/brokenGuards.ts";
import { combine } from "../hooks/combine.ts";
import { mergePasses } from "../hooks/passes.ts";
import { applyRewrites, refuseMisfit } from "../hooks/rewrite.ts";
import type { Verdict } from "../hooks/verdict.ts";
import type { PreparedCall } from "../conversation/turn/prepareCall.ts";
import type { Judgement } from "../session/judgement.ts";
import type { CallFacts, CallInputs } from "./callFacts.ts";
import type { AsksHooks } from "./seams.ts";

/** What the PreToolUse hooks made of a call, after both passes. */
export interface ToolJudgement {
  verdicts: Verdict[];
  /** The hook of each verdict, by its index. */
  planned: Judgement["planned"];
  /** What was judged last: the only input that may run. */
  input: Record<string, unknown>;
  facts: CallFacts;
  rewritten: boolean;
  judgements: Judgement[];
}

/** Runs the PreToolUse hooks, applies what they rewrote, and lets all of them judge the new input once more (SPEC 6). */
export async function judgeToolCall(
  hooks: AsksHooks,
  call: PreparedCall,
  inputs: CallInputs,
  {
    signal,
    asksAboutFailures,
  }: {
    signal: AbortSignal;
    /** A person will be asked when hooks deny only because they failed: so what would run has to be known, and judged. */
    asksAboutFailures: boolean;
  },
): Promise<ToolJudgement> {
  const told = {
    tool_name: call.name,
    tool_use_id: call.id,
    ...(call.broken ? { tool_input_error: call.broken.error, tool_input_raw: call.broken.raw } : {}),
  };
  const options = { signal, toolUseId: call.id };
  const facts = inputs.facts(call.input);
  const first = await hooks.judge(
    "PreToolUse",
    { ...told, ...inputs.told(facts), tool_input: call.input, pass: 1 },
    { ...options, pass: 1, afterRewrite: (to) => nextInput(to, inputs) },
  );
  const asItWas = {
    verdicts: first.verdicts,
    planned: first.planned,
    input: call.input,
    facts,
    rewritten: false,
    judgements: [first],
  };
  const said = combine(first.verdicts);
  const isDenied = said.decision === "deny" && !(asksAboutFailures && deniedByFailureAlone(said));
  if (isDenied || said.halts.length > 0 || signal.aborted) return asItWas;

  const rewritten = applyRewrites(call.input, first.verdicts);
  if (rewritten.rewriters.size === 0) return asItWas;
  for (const { verdict, text } of rewritten.warnings) verdict.warnings.push(text);
  const made = inputs.rewritten(rewritten.input);
  const together = misfitOf(made);
  if (together !== undefined) {
    const verdicts = refuseMisfit(first.verdicts, rewritten, {
      together,
      alone: (input) => misfitOf(inputs.rewritten(input)),
    });
    return { ...asItWas, verdicts, judgements: [withRefusals(first, verdicts)] };
  }

  const { input } = made;
  const second = await hooks.judge(
    "PreToolUse",
    { ...told, ...inputs.told(made), tool_input: input, pass: 2 },
    { ...options, pass: 2, like: first },
  );
  const verdicts = mergePasses(first.verdicts, second.verdicts, { ...rewritten, input });
  const { rewriters } = rewritten;
  const judgements = [{ ...first, rewriters }, withRefusals(second, verdicts)];
  return { verdicts, planned: second.planned, input, facts: made, rewritten: true, judgements };
}

/** What the next hook of a sequential group judges. A rewrite that does not fit refuses the call, so nobody is asked about it. */
function nextInput(to: Record<string, unknown>, inputs: CallInputs) {
  const made = inputs.rewritten(to);
  const misfit = misfitOf(made);
  if (misfit !== undefined)
    return { stop: `what the hook before it made of the input does not fit: ${misfit}` };
  return { input: { ...inputs.told(made), tool_input: made.input } };
}

const misfitOf = ({ fit }: CallFacts) => (fit.fits ? undefined : fit.why);

/** For each field that hooks changed, the hook whose change stands: of several the later one. */
export function changedBy({ judgements, verdicts }: ToolJudgement): Record<string, string> {
  const rewriters = [...(judgements[0]?.rewriters ?? [])];
  return Object.fromEntries(
    rewriters.flatMap(([index, { fields }]) => {
      const hook = verdicts[index]?.hook;
      return hook ? fields.map((field): [string, string] => [field, labelOf(hook)]) : [];
    }),
  );
}

/** What was refused is no word of the hook's own, but its line of the record has to tell it. */
function withRefusals(judged: Judgement, verdicts: readonly Verdict[]): Judgement {
  const told = judged.verdicts.map((verdict, index) => {
    const rewriteRefused = verdicts[index]?.rewriteRefused;
    return rewriteRefused === undefined ? verdict : { ...verdict, rewriteRefused };
  });
  return { ...judged, verdicts: told };
}

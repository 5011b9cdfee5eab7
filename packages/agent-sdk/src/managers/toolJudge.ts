import { combine } from "../hooks/combine.ts";
import { mergePasses } from "../hooks/passes.ts";
import { applyRewrites } from "../hooks/rewrite.ts";
import { refused, type Verdict } from "../hooks/verdict.ts";
import type { PreparedCall } from "../turn/prepareCall.ts";
import type { HookManager, Judgement } from "./hookManager.ts";

/** What the PreToolUse hooks made of a call, after both passes. */
export interface ToolJudgement {
  verdicts: Verdict[];
  /** What was judged last: the only input that may run. */
  input: Record<string, unknown>;
  rewritten: boolean;
  judgements: Judgement[];
}

export interface Rewriting {
  /** Makes the paths of a rewritten input absolute. */
  normalise(input: Record<string, unknown>): Record<string, unknown>;
  /** A sentence on what does not fit the tool's schema. */
  misfit(input: Record<string, unknown>): string | undefined;
}

/** Runs the PreToolUse hooks, applies what they rewrote, and lets all of them judge the new input once more (SPEC 6). */
export async function judgeToolCall(
  hooks: HookManager,
  call: PreparedCall,
  rewriting: Rewriting,
  signal: AbortSignal,
): Promise<ToolJudgement> {
  const facts = {
    tool_name: call.name,
    tool_use_id: call.id,
    ...(call.broken ? { tool_input_error: call.broken.error, tool_input_raw: call.broken.raw } : {}),
  };
  const options = { signal, toolUseId: call.id };
  const first = await hooks.judge(
    "PreToolUse",
    { ...facts, tool_input: call.input, pass: 1 },
    { ...options, pass: 1 },
  );
  const asItWas = { verdicts: first.verdicts, input: call.input, rewritten: false, judgements: [first] };
  const { decision, halts } = combine(first.verdicts);
  if (decision === "deny" || halts.length > 0 || signal.aborted) return asItWas;

  const rewritten = applyRewrites(call.input, first.verdicts);
  if (rewritten.rewriters.size === 0) return asItWas;
  for (const { verdict, text } of rewritten.warnings) verdict.warnings.push(text);
  const misfit = rewriting.misfit(rewriting.normalise(rewritten.input));
  if (misfit !== undefined)
    return { ...asItWas, verdicts: refuse(first.verdicts, rewritten.rewriters, misfit) };

  const input = rewriting.normalise(rewritten.input);
  const second = await hooks.judge(
    "PreToolUse",
    { ...facts, tool_input: input, pass: 2 },
    { ...options, pass: 2 },
  );
  const verdicts = mergePasses(first.verdicts, second.verdicts, { ...rewritten, input });
  const { rewriters } = rewritten;
  return { verdicts, input, rewritten: true, judgements: [{ ...first, rewriters }, second] };
}

/** A rewrite that does not fit never falls back to the old input (G9): its authors refuse the call. */
function refuse(
  verdicts: readonly Verdict[],
  rewriters: ReadonlyMap<number, unknown>,
  misfit: string,
): Verdict[] {
  return verdicts.map((verdict, index) => {
    if (!rewriters.has(index)) return verdict;
    return refused(
      verdict,
      `hook ${verdict.hook.name} rewrote the input so that it does not fit the tool: ${misfit}`,
    );
  });
}

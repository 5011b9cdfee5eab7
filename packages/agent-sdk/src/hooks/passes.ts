import { stricter, type Decision } from "./readObject.ts";
import { changesOf, type Rewritten } from "./rewrite.ts";
import { refusedRewrite, type Verdict } from "./verdict.ts";

/**
 * Joins what each hook said of the model's input and of the rewritten one. A deny or ask of either pass stands; an
 * allow of the first only from a hook whose rewrite was taken. A hook that rewrites again is not listened to; one
 * that begins to rewrite now refuses the call, since nobody would judge that input.
 */
export function mergePasses(
  first: readonly Verdict[],
  second: readonly Verdict[],
  rewritten: Rewritten,
): Verdict[] {
  return first.map((before, index) => {
    const after = second[index];
    const rewriter = rewritten.rewriters.get(index);
    const earlier: Decision = before.decision === "allow" && !rewriter?.taken ? "none" : before.decision;
    if (!after) return { ...before, decision: earlier };
    if (!rewriter && changesOf(rewritten.input, after).size > 0)
      return refusedRewrite(merged(before, earlier, after), UNSETTLED);
    return merged(before, earlier, after);
  });
}

function merged(before: Verdict, earlier: Decision, after: Verdict): Verdict {
  const decision = stricter(earlier, after.decision);
  const deciders = [{ ...before, decision: earlier }, after].filter(
    (verdict) => verdict.decision === decision,
  );
  const failed = decision !== "none" && deciders.every(({ decidedBy }) => decidedBy === "failure");
  return {
    ...after,
    decision,
    decidedBy: failed ? "failure" : "hook",
    reason: joinReasons(decision, { ...before, decision: earlier }, after),
    halt: after.halt ?? before.halt,
    context: after.context ?? before.context,
    failure: (failed ? deciders.at(-1)?.failure : undefined) ?? after.failure ?? before.failure,
    errors: [
      ...before.errors,
      ...after.errors.filter(({ text }) => !before.errors.some((one) => one.text === text)),
    ],
    warnings: union(before.warnings, after.warnings),
    unknownFields: union(before.unknownFields, after.unknownFields),
  };
}

/** The reason of the pass that decided; of both when both did and they differ. */
function joinReasons(decision: Decision, before: Verdict, after: Verdict): Verdict["reason"] {
  const reasons = [before, after].flatMap((verdict) =>
    verdict.decision === decision && verdict.reason ? [verdict.reason] : [],
  );
  const [one, two] = reasons;
  if (!one || !two || one.text === two.text) return two ?? one;
  return { text: `${one.text}\n${two.text}`, from: two.from };
}

const UNSETTLED =
  "rewrote an input that other hooks had already rewritten, so the rewrites do not settle; nothing was run";

const union = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])];

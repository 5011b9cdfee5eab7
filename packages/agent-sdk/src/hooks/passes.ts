import { stricter, type Decision } from "./readObject.ts";
import { changesOf, type Rewritten } from "./rewrite.ts";
import { refusedRewrite, type Verdict } from "./verdict.ts";

/**
 * Joins what each hook said of the model's input and of the rewritten one. A deny or ask of either pass stands; an allow only
 * for exactly what will run: of the first pass from a hook that made the input what it is, of the second from one that does not
 * want to change it once more. A hook that rewrites again is not listened to; one that begins to rewrite now refuses the call,
 * since nobody would judge that input. Behind them come hooks whom only the rewritten input concerns.
 */
export function mergePasses(
  first: readonly Verdict[],
  second: readonly Verdict[],
  rewritten: Rewritten,
): Verdict[] {
  const both = first.map((before, index) => {
    const after = second[index];
    const rewriter = rewritten.rewriters.get(index);
    const earlier: Decision = before.decision === "allow" && !rewriter?.whole ? "none" : before.decision;
    if (!after) return { ...before, decision: earlier };
    const changesAgain = changesOf(rewritten.input, after).size > 0;
    if (!rewriter && changesAgain) return refusedRewrite(merged(before, earlier, after), UNSETTLED);
    return merged(before, earlier, changesAgain ? withoutAllow(after, earlier) : after);
  });
  const late = second
    .slice(first.length)
    .map((verdict) =>
      changesOf(rewritten.input, verdict).size > 0 ? refusedRewrite(verdict, UNSETTLED) : verdict,
    );
  return [...both, ...late];
}

/** What it allows is what it would make of the input, and that does not run. */
function withoutAllow(after: Verdict, earlier: Decision): Verdict {
  if (after.decision !== "allow") return after;
  const warnings = earlier === "allow" ? after.warnings : [...after.warnings, onlyRewritten(after.hook.name)];
  return { ...after, decision: "none", reason: undefined, warnings };
}

const onlyRewritten = (name: string) =>
  `hook ${name} allowed the call only as it would change it once more; it runs unchanged, so that allow does not count`;

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

import type { AndOr, CompoundList, If } from "unbash";
import type { GitProgress } from "../programs/git/progress.ts";
import { either, joined, unchanged, widened, type Ends, type Scope } from "./scope.ts";

/** `a && b || c`: what runs depends on how the one before ended. */
export function andOr(
  { commands, operators }: AndOr,
  scope: Scope,
  run: (command: AndOr["commands"][number], scope: Scope) => Ends,
): Ends {
  const [first, ...others] = commands;
  let ends = first ? run(first, scope) : unchanged(scope);
  for (const [at, command] of others.entries()) {
    const and = operators[at] === "&&";
    const next = run(command, and ? ends.ok : ends.failed);
    ends = and
      ? { ok: next.ok, failed: either(ends.failed, next.failed) }
      : { ok: either(ends.ok, next.ok), failed: next.failed };
  }
  return ends;
}

/** Every test is reached where those before it failed, and any of the branches may be the one that ran. */
export function ifElse(node: If, scope: Scope, run: (list: CompoundList, scope: Scope) => Ends): Ends {
  let reached = scope;
  const after: Ends[] = [];
  for (const { clause, then } of [node, ...node.elif]) {
    const tested = run(clause, reached);
    after.push(run(then, tested.ok));
    reached = tested.failed;
  }
  after.push(node.else ? run(node.else, reached) : unchanged(reached));
  return joined(after);
}

/** What a round of a loop changes is unknown at the start of the next one. */
export function loop(scope: Scope, gitProgress: GitProgress, round: (scope: Scope) => Ends): Ends {
  const stage = gitProgress.stage;
  const first = round(scope);
  const after = either(first.ok, first.failed);
  const wide = widened(scope, after);
  if (wide === scope) {
    if (gitProgress.stage !== stage) round(scope);
    return unchanged(scope);
  }
  round(wide);
  return unchanged(wide);
}

// npm run mutants [-- <part of a file's path>]: makes small mistakes in the code that decides, one at a time, and says which of
// them no test notices. Each is written into the file itself, and what stood there is put back, also after Ctrl-C.
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MUTANTS } from "./list.ts";
import type { Mutant } from "./mutant.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: ROOT });
const wanted = process.argv[2] ?? "";

type Outcome = "killed" | "survived" | "stale";

const chosen = MUTANTS.filter((mutant) => mutant.in.includes(wanted));
const tests = [...new Set(chosen.flatMap((mutant) => mutant.tests))];
console.log(`${chosen.length} mutants. First their tests as they are: ${tests.join(" ")}`);
if (!isGreen(tests)) {
  console.error("These tests fail without any mutant. Fix that first: a failing test notices everything.");
  process.exit(2);
}

let unexplained = 0;
for (const [index, mutant] of chosen.entries()) {
  const outcome = play(mutant);
  const isFine = outcome === "killed" ? mutant.survives === undefined : mutant.survives !== undefined;
  if (!isFine || outcome === "stale") unexplained++;
  console.log(`${index + 1}/${chosen.length} ${wordsFor(outcome, mutant)} ${mutant.in}: ${titleOf(mutant)}`);
}
console.log(`${chosen.length} mutants, ${unexplained} to look at`);
process.exit(unexplained === 0 ? 0 : 1);

function play(mutant: Mutant): Outcome {
  const file = fileOf(mutant);
  const before = readFileSync(file, "utf8");
  if (before.split(mutant.from).length !== 2) return "stale";
  const putBack = () => writeFileSync(file, before);
  const onInterrupt = () => {
    putBack();
    process.exit(130);
  };
  process.once("SIGINT", onInterrupt);
  try {
    writeFileSync(
      file,
      before.replace(mutant.from, () => mutant.to),
    );
    return isGreen(mutant.tests) ? "survived" : "killed";
  } finally {
    putBack();
    process.off("SIGINT", onInterrupt);
  }
}

function fileOf(mutant: Mutant): string {
  const found = SOURCES.filter((path) => path.endsWith(`/${mutant.in}`));
  const [path, ...others] = found;
  if (path === undefined || others.length > 0)
    throw new Error(`"in": ${JSON.stringify(mutant.in)} must name one file, not ${found.length}`);
  return join(ROOT, path);
}

/** A mutant may make a test wait for ever: then it was noticed as well. */
function isGreen(files: readonly string[]): boolean {
  const args = ["vitest", "run", "--bail=1", "--reporter=dot", "--testTimeout=20000", ...files];
  const { status } = spawnSync("npx", args, { cwd: ROOT, stdio: "ignore", timeout: 600_000 });
  return status === 0;
}

function wordsFor(outcome: Outcome, { survives }: Mutant): string {
  if (outcome === "stale") return "STALE (its text is not there once)";
  if (outcome === "killed") return survives === undefined ? "noticed" : "NOTICED, so drop its excuse";
  return survives === undefined ? "SURVIVED" : `survived (${survives})`;
}

function titleOf({ from, to }: Mutant): string {
  return `${JSON.stringify(from.trim())} → ${JSON.stringify(to.trim())}`.slice(0, 160);
}

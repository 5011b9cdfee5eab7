// npm run mutants [-- <part of a file's path>]: makes small mistakes in the code that decides, one at a time, and says which of
// them no test notices. Each is written into the file itself, and what stood there is put back, also after Ctrl-C.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MUTANTS } from "./list.ts";
import type { Mutant } from "./mutant.ts";
import { TestRunner } from "./testRunner.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: ROOT });
const wanted = process.argv[2] ?? "";

type Outcome = "killed" | "survived" | "stale";

const chosen = MUTANTS.filter((mutant) => mutant.in.includes(wanted));
const tests = [...new Set(chosen.flatMap((mutant) => mutant.tests))];
console.log(`${chosen.length} mutants. First their tests as they are: ${tests.join(" ")}`);
const runner = new TestRunner(ROOT);
const failing = new Set(await runner.failuresOf(tests, { all: true, longestMs: 3_600_000 }));
for (const test of failing) console.log(`FAILS WITHOUT A MUTANT, so it counts for none: ${test}`);

let unexplained = 0;
for (const [index, mutant] of chosen.entries()) {
  const outcome = await play(mutant);
  const isFine = outcome === "killed" ? mutant.survives === undefined : mutant.survives !== undefined;
  if (!isFine || outcome === "stale") unexplained++;
  console.log(`${index + 1}/${chosen.length} ${wordsFor(outcome, mutant)} ${mutant.in}: ${titleOf(mutant)}`);
}
console.log(
  `${chosen.length} mutants, ${unexplained} to look at, ${failing.size} tests that fail without any of them`,
);
await runner.close();
process.exit(unexplained + failing.size === 0 ? 0 : 1);

async function play(mutant: Mutant): Promise<Outcome> {
  const file = fileOf(mutant);
  const before = readFileSync(file, "utf8");
  if (before.split(mutant.from).length !== 2) return "stale";
  const write = (text: string) => {
    writeFileSync(file, text);
    runner.changed(file);
  };
  const putBack = () => write(before);
  const onInterrupt = () => {
    putBack();
    process.exit(130);
  };
  process.once("SIGINT", onInterrupt);
  try {
    write(before.replace(mutant.from, () => mutant.to));
    const failures = await runner.failuresOf(mutant.tests, { all: failing.size > 0, longestMs: 300_000 });
    return failures.some((test) => !failing.has(test)) ? "killed" : "survived";
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

function wordsFor(outcome: Outcome, { survives }: Mutant): string {
  if (outcome === "stale") return "STALE (its text is not there once)";
  if (outcome === "killed") return survives === undefined ? "noticed" : "NOTICED, so drop its excuse";
  return survives === undefined ? "SURVIVED" : `survived (${survives})`;
}

function titleOf({ from, to }: Mutant): string {
  return `${JSON.stringify(from.trim())} → ${JSON.stringify(to.trim())}`.slice(0, 160);
}

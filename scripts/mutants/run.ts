// npm run mutants [-- <part of a file's path>]: makes small mistakes in the code that decides, one at a time, and says which of
// them no test notices. Each is written into the file itself, and what stood there is put back, also after Ctrl-C.
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
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
const failing = new Set(failuresOf(tests, { all: true }));
for (const test of failing) console.log(`FAILS WITHOUT A MUTANT, so it counts for none: ${test}`);

let unexplained = 0;
for (const [index, mutant] of chosen.entries()) {
  const outcome = play(mutant);
  const isFine = outcome === "killed" ? mutant.survives === undefined : mutant.survives !== undefined;
  if (!isFine || outcome === "stale") unexplained++;
  console.log(`${index + 1}/${chosen.length} ${wordsFor(outcome, mutant)} ${mutant.in}: ${titleOf(mutant)}`);
}
console.log(
  `${chosen.length} mutants, ${unexplained} to look at, ${failing.size} tests that fail without any of them`,
);
process.exit(unexplained + failing.size === 0 ? 0 : 1);

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
    const failures = failuresOf(mutant.tests, { all: failing.size > 0 });
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

/**
 * The tests that fail, or only the first of them. A mutant may also make a test wait for ever, or vitest end without a report: then
 * it was noticed as well.
 */
function failuresOf(files: readonly string[], { all }: { all: boolean }): string[] {
  const folder = mkdtempSync(join(tmpdir(), "wave-mutants-"));
  const outputFile = join(folder, "report.json");
  try {
    const report = ["--reporter=json", `--outputFile=${outputFile}`, "--testTimeout=20000"];
    const args = ["vitest", "run", ...report, ...(all ? [] : ["--bail=1"]), ...files];
    const { status } = spawnSync("npx", args, { cwd: ROOT, stdio: "ignore", timeout: 600_000 });
    if (status === 0) return [];
    const named = failedIn(JSON.parse(readFileSync(outputFile, "utf8")));
    return named.length > 0 ? named : [`vitest itself, with exit code ${status}`];
  } catch {
    return ["vitest itself: it wrote no report"];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Report {
  testResults: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[];
}

function failedIn({ testResults }: Report): string[] {
  return testResults
    .filter(({ status }) => status === "failed")
    .flatMap(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === "failed");
      const file = relative(ROOT, name);
      return failed.length === 0 ? [file] : failed.map(({ fullName }) => `${file}: ${fullName}`);
    });
}

function wordsFor(outcome: Outcome, { survives }: Mutant): string {
  if (outcome === "stale") return "STALE (its text is not there once)";
  if (outcome === "killed") return survives === undefined ? "noticed" : "NOTICED, so drop its excuse";
  return survives === undefined ? "SURVIVED" : `survived (${survives})`;
}

function titleOf({ from, to }: Mutant): string {
  return `${JSON.stringify(from.trim())} → ${JSON.stringify(to.trim())}`.slice(0, 160);
}

import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readLine } from "wave-shell-reader";
import { policyBench } from "../support/policyBench.ts";
import {
  allLines,
  canTrace,
  isOnMachine,
  PIECES,
  RUN_PROGRAM,
  runTraced,
  someLine,
  SWEPT,
  type SweepEffect,
  type SweepStage,
} from "./programSweep.ts";

const SOAK = process.env["WAVE_SOAK"] === "1";
/** `WAVE_SEED=12345` tries the same lines again. */
const seed = process.env["WAVE_SEED"]
  ? Number(process.env["WAVE_SEED"])
  : SOAK
    ? randomInt(2 ** 31 - 1)
    : 20_260_412;
/** So many lines of each program; in the soak all there are. */
const LINES = 4;
/** So many program texts of each small language. */
const TEXTS = SOAK ? 30_000 : 250;
const BATCH = 500;

function stageIn(bench: { project: string }): SweepStage {
  const root = dirname(bench.project);
  const [outside, secrets, temporary] = ["outside", "project/secrets", "tmp"].map((name) => join(root, name));
  for (const folder of [outside, secrets, temporary, join(bench.project, "src")])
    mkdirSync(folder ?? "", { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(root, name), text);
  write("outside/canary", "canary\n");
  write("project/secrets/key", "key\n");
  write("project/a.txt", "a word\nb x\n");
  write("project/a.json", '{"a": 1}\n');
  write("project/list", `${root}/outside/canary\0`);
  write("project/@list", `${root}/outside/canary\n`);
  execFileSync("bash", ["-c", "gzip -k a.txt; (command -v zip && zip -q a.zip a.txt) || true"], {
    cwd: bench.project,
    stdio: "ignore",
  });
  return {
    root,
    project: bench.project,
    outside: outside ?? "",
    secrets: secrets ?? "",
    temporary: temporary ?? "",
  };
}

it(
  "whatever runs without a question, over all programs that are believed to read and their options, only reads (G33, G34)",
  { timeout: SOAK ? 14_400_000 : 240_000 },
  ({ skip }) => {
    if (!canTrace()) skip("it takes bwrap and strace to see what programs do");
    process.stderr.write(`programs and options: seed ${seed}\n`);
    using bench = policyBench();
    const stage = stageIn(bench);
    // The stubs of the bench stand for programs that are missing; here the real ones are run.
    bench.session.env["PATH"] = process.env["PATH"] ?? "";
    const there = SWEPT.filter(isOnMachine);
    const places = { outside: join(stage.outside, "canary") };
    const swept = there.flatMap((name) =>
      SOAK ? allLines(name, places) : fc.sample(someLine(name, places), { seed, numRuns: LINES }),
    );
    const texts = Object.entries(PIECES).flatMap(([language, pieces]) =>
      isOnMachine(language)
        ? fc
            .sample(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 }), {
              seed,
              numRuns: TEXTS,
            })
            .map((some) => RUN_PROGRAM[language]?.(some.join(language === "sed" ? "" : " ")) ?? "")
        : [],
    );
    const deny = ["Read(./secrets/**)"];
    const allowedOf = (lines: readonly string[]) =>
      [...new Set(lines)].filter((line) => bench.decide(line, { deny }).decision === "allow");
    const [options, programs] = [allowedOf(swept), allowedOf(texts)];
    const allowed = [...options, ...programs];
    const effects: SweepEffect[] = [];
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: bench.session.env["HOME"] ?? stage.root,
      TMPDIR: stage.temporary,
      LC_ALL: "C",
    };
    for (let from = 0; from < allowed.length; from += BATCH) {
      const batch = allowed.slice(from, from + BATCH).map((line) => ({
        line,
        programs: readLine(line, { folder: stage.project, variables: {} }).programs.map(({ name }) => name),
      }));
      effects.push(...runTraced(batch, stage, env));
    }
    process.stderr.write(
      `programs and options: ${there.length} of ${SWEPT.length} programs are on this machine; ` +
        `of ${new Set(swept).size} lines with options ${options.length} were allowed and run, of ${new Set(texts).size} program texts ` +
        `${programs.length}; ${effects.length} effects\n`,
    );
    expect(effects.slice(0, 50)).toEqual([]);
    // A sweep of which hardly anything is allowed would prove nothing.
    expect(options.length).toBeGreaterThan(swept.length / 50);
    expect(programs.length).toBeGreaterThan(texts.length / 50);
  },
);

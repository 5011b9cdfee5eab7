import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { READING_VARIABLES, readLine } from "wave-shell-reader";
import { allLines, isOnMachine, PIECES, RUN_PROGRAM, someLine, SWEPT } from "./lines.ts";
import { canTrace, runTraced, statedBy, type SweepEffect, type SweepStage } from "./traced.ts";

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
const TEXTS = SOAK ? 10_000 : 150;
const BATCH = 500;

function stageIn(root: string): SweepStage {
  const stage = {
    root,
    project: join(root, "project"),
    outside: join(root, "outside"),
    temporary: join(root, "tmp"),
  };
  for (const folder of ["outside", "project/secrets", "project/src", "tmp", "home"])
    mkdirSync(join(root, folder), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(root, name), text);
  write("stdin", "a.txt\n");
  write("outside/canary", "canary\n");
  write("project/secrets/key", "key\n");
  write("project/a.txt", "a word\nb x\n");
  write("project/a.json", '{"a": 1}\n');
  write("project/package.json", "{}\n");
  write("project/list", `${stage.outside}/canary\0`);
  write("project/@list", `${stage.outside}/canary\n`);
  const made =
    "gzip -k a.txt; (command -v zip && zip -q a.zip a.txt) || true; git init -q --template= . && git add a.txt && " +
    "git -c user.name=a -c user.email=a@b commit -qm a && git tag one && git stash list";
  execFileSync("bash", ["-c", made], { cwd: stage.project, stdio: "ignore", env: envOf(stage) });
  return stage;
}

const envOf = ({ root, temporary }: SweepStage) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: join(root, "home"),
  TMPDIR: temporary,
  LC_ALL: "C",
  ...READING_VARIABLES,
});

it(
  "a line that is proven to read does no more than its reading says, over all listed programs and their options (G33, G34)",
  { timeout: SOAK ? 14_400_000 : 240_000 },
  ({ skip }) => {
    if (!canTrace()) skip("it takes bwrap and strace to see what programs do");
    process.stderr.write(`programs and options: seed ${seed}\n`);
    const root = mkdtempSync(join(realpathSync(tmpdir()), "wave-sweep-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const stage = stageIn(root);
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
    const readingOf = (line: string) =>
      readLine(line, { folder: stage.project, variables: { HOME: join(root, "home") } });
    const provenOf = (lines: readonly string[]) =>
      [...new Set(lines)].filter((line) => readingOf(line).certainty.is === "proven");
    const [options, programs] = [provenOf(swept), provenOf(texts)];
    const proven = [...options, ...programs];
    const effects: SweepEffect[] = [];
    for (let from = 0; from < proven.length; from += BATCH)
      effects.push(
        ...runTraced(
          proven.slice(from, from + BATCH).map((line) => statedBy(readingOf(line))),
          stage,
          envOf(stage),
        ),
      );
    process.stderr.write(
      `programs and options: ${there.length} of ${SWEPT.length} programs are on this machine; ` +
        `of ${new Set(swept).size} lines with options ${options.length} were proven and run, of ${new Set(texts).size} program texts ` +
        `${programs.length}; ${effects.length} effects\n`,
    );
    expect(effects.slice(0, 50)).toEqual([]);
    // A sweep of which hardly anything is proven would prove nothing.
    expect(options.length).toBeGreaterThan(swept.length / 50);
    expect(programs.length).toBeGreaterThan(texts.length / 50);
  },
);

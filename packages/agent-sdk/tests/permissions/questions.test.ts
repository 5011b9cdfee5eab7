import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readLine } from "wave-shell-reader";
import type { CommandSandbox } from "@/tools/commandSandbox.ts";
import { policyBench } from "../support/policyBench.ts";
import { EVERYDAY, READING } from "../../../shell-reader/tests/corpus/everydayCommands.ts";
import { DAILY, DAILY_RULES } from "../../../shell-reader/tests/corpus/workingDay.ts";

const linesOfDay = (day: string) =>
  readFileSync(join(import.meta.dirname, "days", `${day}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { tool: string; input: { command: string } })
    .flatMap(({ tool, input }) => (tool === "Bash" ? [input.command] : []));

const LISTS = { READING, EVERYDAY: EVERYDAY.flatMap(([, lines]) => lines), DAILY };

/** Some lines are there to be covered by a rule for everything, and nobody writes them. */
const ofPeople = EVERYDAY.flatMap(([rules, lines]) => (rules.includes("Bash") ? [] : lines));

/** Of all lines that developers and models write, every third: 186 different ones. */
const MIXED = [
  ...new Set([...READING, ...ofPeople, ...DAILY, ...linesOfDay("first"), ...linesOfDay("second")]),
]
  .filter((_line, at) => at % 3 === 0)
  .slice(0, 186);

/** What people keep after some days: those of the guide, those of a first day, and two more. */
const guide = readFileSync(join(import.meta.dirname, "../../../../docs/guide/permissions.md"), "utf8");
const example = /<!-- executed: usual rules -->\s+```json\n(.*?)```/s.exec(guide)?.[1] ?? "";
const { allow: ofGuide } = (JSON.parse(example) as { permissions: { allow: string[] } }).permissions;
const RULES = [...new Set([...ofGuide, ...DAILY_RULES, "Bash(git checkout:*)", "Bash(git push:*)"])];

/** As one that bounds reading would say; nothing is run here. */
const BOUNDS: CommandSandbox = {
  look: async () => {},
  boundsReading: true,
  advice: undefined,
  start: () => expect.unreachable(),
  hint: () => undefined,
  wasRefused: () => false,
};

const bench = policyBench();
mkdirSync(join(bench.project, "test"));
for (const file of ["src/cart.js", "src/server.js", "test/cart.test.js", "Makefile", "requirements.txt"])
  writeFileSync(join(bench.project, file), "x\n");
afterAll(() => bench[Symbol.dispose]());

function asked(lines: readonly string[], { sandbox, allow }: { sandbox: boolean; allow: readonly string[] }) {
  Object.assign(bench.session, { sandbox: sandbox ? BOUNDS : undefined });
  const given = { allow };
  return lines.filter((line) => bench.decide(line, given).decision !== "allow");
}

describe("of everyday lines, in a plain repository and without a rule", () => {
  it.each([
    ["READING", 2, 1],
    ["EVERYDAY", 84, 81],
    ["DAILY", 39, 39],
  ] as const)(
    "%s asks %i times where there is no sandbox, and %i times where there is (T25, G33)",
    (list, without, within) => {
      const counts = [false, true].map((sandbox) => asked(LISTS[list], { sandbox, allow: [] }).length);
      expect(counts).toEqual([without, within]);
    },
  );
});

describe("of 186 everyday lines, in a repository with husky, git-lfs, an alias and a credential helper", () => {
  it("89 ask without a sandbox and 49 with one; with 27 usual rules 42 and 21, of which none only reads (T25, G33)", () => {
    const git = (...args: string[]) => execFileSync("git", ["-C", bench.project, "config", ...args]);
    git("core.hooksPath", ".husky/_");
    git("filter.lfs.process", "git-lfs filter-process");
    git("alias.st", "!git status");
    git("credential.helper", "store");
    expect([MIXED.length, RULES.length]).toEqual([186, 27]);
    const questions = [false, true].map((sandbox) =>
      [[], RULES].map((allow) => asked(MIXED, { sandbox, allow })),
    );
    expect(questions.map((rows) => rows.map(({ length }) => length))).toEqual([
      [89, 42],
      [49, 21],
    ]);
    const place = { folder: bench.project, variables: {} };
    const needless = questions[1]?.[1]?.filter((line) => readLine(line, place).certainty.is !== "unknown");
    expect(needless).toEqual([]);
  });
});

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM_ROWS } from "../../../shell-reader/src/ruleTable/table.ts";
import { afterAll, describe, expect, it } from "vitest";
import type { PermissionMode } from "@/permissions/modes.ts";
import { policyBench } from "../support/policyBench.ts";
import { BELIEVED_READS } from "../../../shell-reader/tests/corpus/believedReads.ts";
import { BYPASSES } from "../../../shell-reader/tests/corpus/shellBypasses.ts";
import { USUAL_LINES } from "./usualLines.ts";
import { DAILY_TRAPS } from "../../../shell-reader/tests/corpus/workingDay.ts";

interface Call {
  tool: string;
  input: Record<string, unknown>;
}

const callsOf = (day: string) =>
  readFileSync(join(import.meta.dirname, "days", `${day}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Call);

const bench = policyBench();
for (const folder of ["test", "py"]) mkdirSync(join(bench.project, folder));
const addFiles = (...files: string[]) =>
  files.forEach((file) => writeFileSync(join(bench.project, file), "x\n"));
addFiles("src/cart.js", "src/server.js", "test/cart.test.js", "Makefile", "requirements.txt");
afterAll(() => bench[Symbol.dispose]());

/** A person who keeps the widest rule that is offered, and allows edits where that is offered. */
function play(day: string, before: { mode: PermissionMode; allow: readonly string[] }) {
  const asked: string[] = [];
  const last = callsOf(day).reduce((now, call) => {
    const decided = bench.decide(call, now);
    if (decided.decision === "allow") return now;
    asked.push(String(call.input["command"] ?? call.input["file_path"]));
    const offer = decided.offer();
    const kept = offer.offered ? (offer.choices.at(-1)?.rules ?? []) : [];
    return { mode: offer.mode ?? now.mode, allow: [...now.allow, ...kept] };
  }, before);
  return { ...last, asked };
}

const modes = ["default", "acceptEdits"] as const;
const firstDays = Object.fromEntries(modes.map((mode) => [mode, play("first", { mode, allow: [] })]));
const learned = (mode: (typeof modes)[number]) => firstDays[mode] ?? expect.unreachable(mode);

describe("the second of two working days, with the widest rules of the first kept", () => {
  it.each(modes)("asks for at most 4 of 46 calls when it began in %s (T25, G33)", (mode) => {
    addFiles("src/currency.js", "test/currency.test.js", "notes.md");
    expect(callsOf("second")).toHaveLength(46);
    const { asked } = play("second", learned(mode));
    expect(asked.length, asked.join("\n")).toBeLessThanOrEqual(4);
  });

  it("asks for 18 of 46 calls on the first day, and not for edits after the first of them", () => {
    expect(learned("default").asked).toHaveLength(18);
    expect(learned("default").mode).toBe("acceptEdits");
  });

  /** They are what the rules say, and nothing more. */
  const said = ["git log && git commit -am x", "pip list"];
  /** Hidden writes are tried under a rule for every command (corpus.test.ts). */
  const lists = { ...BYPASSES, ...BELIEVED_READS, ...DAILY_TRAPS };
  it.each(Object.entries(lists))(
    "lets none of the lines through that only look like one: %s (G33)",
    (_kind, lines) => {
      const { allow } = learned("default");
      const isAllowed = (line: string, given: object) => bench.decide(line, given).decision === "allow";
      for (const mode of modes) {
        const by = { allow, mode };
        // Where edits are allowed some of them are edits, with rules and without.
        const without = { mode };
        const silent = lines.filter((line) => isAllowed(line, by) && !isAllowed(line, without));
        expect([mode, silent.filter((line) => !said.includes(line))]).toEqual([mode, []]);
      }
    },
  );
});

describe("the widest rule that is offered for a usual line", () => {
  const isAllowed = (line: string, rule: string) =>
    bench.decide(line, { allow: [`Bash(${rule})`] }).decision === "allow";

  it("is tried for at least 60 lines", () => {
    expect(USUAL_LINES.length).toBeGreaterThanOrEqual(60);
  });

  it.each(USUAL_LINES)(
    "%s is %s; it covers %s and not what does more (T80, G33)",
    (line, rule, other, ...more) => {
      const offer = bench.decide(line).decision === "allow" ? undefined : bench.decide(line).offer();
      const widest = offer?.offered ? offer.choices.at(-1)?.rules : [`Bash(${rule})`];
      expect(widest).toEqual([`Bash(${rule})`]);
      expect([line, other].filter((one) => !isAllowed(one, rule))).toEqual([]);
      const around = [" > /etc/x", "; evil", " && evil", " | sh", " $(evil)", " `evil`", " $X", " <(evil)"];
      const wrapped = ["sudo ", "LD_PRELOAD=x ", "PATH=x ", "xargs ", "cd /elsewhere && "];
      const lines = [
        ...more,
        ...around.map((end) => line + end),
        ...wrapped.map((start) => start + line),
        "evil",
      ];
      expect(lines.filter((one) => isAllowed(one, rule))).toEqual([]);
    },
  );
});

describe("the rules at the beginning of the guide to permissions", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../../../docs/guide/permissions.md"), "utf8");
  const example = /<!-- executed: usual rules -->\s+```json\n(.*?)```/s.exec(guide)?.[1] ?? "";
  const { allow } = (JSON.parse(example) as { permissions: { allow: string[] } }).permissions;
  const decide = (line: string) => bench.decide(line, { allow }).decision;

  it("cover what the guide says, and each is in use (T25)", () => {
    const covered = [
      "pytest tests/test_b.py -k b",
      "python3 -m pytest -q 2>&1 | tail -5",
      "ruff format src",
      "yarn test src/b.test.ts",
      "npm run build -- --watch",
      "npx tsc --noEmit",
      "go test ./pkg -run TestB",
      "cargo test b",
      "./gradlew test --tests com.B",
      "mvn test -Dtest=B",
      "make test VERBOSE=1",
      "docker compose logs -f web",
      "git commit -am b",
    ];
    expect(covered.filter((line) => decide(line) !== "allow")).toEqual([]);
    expect(allow).toHaveLength(covered.length);
  });

  it.each([
    "pytest -p mod",
    "go test -exec x",
    "make -f x",
    "make test -f x",
    "cargo test --config x",
    "npm run build --prefix /elsewhere",
    "pytest ../other",
    "make test deploy",
    "mvn test deploy",
    "pytest > /etc/x",
    "pytest $(x)",
    "pytest; x",
  ])("do not cover %s (T25, G33)", (line) => {
    expect(decide(line)).toBe("ask");
  });
});

describe("the table of programs", () => {
  it("names each program once", () => {
    const names = PROGRAM_ROWS.flatMap((row) => row.names);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it.each(PROGRAM_ROWS.map((row) => [row.names[0] ?? "", row] as const))(
    "keeps a rule for %s from covering what its row refuses (G33)",
    (name, row) => {
      const given = { allow: [`Bash(${name}:*)`] };
      const unlisted = row.options ? ["--some-other-option"] : [];
      const lines = [...row.refuses, ...unlisted].map((option) => `${name} ${option} x`);
      if (!row.anything)
        expect(lines.filter((line) => bench.decide(line, given).decision === "allow")).toEqual([]);
      expect(
        row.refuses.length + (row.options?.length ?? 0) + (row.words === "inside" ? 1 : 0),
      ).toBeGreaterThan(0);
    },
  );
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readLine } from "wave-shell-reader";
import { factsOf } from "@/gate/callFacts.ts";
import { mayConcern } from "@/permissions/concern.ts";
import { parseRule } from "@/permissions/parseRule.ts";
import { builtInTools } from "@/tools/index.ts";
import { policyBench } from "../support/policyBench.ts";
import { ATTACKS } from "../../../shell-reader/tests/corpus/shellAttacks.ts";

const bench = policyBench();
writeFileSync(join(bench.project, ".envrc"), "");
afterAll(() => bench[Symbol.dispose]());

describe("of lines that run something from a place where nobody looks for it", () => {
  it.each(Object.entries(ATTACKS))("none is taken for reading in any mode: %s (G33, T25)", (_, lines) => {
    expect(lines.length).toBeGreaterThanOrEqual(5);
    const others = ["acceptEdits", "plan", "dontAsk"] as const;
    const silent = lines.filter((line, at) =>
      (["default", others[at % 3] ?? "plan"] as const).some(
        (mode) => bench.decide(line, { mode }).decision === "allow",
      ),
    );
    expect(silent).toEqual([]);
  });

  it.each(Object.entries(ATTACKS))(
    "none passes a rule that denies its program, or writes a protected file, where all else is allowed: %s (G1, G27, G33)",
    (_, lines) => {
      const deny = ["Bash(gamma:*)"];
      const silent = lines.filter(
        (line) =>
          bench.decide(line, { deny, allow: ["Bash"], mode: "bypassPermissions" }).decision === "allow",
      );
      expect(silent).toEqual([]);
    },
  );
});

describe("a hook that is about a program, or a file,", () => {
  const tool = builtInTools().find(({ name }) => name === "Bash");
  const isTold = (command: string, condition: string) => {
    const { touched, unclear } = factsOf(tool, { command }, bench.session).seen;
    const rule = parseRule(condition);
    if ("problem" in rule) throw new Error(rule.problem);
    const reading = readLine(command, { folder: bench.project, variables: {} });
    const told = { toolName: "Bash", reading, touched, isClear: unclear === undefined };
    return mayConcern({ rule, base: bench.project }, told, { home: bench.project });
  };
  it.each(Object.entries(ATTACKS))("is told of every line that hides it: %s (G1, T85)", (_, lines) => {
    const untold = lines.filter(
      (line) => !isTold(line, /envrc|\*rc/.test(line) ? "Edit(.envrc)" : "Bash(gamma:*)"),
    );
    expect(untold).toEqual([]);
  });
});

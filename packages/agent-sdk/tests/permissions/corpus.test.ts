import { afterAll, describe, expect, it } from "vitest";
import { policyBench } from "../support/policyBench.ts";
import { EVERYDAY, READING } from "./everydayCommands.ts";
import { HIDDEN_WRITES } from "./hiddenWrites.ts";
import { ALLOWED, BYPASSES } from "./shellBypasses.ts";

const bench = policyBench();
afterAll(() => bench[Symbol.dispose]());

const hidden = Object.entries(HIDDEN_WRITES);

describe("of the lines that try to pass an allow rule or to hide a protected write", () => {
  it("there are at least 500 (G33)", () => {
    const lines = [...Object.values(BYPASSES), ...hidden.map(([, all]) => all)].flat();
    expect(new Set(lines).size).toBeGreaterThanOrEqual(500);
  });

  it.each(Object.entries(BYPASSES))("none is allowed: %s (G33)", (_kind, lines) => {
    expect(lines.filter((line) => bench.decide(line, { allow: ALLOWED }).decision === "allow")).toEqual([]);
  });

  it.each(hidden)("none is allowed, although a rule allows every command: %s (G27, G33)", (_kind, lines) => {
    for (const mode of ["default", "bypassPermissions"] as const) {
      const silent = lines.filter(
        (line) => bench.decide(line, { allow: ["Bash"], mode }).decision === "allow",
      );
      expect(silent.map((line) => line.slice(0, 200))).toEqual([]);
    }
  });
});

describe("of everyday commands", () => {
  const lines = [...EVERYDAY, [[], READING] as const].flatMap(([allow, all]) =>
    all.map((line) => ({ allow, line })),
  );

  it("at least 300 are tried, and at most 5 % are asked about without need (G33)", () => {
    expect(new Set(lines.map(({ line }) => line)).size).toBeGreaterThanOrEqual(300);
    const asked = lines.filter(({ allow, line }) => bench.decide(line, { allow }).decision !== "allow");
    expect(asked.length / lines.length, asked.map(({ line }) => line).join("\n")).toBeLessThanOrEqual(0.05);
  });
});

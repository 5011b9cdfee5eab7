import { describe, expect, it } from "vitest";
import { covers, readLine } from "../../src/index.ts";
import type { Need } from "../../src/reading.ts";

const PLACE = { folder: "/p", variables: { HOME: "/h" } };

function coveredIn(line: string, patterns: readonly string[]) {
  const reading = readLine(line, PLACE);
  const covered = new Set<Need>(
    patterns.flatMap((pattern) => {
      const covering = covers(pattern, reading);
      return "problem" in covering ? [] : covering.surely();
    }),
  );
  return { reading, covered, all: reading.needs.length > 0 && covered.size === reading.needs.length };
}

describe("patterns that let through", () => {
  it.each([
    ["npm test", ["npm test:*"], true],
    ["npm test && ls", ["npm test:*"], false],
    ["npm test && ls", ["npm test:*", "ls"], true],
    ["nohup npm test", ["npm test:*"], true],
    ["nohup npm test", ["nohup:*"], false],
    ["nohup npm test", ["nohup npm:*"], true],
    ["sudo apt update", ["sudo:*"], false],
    ["sudo apt update", ["apt:*"], false],
    ["sudo apt update", ["sudo:*", "apt:*"], true],
    ["sudo apt update", ["sudo apt:*"], true],
    ["sudo nohup npm test", ["sudo:*", "npm test:*"], true],
    ["bash -c 'npm test; ls'", ["npm test:*"], false],
    ["bash -c 'npm test; ls'", ["npm test:*", "ls:*"], true],
    ["bash -c 'npm test > x'", ["npm test:*", "bash:*"], false],
    ["zsh -c 'npm test'", ["npm test:*"], false],
    ["zsh -c 'npm test'", ["npm test:*", "zsh:*"], true],
    ["git log --output=x", ["git log:*"], false],
    ["git log --output=x", ["git log --output:*", "git log --output=x"], true],
    ["echo a", ["*"], true],
  ] as const)(
    "cover every command of a line, also inside others: %j with %j is %j (G33)",
    (line, patterns, all) => {
      expect(coveredIn(line, patterns).all).toBe(all);
    },
  );
});

describe("a line of which patterns cover a part", () => {
  const rules = ["npm test:*", "make", "cd:*", "ln:*", "find:*", "ls:*"];
  const rows: [line: string, rest: "reads" | "edits" | "more" | undefined][] = [
    ["npm test && ls", "reads"],
    ["npm test a b 2>&1 >/dev/null | tail; make", "reads"],
    ["npm test > out.txt", "edits"],
    ["npm test && unknown-program", "more"],
    ["npm test | xargs cat", "more"],
    ["cat a && pwd", undefined],
    ["npm test *.ts && pwd", undefined],
    // Nothing of it is taken out, but somebody agreed to a part.
    ["cd src && pwd", "reads"],
    ["ln -s /etc e; cat e/passwd", "more"],
    // What find prints is used by a command that stays.
    ["find -L src -name x | xargs cat", "more"],
    ["find -L src -name x | head", "reads"],
    ["f() { npm test; }; f", undefined],
  ];
  it.each(rows)("says what the rest does: %j, %j (G33)", (line, wanted) => {
    const { reading, covered } = coveredIn(line, rules);
    const rest = reading.without(covered);
    const does =
      rest &&
      (rest.beyondReading === undefined ? "reads" : rest.beyondEditing === undefined ? "edits" : "more");
    expect(does).toBe(wanted);
  });
});

describe("a pattern", () => {
  it.each(["a; b", "a > b", "X=1 a", ":*", "'"])("that is no plain command is none: %j", (pattern) => {
    expect(covers(pattern, readLine("ls", PLACE))).toEqual({ problem: expect.any(String) });
  });
});

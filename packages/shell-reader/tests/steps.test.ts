import { describe, expect, it } from "vitest";
import { readLine } from "../src/index.ts";
import { readWithinSteps } from "../src/grammar/limits.ts";
import { pay, withinSteps } from "../src/steps.ts";

const read = (line: string) => JSON.stringify(readLine(line, { folder: "/p", variables: {} }));

/** Each grows with what stands in it; how often a part is looked at is counted. */
const NESTED: [what: string, line: (times: number) => string][] = [
  ["loops in loops", (n) => `${"for i in a; do ".repeat(n)}x=$x${"; done".repeat(n)}`],
  ["loops that move", (n) => `${"while cd a; do ".repeat(n)}cd b${"; done".repeat(n)}`],
  ["tests in loops", (n) => `${"until [[ a ]]; do ".repeat(n)}x=a$x${"; done".repeat(n)}`],
  [
    "functions that call each other twice",
    (n) => Array.from({ length: n }, (_, at) => `f${at}() { f${at - 1}; f${at - 1}; }`).join("; "),
  ],
  ["functions in functions", (n) => `${"f() { ".repeat(n)}x=1${"; }".repeat(n)}`],
  ["values that are doubled", (n) => `${"v=$v$v; ".repeat(n)}ls $v`],
  ["programs among words", (n) => `tmux ${"ls ".repeat(n)}`],
  ["branches", (n) => `${"if [[ a ]]; then cd a; else ".repeat(n)}cd b${"; fi".repeat(n)}`],
  ["redirections", (n) => `{ ls; } ${"< a ".repeat(n)}`],
  ["substitutions in substitutions", (n) => `echo ${"$(echo ".repeat(n)}a${")".repeat(n)}`],
  ["here-documents", (n) => `cat ${"<<E ".repeat(n)}\n${"$x\nE\n".repeat(n)}`],
  ["stars in loops", (n) => `${"for i in *; do cat $i; ".repeat(n)}:${"; done".repeat(n)}`],
];

describe("a line that grows", () => {
  it.each(NESTED)("is read, or is too much, and always the same: %s (G33)", (_, line) => {
    for (const times of [12, 60, 200, 600]) expect(read(line(times))).toBe(read(line(times)));
  });
});

describe("reading that takes too many steps", () => {
  const forEver = () => {
    for (;;) pay(1_000);
  };
  const why = { why: "it takes too many steps to read" };

  it("is given up, and what is read next has all its steps again (G33)", () => {
    expect(readWithinSteps(forEver)).toEqual(why);
    expect(readWithinSteps(() => 2)).toEqual({ value: 2 });
  });

  it("is the same inside of other such work, which pays for it (G33)", () => {
    let read = 0;
    const outer = withinSteps(25_000_000, () => {
      for (;;) {
        expect(readWithinSteps(forEver)).toEqual(why);
        read++;
      }
    });
    expect([outer, read]).toEqual([undefined, 2]);
  });

  it("says that the line may do anything (G33)", () => {
    // Each word is a hundred thousand letters long, and none of them stands on the line.
    const line = `a=${"x".repeat(120_000)}; cat ${"$a ".repeat(1_000)}`;
    expect(readLine(line, { folder: "/p", variables: {} })).toMatchObject({
      understood: "nothing",
      ...why,
      unclear: why.why,
      accesses: [{ access: "write", path: { known: undefined }, unread: why.why }],
    });
  });
});

/** Patterns that once looked at every letter as often as there are letters. */
const LETTERS: [what: string, line: string][] = [
  ["brackets that are never closed", `echo ${"*{".repeat(20_000)}`],
  ["old sums that are never closed", `echo ${"$[".repeat(20_000)}`],
  ["quotes between brackets", `echo ${'{"a b"'.repeat(5_000)}`],
  ["closed brackets in a text", `git commit -m "$(cat <<'E'\n${")".repeat(60_000)}\nE\n)"`],
  ["an index in an index", `x='${"a[".repeat(40_000)}'; ls`],
  ["a name behind an option", `read -${"r".repeat(60_000)}=`],
  ["a path of slashes", `cp a ${"/".repeat(60_000)}x/`],
  ["a version", `python${"1.".repeat(60_000)}x a.py`],
  ["line breaks at the end", `git commit -m "$(cat <<'E'\n${"\n".repeat(60_000)}x\nE\n)"`],
  ["a setting of git", `git -c ${"a.".repeat(50_000)}cmd status`],
  ["letters of an option", `tar -${"o".repeat(100_000)} x`],
];

describe("a line of one letter", () => {
  it.each(LETTERS)("%s is read, or is too much (G33)", (_, line) => {
    expect(read(line)).toBe(read(line));
  });
});

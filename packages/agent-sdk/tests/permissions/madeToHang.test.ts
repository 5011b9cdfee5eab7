import { beforeEach, describe, expect, it } from "vitest";
import { checkMatcher, compileMatcher } from "@/hooks/matcher.ts";
import { planHooks } from "@/hooks/plan.ts";
import { analyseCommand } from "@/permissions/analysis/analyse.ts";
import { readInTime } from "@/permissions/unreadable.ts";
import { withinTime } from "@/utils/withinTime.ts";
import { policyBench } from "../support/policyBench.ts";

/**
 * Each took from some seconds to minutes. How long a test waits is far beyond what they take now, and far below what they took
 * then: the machine may be busy.
 */
const PATIENCE_MS = 20_000;

const LINES: [what: string, line: string][] = [
  ["a sed program with brackets in its replacements", `sed 's/x/[/;${"s/a/[/;".repeat(7_500)}' f`],
  ["a variable that is doubled with every step", `a=xx; ${'a="$a$a"; '.repeat(60)}cat $a`],
  [
    "links to links to links",
    `${Array.from({ length: 500 }, (_, n) => `ln -s l${n} l${n + 1}`).join("; ")}; cat l500`,
  ],
  ["a path of thousands of names", `cat ${"a/".repeat(2_000)}`],
  ["a path that is longer than paths are", `cat ${"a/".repeat(30_000)}`],
  ["the home, again and again", `ls ${"~/".repeat(20_000)}`],
];

describe("a line that is made to hang", () => {
  it.each(LINES)(
    "%s is judged or asked about (G33)",
    (_what, line) => {
      using bench = policyBench();
      const given = { mode: "bypassPermissions", deny: ["Bash(rm:*)", "Read(./secret/**)"] } as const;
      expect(["ask", "allow"]).toContain(bench.decide(line, given).decision);
    },
    PATIENCE_MS,
  );
});

/** Each grows with what stands in it; how often a part is looked at is counted, so none of them needs a clock to be ended. */
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
  // Whatever was broken off before leaves less time, until Wave has listened again.
  beforeEach(() => new Promise((resolve) => setImmediate(resolve)));

  it.each(NESTED)("is read, or is too much, without a clock: %s (G33)", (_, line) => {
    for (const times of [12, 60, 200, 600]) {
      const { unclear } = analyseCommand(line(times), { folder: "/p", variables: {} });
      expect([times, unclear]).not.toEqual([times, "it takes too long to read"]);
    }
  });
});

describe("reading that does not end", () => {
  it("is broken off once, and the line counts as one that nobody can read", () => {
    let times = 0;
    const forEver = () => {
      times++;
      for (;;);
    };
    const why = { why: "it takes too long to read" };
    expect([readInTime("sleep 1", forEver), readInTime("sleep 1", forEver)]).toEqual([why, why]);
    expect(times).toBeLessThan(6);
    expect(analyseCommand("sleep 1", { folder: "/p", variables: {} }).unclear).toBe(why.why);
    expect(readInTime("sleep 2", () => 2)).toEqual({ value: 2 });
  });

  it("lets nobody believe that the line only reads, and rules that hold back ask about it", () => {
    using bench = policyBench();
    const line = "cat README.md";
    expect(bench.decide(line, { mode: "default", deny: ["Bash(rm:*)"] }).decision).toBe("allow");
    readInTime(line, () => {
      for (;;);
    });
    for (const given of [{ mode: "bypassPermissions" }, { mode: "default", allow: ["Bash(cat:*)"] }] as const)
      expect(bench.decide(line, { ...given, deny: ["Bash(rm:*)"] })).toMatchObject({
        decision: "ask",
        reason: expect.stringContaining("too long to read"),
      });
  });
});

const NAME = `mcp__${"a".repeat(60)}${"ab".repeat(60)}!`;
const MATCHERS = ["^(mcp__(a+)+)$", "^(\\w|a)+$", "^(a|b|ab|mcp__)*$", "^(?:.*_)*(?:a*)*$", "^([a-z]+_*)+$"];

describe("a matcher that is made to hang", () => {
  it.each(MATCHERS)(
    "%s matches, so that its hook is asked, and the start says so (G13)",
    (text) => {
      const hook = {
        event: "PreToolUse" as const,
        matcher: text,
        name: "guard",
        source: { scope: "user" as const, path: "hooks" },
        action: { type: "command" as const, command: "true" },
        timeoutMs: 1,
        onError: { timeout: "block", crash: "block", missing: "block", invalid: "block" } as const,
        passEnv: [],
      };
      expect(planHooks("PreToolUse", NAME, [hook], { knownTools: ["Bash"] }).run).toEqual([hook]);
      expect(checkMatcher(text, [NAME])).toContain("takes too long to compare");
    },
    PATIENCE_MS,
  );

  it("leaves the others as they are", () => {
    const matcher = compileMatcher("^(Bash|Edit)$");
    expect("test" in matcher && [matcher.test("Bash"), matcher.test("Bashful")]).toEqual([true, false]);
  });
});

describe("work within a time", () => {
  it("gives what it makes, throws what it throws, and ends in time also inside other such work", () => {
    expect(withinTime(10_000, () => ({ a: 1 }))).toEqual({ value: { a: 1 } });
    expect(() => withinTime(10_000, () => [].reduce((one) => one))).toThrow(TypeError);
    const forEver = () => {
      for (;;);
    };
    expect(withinTime(20_000, () => withinTime(5, forEver))).toEqual({ value: undefined });
    expect(withinTime(5, forEver)).toBeUndefined();
  });
});

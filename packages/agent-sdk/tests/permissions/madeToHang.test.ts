import { describe, expect, it } from "vitest";
import { checkMatcher, compileMatcher } from "@/hooks/matcher.ts";
import { planHooks } from "@/hooks/plan.ts";
import { understandRule } from "@/permissions/understandRule.ts";
import { withinTime } from "@/utils/withinTime.ts";
import { policyBench } from "../support/policyBench.ts";
import { commandAction } from "../support/actions.ts";

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

describe("reading that takes too many steps", () => {
  it("lets nobody believe that the line only reads, and rules that hold back ask about it", () => {
    using bench = policyBench();
    // Each word is a hundred thousand letters long, and none of them stands on the line.
    const line = `a=${"x".repeat(120_000)}; cat ${"$a ".repeat(1_000)}`;
    for (const given of [{ mode: "bypassPermissions" }, { mode: "default", allow: ["Bash(cat:*)"] }] as const)
      expect(bench.decide(line, { ...given, deny: ["Bash(rm:*)"] })).toMatchObject({
        decision: "ask",
        reason: expect.stringContaining("too many steps to read"),
      });
  });
});

const RULES: [what: string, rule: string][] = [
  ["braces in a path", `Read(${"{/".repeat(16_000)})`],
  ["folders at any depth", `Read(${"**/a/".repeat(6_000)})`],
  ["braces in a command", `Bash(${"{".repeat(32_000)})`],
  ["substitutions in substitutions", `Bash(echo ${"$(".repeat(12_000)})`],
];

describe("a rule that is made to hang", () => {
  it.each(RULES)("is read or asked about, and lines are judged by it: %s (G33)", (_, text) => {
    const { rule } = understandRule(text, "deny", ["Bash", "Read"]);
    expect(rule).toBeDefined();
    using bench = policyBench();
    const given = { mode: "default", [rule?.behavior ?? "deny"]: [rule?.rule ?? text] } as const;
    expect(["ask", "allow"]).toContain(bench.decide(`cat ${"a/".repeat(1_000)}`, given).decision);
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
        action: commandAction("true"),
        timeoutMs: 1,
        onError: { timeout: "block", crash: "block", missing: "block", invalid: "block" } as const,
        passEnv: [],
      };
      expect(planHooks("PreToolUse", NAME, [hook], { knownTools: ["Bash"] }).run).toEqual([hook]);
      expect(checkMatcher(text, [NAME])).toContain("takes too long to compare");
    },
    PATIENCE_MS,
  );

  it("leaves the others as they are", async () => {
    // Until Wave has listened again, what comes behind one that was broken off has less time.
    await new Promise((resolve) => setImmediate(resolve));
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

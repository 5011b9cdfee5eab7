import { describe, expect, it } from "vitest";
import { parseRule } from "@/permissions/parseRule.ts";
import { allowedByRules, readCall, ruleMatches } from "@/permissions/rules.ts";
import { CONTEXT, placed, runs } from "./rulesHelper.ts";

const touching = (toolName: string) => readCall({ toolName, effect: { does: "nothing" } });
const denies = (rule: string, tool: string) =>
  ruleMatches(placed(rule), touching(tool), CONTEXT) !== undefined;
const allows = (rule: string, tool: string) =>
  allowedByRules([placed(rule)], touching(tool), CONTEXT) !== undefined;

describe("a rule for a tool", () => {
  const rows: [rule: string, tool: string, deny: boolean, allow: boolean][] = [
    ["TodoWrite", "TodoWrite", true, true],
    ["TodoWrite", "TodoWriter", false, false],
    ["TodoWrite", "todowrite", false, false],
    ["*", "anything", true, true],
    ["mcp__x__y", "mcp__x__y", true, true],
    ["mcp__x__y", "mcp__x__yz", false, false],
    ["mcp__x__y", "mcp__x__y__z", false, false],
    ["mcp__x", "mcp__x__y", true, true],
    ["mcp__x", "mcp__xy__z", false, false],
    ["mcp__x", "mcp__x", false, false],
    ["mcp__a-b", "mcp__a-b__c", true, true],
    // Server a with a tool b__c, or server a__b with a tool c: only the strict side may guess.
    ["mcp__a", "mcp__a__b__c", true, false],
    ["mcp__x__*", "mcp__x__y", true, true],
    ["mcp__x__get_*", "mcp__x__get_all", true, true],
    ["mcp__x__get_*", "mcp__x__set_all", false, false],
    ["mcp__*__delete", "mcp__db__delete", true, true],
  ];
  it.each(rows)("%s and %s: deny %s, allow %s (G13)", (rule, tool, deny, allow) => {
    expect({ deny: denies(rule, tool), allow: allows(rule, tool) }).toEqual({ deny, allow });
  });

  const odd = [
    "toString",
    "constructor",
    "__proto__",
    "hasOwnProperty",
    "valueOf",
    "🌊",
    "é",
    "x".repeat(10_000),
  ];
  it.each(odd.map((name) => [name.slice(0, 20), name]))(
    "named %s behaves like any other (G35)",
    (_shown, name) => {
      expect([denies(name, name), allows(name, name)]).toEqual([true, true]);
      for (const other of ["Bash", "", "Read", ...odd.filter((text) => text !== name)]) {
        expect([denies(name, other), allows(name, other)], `${other.slice(0, 20)}`).toEqual([false, false]);
        expect(denies("Bash", name)).toBe(false);
      }
      const command = readCall({ toolName: "Bash", effect: runs(`${name} x`) });
      expect(allowedByRules([placed(`Bash(${name}:*)`)], command, CONTEXT)).toHaveLength(1);
      expect(allowedByRules([placed("Bash(ls:*)")], command, CONTEXT)).toBeUndefined();
      expect(ruleMatches(placed(`Bash(${name}:*)`), command, CONTEXT)).toBeDefined();
      expect(ruleMatches(placed("Bash(ls:*)"), command, CONTEXT)).toBeUndefined();
    },
  );
});

describe("a rule that cannot be used", () => {
  const rows: [text: string, says: string][] = [
    ["", "is not a tool name"],
    ["   ", "is not a tool name"],
    ["Bash(", "is not a tool name"],
    ["Bash(ls", "is not a tool name"],
    ["Bash ls", "is not a tool name"],
    ["(ls)", "is not a tool name"],
    ["Bash(ls) x", "is not a tool name"],
    ["Bash()", "has nothing in (…)"],
    ["Bash( )", "has nothing in (…)"],
    ["Bash(:*)", "names no command before the star"],
    ["bash(ls)", "did you mean Bash?"],
    ["read", "did you mean Read?"],
    ["WRITE(x)", "did you mean Write?"],
    ["Grep(src/**)", "only for Bash, Read, Edit, Write and WebFetch"],
    ["mcp__x__y(z)", "only for Bash, Read, Edit, Write and WebFetch"],
    ["Bash(a && b)", "one plain command"],
    ["Bash(a | b:*)", "one plain command"],
    ["Bash(a > b)", "one plain command"],
    ["Bash(A=b c)", "one plain command"],
    ["Bash(a 'b)", "one plain command"],
    ["Bash(a &)", "one plain command"],
    ["Bash((a))", "one plain command"],
    ["Read(!x)", "cannot be negated"],
    ["Read(~bob/x)", "only ~/ is known"],
    ["Read(x\0y)", "NUL byte"],
    ["Read({a/b,c})", "braces cannot hold a slash"],
    ["Read(*/../x)", "cannot follow a star"],
    ["Read(a*b*c*d*e)", "at most 3 stars"],
    [`Read(${"{a,aa}".repeat(30)})`, "at most 1000 names"],
    [`Edit(src/{${"{a,b},".repeat(12)}c}/x)`, "at most 1000 names"],
    [`Bash(${"x".repeat(40_000)})`, "longer than 32768 characters"],
  ];
  it.each(rows)("%j says why in one sentence (G10)", (text, says) => {
    const rule = parseRule(text);
    expect("problem" in rule ? rule.problem : rule).toContain(says);
    expect("problem" in rule && rule.problem.length).toBeLessThan(400);
  });
});

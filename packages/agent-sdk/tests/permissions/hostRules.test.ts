import { describe, expect, it } from "vitest";
import { matchRules, type RuleBehavior } from "@/permissions/matchRules.ts";
import { parseRule } from "@/permissions/parseRule.ts";

const context = { home: "/home/me", project: "/project" };

function speaks(text: string, behavior: RuleBehavior, host: string, toolName = "WebFetch"): boolean {
  const rule = parseRule(text);
  if ("problem" in rule) throw new Error(rule.problem);
  const placed = { rule, base: "/project", behavior, source: "file", managed: false };
  const final = { toolName, effect: { does: "reach" as const, hosts: [host] } };
  return matchRules([placed], { final }, context)[behavior].length > 0;
}

describe("a rule for a host", () => {
  it.each<[string, string, boolean, boolean]>([
    ["WebFetch(domain:example.com)", "example.com", true, true],
    ["WebFetch(domain:EXAMPLE.com.)", "example.com", true, true],
    ["WebFetch(domain:example.com)", "docs.example.com", false, true],
    ["WebFetch(domain:*.example.com)", "docs.example.com", true, true],
    ["WebFetch(domain:*.example.com)", "example.com", false, true],
    ["WebFetch(domain:example.com)", "notexample.com", false, false],
    ["WebFetch(domain:example.com)", "example.com.evil.test", false, false],
    ["WebFetch(domain:127.0.0.1)", "127.0.0.1", true, true],
    ["WebFetch(domain:[::1])", "::1", true, true],
    ["WebFetch", "anything.test", true, true],
  ])("%s, asked for %s: allows %s, denies %s (T129)", (rule, host, allows, denies) => {
    expect(speaks(rule, "allow", host)).toBe(allows);
    expect(speaks(rule, "deny", host)).toBe(denies);
  });

  it("allows no other tool that reaches the host, and denies every one (T129)", () => {
    expect(speaks("WebFetch(domain:example.com)", "allow", "example.com", "PostTicket")).toBe(false);
    expect(speaks("WebFetch(domain:example.com)", "deny", "example.com", "PostTicket")).toBe(true);
  });

  it.each([
    "WebFetch(example.com)",
    "WebFetch(domain:)",
    "WebFetch(domain:https://a.b)",
    "WebFetch(domain:a.b/c)",
    "WebFetch(domain:a*.b)",
    "WebFetch(domain:a b)",
  ])("%s is refused with a sentence that shows how to write it", (text) => {
    expect(parseRule(text)).toEqual({ problem: expect.stringContaining("write domain:example.com") });
  });
});

import { describe, expect, it } from "vitest";
import { rulesOnFiles, whyFiltered } from "@/permissions/searchFilter.ts";
import type { RuleBehavior, RuleInForce } from "@/permissions/matchRules.ts";
import { parseRule } from "@/permissions/parseRule.ts";

const context = { home: "/home/u" };

function rule(behavior: RuleBehavior, text: string): RuleInForce {
  const parsed = parseRule(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return { rule: parsed, base: "/p", behavior, source: "settings.json:3", managed: false };
}

function said(rules: RuleInForce[], root: string, file: string | string[]): string | undefined {
  const call = { toolName: "Grep", effect: { does: "read" as const, paths: [root] } };
  return whyFiltered(rulesOnFiles(rules, call, context), [file].flat(), context);
}

const denied = (text: string) => `rule ${text} in settings.json:3, which denies reading`;
const asked = (text: string) =>
  `rule ${text} in settings.json:3, which asks before reading; use Read on one file, and the question is asked`;

describe("a file that a search comes across", () => {
  const cases: [
    what: string,
    rules: RuleInForce[],
    root: string,
    file: string | string[],
    kept: string | undefined,
  ][] = [
    ["that a deny rule names", [rule("deny", "Read(./.env)")], "/p", "/p/.env", denied("Read(./.env)")],
    [
      "in a folder that is denied",
      [rule("deny", "Read(./secrets/**)")],
      "/p",
      "/p/secrets/a/k",
      denied("Read(./secrets/**)"),
    ],
    [
      "whose link leads into it",
      [rule("deny", "Read(./secrets/**)")],
      "/p",
      ["/p/x", "/p/secrets/k"],
      denied("Read(./secrets/**)"),
    ],
    ["that an ask rule names", [rule("ask", "Read(*.pem)")], "/p", "/p/a.pem", asked("Read(*.pem)")],
    [
      "that is asked about and denied",
      [rule("ask", "Read(*.pem)"), rule("deny", "Read(a.*)")],
      "/p",
      "/p/a.pem",
      denied("Read(a.*)"),
    ],
    [
      "of a folder about which the person has said yes",
      [rule("ask", "Read(./keys/**)")],
      "/p/keys",
      "/p/keys/a.pem",
      undefined,
    ],
    [
      "which one of two ask rules still speaks about",
      [rule("ask", "Read(./keys/**)"), rule("ask", "Read(*.pem)")],
      "/p/keys",
      "/p/keys/a.pem",
      asked("Read(*.pem)"),
    ],
    ["that only an Edit rule names", [rule("deny", "Edit(./.env)")], "/p", "/p/.env", undefined],
    ["that an allow rule names", [rule("allow", "Read(./.env)")], "/p", "/p/.env", undefined],
    ["that no rule names", [rule("deny", "Read(./.env)")], "/p", "/p/.env.example", undefined],
  ];
  it.each(cases)("%s (G32)", (_, rules, root, file, kept) => {
    expect(said(rules, root, file)).toBe(kept);
  });
});

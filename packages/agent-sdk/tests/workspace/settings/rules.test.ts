import { describe, expect, it } from "vitest";
import { decidePermission } from "@/permissions/decide.ts";
import { matchRules } from "@/permissions/matchRules.ts";
import { runs } from "../../permissions/rulesHelper.ts";
import { parseRule } from "@/permissions/parseRule.ts";
import { understandRule, type UnderstoodRule } from "@/permissions/understandRule.ts";
import { SettingsFiles, settingsOf } from "../../support/settingsFiles.ts";

const TOOLS = ["Bash", "Read", "Edit", "Write", "Grep", "Glob", "LS", "TodoWrite"];

describe("a deny or ask rule that is not written as Wave reads it", () => {
  const asks = (tool: string): Pick<UnderstoodRule, "rule">["rule"] => ({ rule: tool, behavior: "ask" });
  const rows: [text: string, counts: UnderstoodRule["rule"], severity: string, message: RegExp][] = [
    [
      "Bash(rm",
      asks("Bash"),
      "error",
      /is not a tool name.*; until you fix it, Wave asks before every Bash call$/,
    ],
    ["Bash()", asks("Bash"), "error", /has nothing in \(…\).*every Bash call/],
    ["Bash ls", asks("Bash"), "error", /every Bash call/],
    ["Bash(a && b)", asks("Bash"), "error", /one plain command.*every Bash call/],
    ["Read(", asks("Read"), "error", /every Read call/],
    ["Read(!x)", asks("Read"), "error", /cannot be negated.*every Read call/],
    ["Grep(src)", asks("Grep"), "error", /only for Bash, Read, Edit, Write and WebFetch.*every Grep call/],
    ["bash(rm", asks("Bash"), "error", /every Bash call/],
    ["mcp__a__b(x)", asks("mcp__a__b"), "error", /every mcp__a__b call/],
    [
      "bash(rm:*)",
      { rule: "Bash(rm:*)", behavior: "deny" },
      "warning",
      /is read as "Bash\(rm:\*\)"; write it that way$/,
    ],
    ["READ(./x)", { rule: "Read(./x)", behavior: "deny" }, "warning", /is read as "Read\(\.\/x\)"/],
    ["grep", { rule: "Grep", behavior: "deny" }, "warning", /is read as "Grep"/],
    [
      "Bsh(rm:*)",
      asks("Bash"),
      "warning",
      /\(did you mean Bash\?\); until you fix it, Wave asks before every Bash call/,
    ],
    ["Wirte", asks("Write"), "warning", /did you mean Write\?/],
    ["Bash[touch:*]", asks("Bash"), "error", /is not a tool name.*every Bash call/],
    ["Bash:touch", asks("Bash"), "error", /every Bash call/],
    ["Bash{touch}", asks("Bash"), "error", /every Bash call/],
    ["bash[touch]", asks("Bash"), "error", /every Bash call/],
    ["Edit/x", asks("Edit"), "error", /every Edit call/],
    ["touch", asks("Bash"), "error", /there is no tool "touch"; the tools are Bash, .*Bash\(touch:\*\)/],
    [
      "touch *",
      asks("Bash"),
      "error",
      /for a shell command write Bash\(touch:\*\); until .* every Bash call/,
    ],
    ["touch(x)", asks("Bash"), "error", /there is no tool "touch"/],
    ["rm -rf /", asks("Bash"), "error", /Bash\(rm:\*\)/],
    ["head *", asks("Bash"), "error", /Bash\(head:\*\)/],
    ["git*", asks("Bash"), "error", /there is no tool "git\*".*Bash\(touch:\*\)/],
    ["/bin/rm", asks("Bash"), "error", /Bash\(\/bin\/rm:\*\)/],
    [
      "Shell(touch:*)",
      { rule: "Bash(touch:*)", behavior: "deny" },
      "warning",
      /is read as "Bash\(touch:\*\)"/,
    ],
    ["run_shell_command", { rule: "Bash", behavior: "deny" }, "warning", /is read as "Bash"/],
    ["terminal[x]", asks("Bash"), "error", /every Bash call/],
    ["read_file(./x)", { rule: "Read(./x)", behavior: "deny" }, "warning", /is read as "Read/],
    ["write_file", { rule: "Write", behavior: "deny" }, "warning", /is read as "Write"/],
    ["replace", { rule: "Edit", behavior: "deny" }, "warning", /is read as "Edit"/],
    [
      "WebSearch",
      { rule: "WebSearch", behavior: "deny" },
      "warning",
      /there is no tool "WebSearch"; the tools/,
    ],
    ["WebSearch(x)", asks("WebSearch"), "warning", /there is no tool "WebSearch"/],
    ["[Bash]", undefined, "error", /it is ignored until you fix it/],
    ["(rm)", undefined, "error", /it is ignored until you fix it/],
  ];
  it.each(rows)(
    "%s still holds back as far as its tool can be told (G10, G11)",
    (text, counts, severity, message) => {
      const understood = understandRule(text, "deny", TOOLS);
      expect(understood.rule).toEqual(counts?.behavior === "ask" ? { ...counts, unread: text } : counts);
      expect(understood.said).toEqual({ severity, message: expect.stringMatching(message) });
      expect(understandRule(text, "ask", TOOLS).rule).toEqual(
        understood.rule && { ...understood.rule, behavior: "ask" },
      );
    },
  );

  it.each(["Bash(rm:*)", "Bash", "mcp__bash", "mcp__*", "mcp__a.b__c", "Ba*", "*", "*__write"])(
    "%s is taken as it is: it names a tool, or may name one of a server",
    (text) => {
      expect(understandRule(text, "deny", TOOLS)).toEqual({
        rule: { rule: text, behavior: "deny" },
        said: undefined,
      });
    },
  );

  it.each(["Bash(rm", "bash(ls)", "Read(!x)", "Bash[ls]"])(
    "%s allows nothing where it stands under allow (G10)",
    (text) => {
      expect(understandRule(text, "allow", TOOLS)).toEqual({
        rule: undefined,
        said: {
          severity: "warning",
          message: expect.stringMatching(/; it is ignored until you fix it$/),
        },
      });
    },
  );

  it("is reported with its place, and the other rules count (G10)", () => {
    using files = new SettingsFiles();
    const { problems, permissions } = files
      .write("project", {
        permissions: { allow: ["Read(!x)"], ask: ["Bash"], deny: ["Read(!x)", "Read(x)"] },
      })
      .load();
    const file = files.files.project;
    const message = expect.stringMatching(/a path cannot be negated/);
    expect(problems).toEqual([
      { severity: "warning", file, line: 4, path: "permissions.allow[0]", message },
      { severity: "error", file, line: 10, path: "permissions.deny[0]", message },
    ]);
    expect(permissions.rules).toMatchObject([
      { rule: "Bash", behavior: "ask" },
      { rule: "Read", behavior: "ask", unread: "Read(!x)", line: 10 },
      { rule: "Read(x)", behavior: "deny" },
    ]);
  });

  it("asks in a mode that asks about nothing, and says why (G11)", () => {
    const rule = parseRule("Bash");
    if ("problem" in rule) throw new Error(rule.problem);
    const effect = runs("ls");
    const rules = matchRules(
      [
        {
          rule: { ...rule, text: "Bash(rm" },
          unread: true,
          base: "/",
          behavior: "ask",
          source: "f:4",
          managed: false,
        },
      ],
      { final: { toolName: "Bash", effect } },
      { home: "/" },
    );
    const hook = { decision: "none", reasons: [], names: [], labels: [] } as const;
    expect(
      decidePermission({
        hook,
        rules,
        mode: "bypassPermissions",
        origin: "model",
        effect,
        unreviewed: [],
        reviewWays: "",
        insideProject: true,
        protectedHits: [],
      }),
    ).toMatchObject({
      decision: "ask",
      reason:
        "Rule Bash(rm in f:4 asks before this call: it cannot be read, so all that it may be about is asked; it is about Bash.",
    });
  });
});

describe("names in settings that are there twice", () => {
  it("add up where they guard: permissions, allow, ask, deny, an event and hooks (G10)", () => {
    const entry = (name: string) => `{"type": "command", "command": "${name}"}`;
    const { hooks, permissions, problems } = settingsOf(`{
      "permissions": {"deny": ["Bash(a)"], "deny": ["Bash(b)"], "defaultMode": "default"},
      "permissions": {"deny": ["Bash(c)"], "defaultMode": "plan"},
      "hooks": {"Stop": [{"hooks": [${entry("1")}], "hooks": [${entry("2")}]}], "Stop": [{"hooks": [${entry("3")}]}]}
    }`);
    expect(permissions.rules.map(({ rule }) => rule)).toEqual(["Bash(a)", "Bash(b)", "Bash(c)"]);
    expect(permissions.defaultMode).toBe("plan");
    expect(hooks.map(({ name }) => name)).toEqual(["1", "2", "3"]);
    expect(problems.map(({ line, message }) => [line, message])).toEqual([
      [2, '"deny" is here a second time after line 2; both count'],
      [3, '"permissions" is here a second time after line 2; both count'],
      [4, '"hooks" is here a second time after line 4; both count'],
      [4, '"Stop" is here a second time after line 4; both count'],
      [3, 'there is more than one "permissions" with a defaultMode; only the last one counts'],
    ]);
  });
});

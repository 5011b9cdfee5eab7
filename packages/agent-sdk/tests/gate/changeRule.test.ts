import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { RuleError } from "@/errors.ts";
import type { RuleAt } from "@/permissions/ruleList.ts";
import { loadSession } from "@/services/session.ts";
import { deniedCalls, ruleUse } from "@/permissions/ruleList.ts";
import { bash, RuleProject } from "../support/ruleProject.ts";

function write(file: string, permissions: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ permissions }));
}

const permissionsIn = (file: string): unknown =>
  (JSON.parse(readFileSync(file, "utf8")) as { permissions: unknown }).permissions;

describe("the list of rules", () => {
  it("names the file of each, what waits for an approval, and what cannot be changed here", async () => {
    await using project = new RuleProject();
    const user = join(project.home, "settings.json");
    write(project.managed, { deny: ["Bash(curl:*)"] });
    write(user, { ask: ["Bash(git push:*)"] });
    write(project.local, { allow: ["Bash(make:*)"] });
    const agent = await project.open({ permissions: { allow: ["Bash(ls:*)"] } });
    await agent.allowRule("Bash(touch:*)", "session");
    expect(agent.rules).toMatchObject(
      [
        { rule: "Bash(curl:*)", behavior: "deny", file: project.managed, fixed: /managed/ },
        { rule: "Bash(git push:*)", behavior: "ask", file: user, state: "active" },
        { rule: "Bash(ls:*)", scope: "sdk", fixed: /given for this run/ },
        { rule: "Bash(touch:*)", scope: "session" },
        { rule: "Bash(make:*)", file: project.local, state: "not approved" },
      ].map(({ fixed, ...rest }) => (fixed ? { ...rest, fixed: expect.stringMatching(fixed) } : rest)),
    );
  });
});

describe("a rule that is changed while Wave runs", () => {
  it("counts at once and in the next session: added, edited, moved, removed (T80)", async () => {
    await using project = new RuleProject();
    const user = join(project.home, "settings.json");
    const agent = await project.open();
    const local: RuleAt = { rule: "Bash(touch:*)", behavior: "allow", file: project.local };
    await agent.changeRule({ to: local });
    expect(await bash(agent, "touch one")).toMatchObject({ success: true });

    const edited: RuleAt = { ...local, rule: "Bash(touch two)" };
    await agent.changeRule({ from: local, to: edited });
    expect(await bash(agent, "touch one")).toMatchObject({ success: false });
    expect(await bash(agent, "touch two")).toMatchObject({ success: true });
    expect(permissionsIn(project.local)).toEqual({ allow: ["Bash(touch two)"] });

    const moved: RuleAt = { ...edited, file: user };
    await agent.changeRule({ from: edited, to: moved });
    expect([permissionsIn(project.local), permissionsIn(user)]).toEqual([
      { allow: [] },
      { allow: ["Bash(touch two)"] },
    ]);
    await agent.destroy();
    const next = await project.open();
    expect(await bash(next, "touch two")).toMatchObject({ success: true });

    await next.changeRule({ from: moved, to: { ...moved, behavior: "deny" } });
    expect(await bash(next, "touch two")).toMatchObject({ success: false });
    await next.changeRule({ from: { ...moved, behavior: "deny" } });
    expect(next.rules).toEqual([]);
    expect(permissionsIn(user)).toEqual({ allow: [], deny: [] });
  });

  it("is taken from a session, also when that is resumed", async () => {
    await using project = new RuleProject();
    const agent = await project.open();
    await agent.allowRule("Bash(touch:*)", "session");
    await agent.changeRule({ from: { rule: "Bash(touch:*)", behavior: "allow", file: "session" } });
    expect(await bash(agent, "touch one")).toMatchObject({ success: false });
    await agent.destroy();
    const again = await project.open({ resume: agent.sessionId });
    expect(again.rules).toEqual([]);
  });

  it.each<[what: string, change: (managed: string, local: string) => object, words: string]>([
    [
      "of managed settings",
      (file) => ({ from: at("Bash(curl:*)", file) }),
      "cannot be changed: it is a managed rule",
    ],
    ["into managed settings", (file) => ({ to: at("Bash(ls)", file) }), "it is a managed rule"],
    ["that is not there", (_, file) => ({ from: at("Bash(ls)", file) }), "There is no deny rule Bash(ls) in"],
    [
      "into a file that is not read",
      () => ({ to: at("Bash(ls)", "/x.json") }),
      "Rules are not read from /x.json",
    ],
    ["that cannot be read", (_, file) => ({ to: at("Bash(ls", file) }), "is not a tool name"],
  ])("is refused with a sentence: %s", async (_what, change, words) => {
    await using project = new RuleProject();
    write(project.managed, { deny: ["Bash(curl:*)"] });
    const agent = await project.open();
    const changed = agent.changeRule(change(project.managed, project.local));
    await expect(changed).rejects.toThrow(RuleError);
    await expect(changed).rejects.toThrow(words);
    expect(permissionsIn(project.managed)).toEqual({ deny: ["Bash(curl:*)"] });
  });
});

const at = (rule: string, file: string): RuleAt => ({ rule, behavior: "deny", file });

describe("what rules did lately", () => {
  it("is told by the decisions of sessions: how often each matched, and what was denied", async () => {
    await using project = new RuleProject();
    write(project.managed, { deny: ["Bash(curl:*)"] });
    const agent = await project.open();
    await agent.allowRule("Bash(touch:*)", "project");
    await bash(agent, "touch one");
    await bash(agent, "touch two");
    await bash(agent, "curl x");
    await agent.destroy();
    const { decisions = [] } = (await loadSession(agent.sessionFile, { decisions: true })) ?? {};
    const used = agent.rules.map((rule) => {
      const { times, last } = ruleUse(rule, decisions);
      return [rule.rule, times, last?.decision.inputPreview];
    });
    expect(used).toEqual([
      ["Bash(curl:*)", 1, '{"command":"curl x"}'],
      ["Bash(touch:*)", 2, '{"command":"touch two"}'],
    ]);
    expect(deniedCalls(decisions)).toMatchObject([{ decidedBy: "rule Bash(curl:*)" }]);
  });
});

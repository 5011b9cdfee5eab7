import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import { RuleError } from "@/errors.ts";
import type { RuleScope } from "@/permissions/request.ts";
import { loadSession } from "@/services/session.ts";
import { bash, RuleProject } from "../support/ruleProject.ts";

describe("allow with a rule", () => {
  it("for the project is in its settings before the call runs, and spares the next identical call the question (T80)", async () => {
    await using project = new RuleProject();
    const agent = await project.open({ keep: "project" });
    // The call itself looks at the file.
    const command = "cp .wave/settings.local.json seen.json";
    expect(await bash(agent, command)).toMatchObject({ success: true });
    expect(project.asked).toMatchObject([
      { rule: { offered: true, choices: [{ rules: [`Bash(${command})`] }], file: project.local } },
    ]);
    const seen: unknown = JSON.parse(readFileSync(join(project.dir, "seen.json"), "utf8"));
    expect(seen).toEqual({ permissions: { allow: [`Bash(${command})`] } });
    expect(await bash(agent, command)).toMatchObject({ success: true });
    expect(project.asked).toHaveLength(1);
  });

  it("for the session is in its file before the call runs, and spares the next identical call the question (T80)", async () => {
    await using project = new RuleProject();
    const agent = await project.open({ keep: "session" });
    const command = `cp ${agent.sessionFile} seen.jsonl`;
    expect(await bash(agent, command)).toMatchObject({ success: true });
    const records = readFileSync(join(project.dir, "seen.jsonl"), "utf8").trim().split("\n");
    expect(records.map((line): unknown => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ type: "rule_added", rule: `Bash(${command})`, scope: "session" }),
    );
    expect(await bash(agent, command)).toMatchObject({ success: true });
    expect(project.asked).toHaveLength(1);
    expect(readdirSync(project.dir)).not.toContain(".wave");
  });

  it("covers no other call than what was shown (T80)", async () => {
    await using project = new RuleProject();
    const agent = await project.open({ keep: "session" });
    await bash(agent, "touch one");
    await bash(agent, "touch two");
    await bash(agent, "touch one two");
    await bash(agent, "touch one; touch three");
    expect(project.asked.map(({ input }) => input["command"])).toEqual([
      "touch one",
      "touch two",
      "touch one two",
      "touch one; touch three",
    ]);
    expect(project.asked.at(-1)?.rule).toMatchObject({ choices: [{ rules: ["Bash(touch three)"] }] });
  });

  it("for the project holds after a restart, and in the decision record (T80)", async () => {
    await using project = new RuleProject();
    const first = await project.open({ keep: "project" });
    await bash(first, "touch one");
    await first.destroy();
    const second = await project.open();
    expect(await bash(second, "touch one")).toMatchObject({ success: true });
    expect(project.asked).toHaveLength(1);
    await second.destroy();
    const { decisions } = (await loadSession(second.sessionFile, { decisions: true })) ?? {};
    expect(decisions?.find(({ event }) => event === "PreToolUse")).toMatchObject({
      decidedBy: "rule Bash(touch one)",
      rules: [{ rule: "Bash(touch one)", behavior: "allow", source: expect.stringContaining(project.local) }],
    });
  });

  it("for the session holds when it is resumed or forked, and in no other session (T80)", async () => {
    await using project = new RuleProject();
    const first = await project.open({ keep: "session" });
    await bash(first, "touch one");
    await first.destroy();
    const other = await project.open();
    expect(await bash(other, "touch one")).toMatchObject({ success: false });
    expect(project.asked).toHaveLength(2);
    const fork = await project.open({ resume: first.sessionId, fork: true });
    expect(await bash(fork, "touch one")).toMatchObject({ success: true });
    await fork.destroy();
    for (const resume of [first.sessionId, fork.sessionId]) {
      const again = await project.open({ resume });
      expect(await bash(again, "touch one")).toMatchObject({ success: true });
      await again.destroy();
    }
    expect(project.asked).toHaveLength(2);
  });

  it.each<[string, { managed?: object; options?: AgentOptions; mode?: "plan" | "dontAsk" }, "ask" | "deny"]>([
    ["a managed deny", { managed: { permissions: { deny: ["Bash(touch:*)"] } } }, "deny"],
    ["a deny rule", { options: { permissions: { deny: ["Bash(touch:*)"] } } }, "deny"],
    ["a deny rule in another case", { options: { permissions: { deny: ["bash(touch:*)"] } } }, "deny"],
    ["a deny rule that cannot be read", { managed: { permissions: { deny: ["Bash(rm"] } } }, "ask"],
    ["a deny rule with a typing mistake", { managed: { permissions: { deny: ["Bsh(rm:*)"] } } }, "ask"],
    ["a deny rule with other brackets", { managed: { permissions: { deny: ["Bash[touch:*]"] } } }, "ask"],
    ["a deny rule that is a command", { managed: { permissions: { deny: ["touch *"] } } }, "ask"],
    ["a deny rule of another agent", { options: { permissions: { deny: ["Shell(touch:*)"] } } }, "deny"],
    ["an ask rule", { options: { permissions: { ask: ["Bash(touch:*)"] } } }, "ask"],
    ["plan mode", { mode: "plan" }, "deny"],
    [
      "a hook that asks",
      {
        options: {
          hooks: {
            PreToolUse: [
              {
                hooks: [
                  {
                    type: "function",
                    run: () => ({
                      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" },
                    }),
                  },
                ],
              },
            ],
          },
        },
      },
      "ask",
    ],
  ])("does not lift %s (T25, T34, G11)", async (_what, { managed, options, mode }, expected) => {
    await using project = new RuleProject();
    if (managed) writeFileSync(project.managed, JSON.stringify(managed));
    const agent = await project.open(options);
    await agent.allowRule("Bash(touch one)", "session");
    await agent.allowRule("Bash", "project");
    if (mode) agent.permissionMode = mode;
    expect(await bash(agent, "touch one")).toMatchObject({ success: false });
    expect(project.asked).toHaveLength(expected === "ask" ? 1 : 0);
    if (expected === "ask") expect(project.asked[0]?.rule.offered).toBe(false);
  });

  it("also helps in a mode that asks nobody", async () => {
    await using project = new RuleProject();
    const agent = await project.open({ permissionMode: "dontAsk" });
    expect(await bash(agent, "touch one")).toMatchObject({ success: false });
    await agent.allowRule("Bash(touch one)", "session");
    expect(await bash(agent, "touch one")).toMatchObject({ success: true });
  });

  it("offers none for a path that leads through a link, because one rule names one path (T80)", async () => {
    await using project = new RuleProject();
    const agent = await project.open({ keep: "session" });
    symlinkSync("real.txt", join(project.dir, "link.txt"));
    const write = (file_path: string) =>
      agent.sendMessage(JSON.stringify({ call: { name: "Write", arguments: { file_path, content: "x" } } }));
    await write("new.txt");
    await write("new.txt");
    await write("link.txt");
    expect(
      project.asked.map(({ rule }) => (rule.offered ? rule.choices[0]?.rules.join() : rule.why)),
    ).toEqual(["Edit(./new.txt)", "no single rule covers it"]);
  });
});

describe("a rule that cannot be kept", () => {
  it.each([
    ["is not one", "Bash(", "session", /^The rule "Bash\(" is not a tool name/],
    ["is for nothing", "Bash()", "project", /has nothing in/],
  ])(
    "because it %s is refused in one sentence, and nothing is written (T80)",
    async (_why, rule, scope, words) => {
      await using project = new RuleProject();
      const agent = await project.open();
      // What a program that no compiler checked might pass.
      const kept = agent.allowRule(rule, scope as RuleScope);
      await expect(kept).rejects.toThrow(RuleError);
      await expect(kept).rejects.toThrow(words);
      expect(readdirSync(project.dir)).toEqual([".git"]);
    },
  );

  it("because its file is broken leaves the file alone, allows nothing, and says where (T52, T80)", async () => {
    await using project = new RuleProject();
    const agent = await project.open({ keep: "project" });
    mkdirSync(join(project.dir, ".wave"));
    writeFileSync(project.local, '{\n  "permissions": {\n    "allow": ["Read"],,\n  }\n}');
    const before = readFileSync(project.local, "utf8");
    const { success, result } = await bash(agent, "touch one");
    expect(success).toBe(false);
    expect(result).toContain(`The rule Bash(touch one) was not kept: ${project.local}:3:`);
    expect(result).toContain("there is one comma too many");
    expect(readFileSync(project.local, "utf8")).toBe(before);
    expect(readdirSync(project.dir)).not.toContain("one");
    await bash(agent, "touch one");
    expect(project.asked).toHaveLength(2);
  });

  it("because the agent is gone is an error", async () => {
    await using project = new RuleProject();
    const agent = await project.open();
    await agent.destroy();
    await expect(agent.allowRule("Bash(ls)", "session")).rejects.toThrow(/was destroyed/);
  });
});

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import { approveProject, readProjectTrust } from "@/workspace/trust/trust.ts";
import { blocksOf } from "../../support/playSession.ts";
import { liveAgent } from "../../support/liveAgent.ts";
import { tempFolder } from "../../support/tempFolder.ts";

const DEPLOY =
  "---\ndescription: Ships it\nargument-hint: environment\n---\nShip to $1.\nLast commit: !`echo abc123`";

function stageIn(folder: string) {
  const [projectDir, home] = [join(folder, "project"), join(folder, "home")];
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  mkdirSync(projectDir, { recursive: true });
  return {
    write,
    look: () => readProjectTrust({ home, projectDir, hooks: [], rules: [], ofProject: [] }),
    approve() {
      return approveProject(home, this.look(), new Date(0));
    },
    open: (
      options: AgentOptions = {},
      scenario = [{ say: "ok" }, { say: "ok" }] as Parameters<typeof liveAgent>[1],
    ) =>
      liveAgent(folder, scenario, {
        options: { trust: "store", env: { PATH: process.env["PATH"] ?? "" }, ...options },
      }),
  };
}

describe("commands in files", () => {
  it("of a project are offered in the form that somebody approved and in no other (T37, T40, G18)", async () => {
    using folder = tempFolder();
    const stage = stageIn(folder.path);
    stage.write("project/.wave/commands/deploy.md", DEPLOY);
    stage.write("project/.claude/commands/git/amend.md", "Amend the last commit.");
    stage.write("home/commands/mine.md", "Do what I always do.");
    {
      await using session = await stage.open();
      expect(session.agent.commands.list.map(({ name, scope }) => [name, scope])).toEqual([["mine", "user"]]);
      expect(session.events).toContainEqual(
        expect.objectContaining({
          type: "notice",
          text: expect.stringMatching(
            /^not offered, .*: \.wave\/commands\/deploy\.md, \.claude\/commands\/git\/amend\.md; /,
          ),
        }),
      );
    }
    await stage.approve();
    {
      await using session = await stage.open();
      expect(session.agent.commands.list).toMatchObject([
        { name: "mine", scope: "user", description: "Do what I always do." },
        { name: "deploy", scope: "project", description: "Ships it", argumentHint: "environment" },
        { name: "git:amend", scope: "project" },
      ]);
    }
    stage.write("project/.wave/commands/deploy.md", `${DEPLOY} !\`rm -rf /\``);
    expect(stage.look().items.map(({ state }) => state)).toEqual(["changed", "reviewed"]);
    await using session = await stage.open();
    expect(session.agent.commands.list.map(({ name }) => name)).toEqual(["mine", "git:amend"]);
  });

  it("run their command lines through the gate, and become the prompt (T13, T16)", async () => {
    using folder = tempFolder();
    const stage = stageIn(folder.path);
    stage.write("home/commands/deploy.md", DEPLOY);
    const seen: unknown[] = [];
    await using session = await stage.open({
      hooks: {
        PreToolUse: [
          { hooks: [{ type: "function", run: (input) => void seen.push([input.tool_name, input.source]) }] },
        ],
      },
    });
    const made = await session.agent.commands.expand("deploy", "staging");
    expect(made).toEqual({
      expanded: true,
      prompt: "/deploy staging\n\nShip to staging.\nLast commit: [the output of echo abc123 stands above]",
    });
    // Nobody typed that line: it has no yes of a person's.
    expect(seen).toEqual([["Bash", undefined]]);
    expect(blocksOf(session.agent.messages, "tool")).toMatchObject([{ name: "Bash", result: "abc123" }]);
  });

  it("whose command line is denied say so to the model, and one that a hook ends is not sent (T13)", async () => {
    using folder = tempFolder();
    const stage = stageIn(folder.path);
    stage.write("home/commands/deploy.md", DEPLOY);
    {
      await using session = await stage.open({ permissions: { deny: ["Bash(echo:*)"] } });
      const made = await session.agent.commands.expand("deploy", "x");
      expect(made).toMatchObject({
        expanded: true,
        prompt: expect.stringContaining("[echo abc123 did not run: "),
      });
    }
    await using session = await stage.open({
      hooks: {
        PreToolUse: [
          { hooks: [{ type: "function", run: () => ({ continue: false, stopReason: "enough" }) }] },
        ],
      },
    });
    expect(await session.agent.commands.expand("deploy", "x")).toMatchObject({ expanded: false });
    expect(await session.agent.commands.expand("nothing")).toEqual({
      expanded: false,
      problem: "There is no command /nothing.",
    });
  });

  it("are asked about in default mode like a call of the model's, although a person typed the name (T25)", async () => {
    using folder = tempFolder();
    const stage = stageIn(folder.path);
    stage.write("home/commands/touch.md", "Now: !`touch made`");
    const asked: string[] = [];
    await using session = await stage.open({
      permissionMode: "default",
      onPermissionRequest: ({ toolName, origin }) => {
        asked.push(`${toolName} ${origin}`);
        return { decision: "deny" };
      },
    });
    await session.agent.commands.expand("touch");
    expect(asked).toEqual(["Bash model"]);
  });
});

describe("skills", () => {
  it("are one tool that gives the model their text, after a yes for those of a project (T37, T16)", async () => {
    using folder = tempFolder();
    const stage = stageIn(folder.path);
    stage.write(
      "project/.claude/skills/pdf/SKILL.md",
      "---\nname: pdf-forms\ndescription: Fills forms\n---\nUse fill.py.",
    );
    symlinkSync("/etc", join(folder.path, "project/.claude/skills/etc"));
    const scenario = [{ call: { name: "Skill", arguments: { skill: "pdf-forms" } } }, { say: "ok" }];
    {
      await using session = await stage.open({}, scenario);
      await session.agent.sendMessage("go");
      expect(session.model.requests[0]?.text).not.toContain('"Skill"');
      expect(blocksOf(session.agent.messages, "tool")[0]?.result).toContain("There is no tool named Skill");
    }
    await stage.approve();
    await using session = await stage.open({}, scenario);
    await session.agent.sendMessage("go");
    expect(session.model.requests[0]?.text).toContain("pdf-forms: Fills forms");
    expect(blocksOf(session.agent.messages, "tool")[0]?.result).toMatch(
      /^Skill pdf-forms, .*\n\nUse fill\.py\.$/s,
    );
  });
});

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import { loadSettings } from "@/workspace/settings/settings.ts";
import { approveProject, readProjectTrust } from "@/workspace/trust/trust.ts";
import { liveAgent } from "../../support/liveAgent.ts";
import { tempFolder } from "../../support/tempFolder.ts";

const says = (word: string) => `#!/bin/sh\n. "$(dirname "$0")/lib.sh"\necho '${word}' >&2\nexit 2\n`;

/** A project with a guard that refuses every command with a word, and an agent that believes only what was approved. */
async function guarded(options: { approved: boolean } & Pick<AgentOptions, "trust" | "reviewCommand">) {
  const folder = tempFolder();
  const project = join(folder.path, "project");
  const home = join(folder.path, "home");
  const put = (path: string, text: string) => {
    const file = join(folder.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, 0o755);
  };
  const guard = (rest: object = {}) => ({ type: "command", name: "guard", command: "./guard.sh", ...rest });
  const settings = (...hooks: object[]) =>
    put(
      "project/.wave/settings.json",
      JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks }] } }),
    );
  put("project/guard.sh", says("old"));
  put("project/lib.sh", "true\n");
  settings(guard());
  const look = () => {
    const { hooks, permissions, ofProject } = loadSettings({
      projectDir: project,
      home,
      managedFile: "/nonexistent",
    });
    return readProjectTrust({ home, projectDir: project, hooks, rules: permissions.rules, ofProject });
  };
  if (options.approved) await approveProject(home, look(), new Date(0));
  const { reviewCommand, trust = "store" } = options;
  const live = await liveAgent(folder.path, [], {
    options: { env: { PATH: process.env["PATH"] }, trust, ...(reviewCommand && { reviewCommand }) },
  });
  const { agent } = live;
  return {
    agent,
    put,
    settings,
    guard,
    look,
    project,
    notices: () => live.events.flatMap((event) => (event.type === "notice" ? [event.text] : [])),
    /** The word with which a command is refused, or what it printed. */
    async judge() {
      const end = await agent.runShell("echo ran");
      return end.ran ? end.result.trim() : end.reason;
    },
    review(about: "changes" | "everything" = "changes") {
      const review = agent.reviewSettings(about);
      if (!review) throw new Error("nothing waits for review");
      return review;
    },
    async [Symbol.asyncDispose]() {
      await live[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

describe("an approved hook that is changed while Wave runs", () => {
  it.each<[what: string, change: (stage: Awaited<ReturnType<typeof guarded>>) => void]>([
    ["its script", ({ put }) => put("project/guard.sh", says("new"))],
    ["a script that its script names", ({ put }) => put("project/lib.sh", "echo new >&2; exit 2\n")],
    ["its entry", ({ settings, guard }) => settings(guard({ command: "echo new >&2; exit 2" }))],
  ])(
    "stays in force as it was approved until a person takes the change: %s (T40, T83, G19, G28)",
    async (_what, change) => {
      await using stage = await guarded({ approved: true, reviewCommand: "/look" });
      const { agent } = stage;
      expect(agent.reviewSettings("everything")).toBeUndefined();
      change(stage);
      expect(await agent.reloadSettings()).toEqual({
        reloaded: false,
        why: "this version is not approved: hook guard; what was approved stays active; /look or wave hooks trust shows the difference",
      });
      expect(await stage.judge()).toBe("old");
      expect(agent.hooks.map(({ off }) => off)).toEqual([undefined]);
      const review = stage.review();
      expect(review.project?.items.map(({ state }) => state)).toEqual(["changed"]);
      expect(agent.changedFiles).toHaveLength(1);
      expect(stage.notices().filter((text) => text.includes("while Wave runs"))).toEqual([
        expect.stringMatching(/; \/look shows the difference and activates it$/),
      ]);
      // Shown is not taken, and a no is nothing: it is still there to be looked at.
      expect(await stage.judge()).toBe("old");
      expect(stage.review().id).toBe(review.id);
      expect(await agent.takeSettings(review)).toEqual({ reloaded: true, hooks: 1 });
      expect(await stage.judge()).toBe("new");
      expect([agent.reviewSettings("everything"), agent.changedFiles]).toEqual([undefined, []]);
      expect(stage.look().items.map(({ state }) => state)).toEqual(["reviewed"]);
    },
  );

  it("is not taken over in a form that nobody saw (T83, G20)", async () => {
    await using stage = await guarded({ approved: true });
    stage.put("project/guard.sh", says("new"));
    const review = stage.review();
    stage.put("project/guard.sh", says("newer"));
    expect(await stage.agent.takeSettings(review)).toEqual({
      reloaded: false,
      why: "the files changed again while you looked at them",
    });
    expect(await stage.judge()).toBe("old");
  });

  it("of a set that was named for this run is taken over for this run only (G23)", async () => {
    await using stage = await guarded({ approved: true });
    const { sha256 } = stage.look();
    await using named = await guarded({ approved: false, trust: { sha256 } });
    expect(await named.judge()).toBe("old");
    named.put("project/guard.sh", says("new"));
    expect(await named.agent.takeSettings(named.review())).toEqual({ reloaded: true, hooks: 1 });
    expect(await named.judge()).toBe("new");
    expect(named.look().folder).toBe("unknown");
  });
});

describe("hooks that nobody approved at the start", () => {
  it("can be approved while the session runs, and then they judge (T37, G22)", async () => {
    await using stage = await guarded({ approved: false, reviewCommand: "/look" });
    const { agent } = stage;
    expect(await stage.judge()).toMatch(/in this form; \/look or wave hooks trust shows it/);
    expect(agent.hooks.map(({ off }) => off?.words)).toEqual([
      "nobody has approved it in this form (/look or wave hooks trust)",
    ]);
    // Left out on purpose: reading settings again asks nothing and switches nothing on.
    expect(agent.reviewSettings("changes")).toBeUndefined();
    expect(await agent.reloadSettings()).toEqual({ reloaded: true, hooks: 1 });
    expect(agent.hooks.map(({ off }) => off?.why)).toEqual(["unreviewed"]);
    expect(await agent.takeSettings(stage.review("everything"))).toEqual({ reloaded: true, hooks: 1 });
    expect(await stage.judge()).toBe("old");
  });
});

describe("a review of changed settings", () => {
  it("shows each file with both of its texts, and says when they cannot be read (T83, T172)", async () => {
    await using stage = await guarded({ approved: true });
    stage.put("home/settings.json", '{ "model": "other" }');
    expect(stage.review()).toMatchObject({
      changes: [
        {
          file: expect.stringMatching(/home\/settings\.json$/),
          is: "settings",
          change: "created",
          texts: { before: "", after: '{ "model": "other" }' },
        },
      ],
      project: undefined,
      obstacle: undefined,
    });
    expect(await stage.agent.takeSettings(stage.review())).toEqual({ reloaded: true, hooks: 1 });
    expect(stage.notices()).toContain(
      "model of the settings stays as it was in this session; a change counts from the next one on",
    );
    stage.put("home/settings.json", "{ broken");
    const broken = stage.review();
    expect(broken.obstacle).toMatch(/settings\.json:1/);
    expect(await stage.agent.takeSettings(broken)).toEqual({ reloaded: false, why: broken.obstacle });
  });
});

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import { fingerprintOf, setFingerprint } from "@/hooks/fingerprint.ts";
import { loadSettings } from "@/workspace/settings/settings.ts";
import { approveProject, readProjectTrust } from "@/workspace/trust/trust.ts";
import { liveAgent } from "../../support/liveAgent.ts";
import { tempFolder } from "../../support/tempFolder.ts";

const RULE = { permissions: { allow: ["Bash(ls)"] } };

function stageIn(folder: string) {
  const [projectDir, home] = [join(folder, "project"), join(folder, "home")];
  mkdirSync(join(projectDir, ".wave"), { recursive: true });
  const look = () => {
    const { hooks, permissions, ofProject } = loadSettings({ projectDir, home, managedFile: "/nonexistent" });
    return readProjectTrust({ home, projectDir, hooks, rules: permissions.rules, ofProject });
  };
  return {
    look,
    set: (settings: object, file = "settings.json") =>
      writeFileSync(join(projectDir, ".wave", file), JSON.stringify({ ...RULE, ...settings })),
    approve: () => approveProject(home, look(), new Date(0)),
    async open(trust: AgentOptions["trust"] = "store") {
      const live = await liveAgent(folder, [], {
        settings: { model: "own" },
        named: "elsewhere",
        options: { trust, reviewCommand: "/look", env: { PATH: process.env["PATH"] } },
      });
      return {
        ...live,
        /** What commands get of the variables, and the model. */
        async inForce() {
          const end = await live.agent.runShell('echo "$FOO,$BAR"');
          return [end.ran ? end.result.trim() : end.reason, live.agent.model];
        },
        notices: () =>
          live.events.flatMap((event) =>
            event.type === "notice" && event.text.startsWith("settings of this project") ? [event.text] : [],
          ),
      };
    },
  };
}

const onHold = (names: string) =>
  `settings of this project do not count until somebody approves them in this form (/look or wave hooks trust): ${names}`;

describe("env and model of a project", () => {
  it.each(["settings.json", "settings.local.json"])(
    "count in the form that was approved and in no other: %s (T37, T40, G18)",
    async (file) => {
      using folder = tempFolder();
      const stage = stageIn(folder.path);
      stage.set({ env: { FOO: "1" } }, file);
      await stage.approve();
      const { sha256 } = stage.look();
      {
        await using session = await stage.open();
        expect([await session.inForce(), session.notices()]).toEqual([["1,", "own"], []]);
        // A yes while a session runs is for what was shown, like that for a hook.
        stage.set({ env: { FOO: "2", BAR: "b" }, model: "other" }, file);
        expect(await session.agent.reloadSettings()).toMatchObject({
          reloaded: false,
          why: expect.stringContaining("this version is not approved: model, env FOO, env BAR;"),
        });
        expect(await session.inForce()).toEqual(["1,", "own"]);
      }
      stage.set({ env: { FOO: "1", BAR: "b" }, model: "other" }, file);
      for (const trust of [
        "store",
        { sha256: stage.look().sha256.replace(/^./, (digit) => (digit === "0" ? "1" : "0")) },
      ] as const) {
        await using session = await stage.open(trust);
        // What was approved goes on to count; a set that is named is all or nothing.
        expect(await session.inForce()).toEqual([trust === "store" ? "1," : ",", "own"]);
        expect(session.notices()).toEqual([
          onHold(trust === "store" ? "model, env BAR" : "model, env FOO, env BAR"),
        ]);
      }
      {
        await using session = await stage.open({ sha256 });
        expect(await session.inForce()).toEqual([",", "own"]);
      }
      await using named = await stage.open({ sha256: stage.look().sha256 });
      expect([await named.inForce(), named.notices()]).toEqual([["1,b", "other"], []]);
      await stage.approve();
      await using session = await stage.open();
      expect([await session.inForce(), session.notices()]).toEqual([["1,b", "other"], []]);
    },
  );

  it("are part of the hash of a set; where there are none, the hash is what it was (G23, T41)", () => {
    using folder = tempFolder();
    const stage = stageIn(folder.path);
    stage.set({});
    const none = stage.look().sha256;
    const rule = { kind: "allow-rule", rule: "Bash(ls)", file: "" } as const;
    expect(none).toBe(setFingerprint([fingerprintOf(rule)]));
    const hashes = [{ env: { FOO: "1" } }, { env: { FOO: "2" } }, { model: "x" }, { contextSize: 5_000 }].map(
      (settings) => (stage.set(settings), stage.look().sha256),
    );
    expect(new Set([none, ...hashes]).size).toBe(5);
    // The nearer file wins, so the same values in the other file are another set.
    stage.set({ model: "x" }, "settings.local.json");
    stage.set({ model: "y" });
    const { sha256 } = stage.look();
    stage.set({ model: "y" }, "settings.local.json");
    stage.set({ model: "x" });
    expect(stage.look().sha256).not.toBe(sha256);
  });

  it("are shown as a change of what was approved in the same file (T40)", async () => {
    using folder = tempFolder();
    const stage = stageIn(folder.path);
    stage.set({ env: { FOO: "1" } });
    await stage.approve();
    stage.set({ env: { FOO: "2" }, model: "x" });
    expect(stage.look().items.filter(({ item }) => item.kind === "setting")).toMatchObject([
      { item: { says: "model x" }, state: "new", before: undefined },
      { item: { says: "env FOO=2" }, state: "changed", before: { says: "env FOO=1" } },
    ]);
  });
});

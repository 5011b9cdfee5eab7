import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfiguration } from "@/workspace/configuration.ts";
import { findPlugins } from "@/workspace/plugins/findPlugins.ts";
import { keepPlugin, keptPlugins, pluginAt, removePlugin } from "@/workspace/plugins/keptPlugins.ts";
import { withPlugin } from "@/workspace/plugins/lookAtPlugin.ts";
import { memoryFolder, tempFolder, type TempFolder } from "../../support/tempFolder.ts";
import { playSession } from "../../support/playSession.ts";

const GUARD =
  '#!/usr/bin/env bash\ngrep -q forbidden && { echo "not with $CLAUDE_PLUGIN_ROOT" >&2; exit 2; }\nexit 0\n';
const hook = (command: string, more: object = {}) => ({ hooks: [{ type: "command", command, ...more }] });
const HOOKS = {
  PreToolUse: [{ matcher: "Bash", ...hook("${CLAUDE_PLUGIN_ROOT}/hooks/guard.sh") }],
  SessionStart: [hook("cat", { args: ["${CLAUDE_PLUGIN_ROOT}/context.txt"] })],
};

/** A plugin as people publish them, in a folder with a blank in its name. */
function write(folder: TempFolder, files: Record<string, unknown> = {}, name = "my plugin"): string {
  const root = join(folder.path, name);
  const all: Record<string, unknown> = {
    ".claude-plugin/plugin.json": { name: "guard", version: "1.2.0" },
    "hooks/hooks.json": { description: "a guard", hooks: HOOKS },
    "hooks/guard.sh": GUARD,
    "context.txt": "CONTEXT-OF-PLUGIN",
    ...files,
  };
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  chmodSync(join(root, "hooks/guard.sh"), 0o755);
  return root;
}

const homeOf = ({ path }: TempFolder) => join(path, "home");

function add(folder: TempFolder, root: string): void {
  const read = pluginAt(root, homeOf(folder));
  if ("problem" in read) throw new Error(read.problem);
  keepPlugin(homeOf(folder), { root, name: read.plugin.name, sha256: read.sha256, from: root });
}

const bash = (command: string) => ({ call: { name: "Bash", arguments: { command } } });
const scenario = [bash("echo forbidden"), bash("echo fine"), { say: "done" }];

describe("a plugin that a person added", () => {
  it("brings hooks that find their files by CLAUDE_PLUGIN_ROOT, in every project (T135)", async () => {
    using folder = tempFolder();
    add(folder, write(folder));
    const { wire, events } = await playSession(folder.path, { scenario });
    expect(wire).toContain(`not with ${join(homeOf(folder), "plugins", "guard")}`);
    expect(wire).toContain("CONTEXT-OF-PLUGIN");
    expect(events.filter(({ type }) => type === "tool_started")).toHaveLength(1);
  });

  it("brings commands, skills, sub-agents and servers under its own name", () => {
    using folder = memoryFolder();
    add(
      folder,
      write(folder, {
        "commands/deploy.md": "Run ${CLAUDE_PLUGIN_ROOT}/deploy.sh $ARGUMENTS",
        "skills/tidy/SKILL.md": "---\nname: tidy\ndescription: tidies\n---\nTidy.",
        "agents/reviewer.md": "---\ndescription: reads\n---\nRead.",
        ".mcp.json": { db: { command: "${CLAUDE_PLUGIN_ROOT}/db", args: ["--in=${CLAUDE_PLUGIN_DATA}"] } },
      }),
    );
    const root = join(homeOf(folder), "plugins", "guard");
    const { texts, agents, settings } = configuration(folder);
    expect(texts.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "command guard:deploy",
      "skill guard:tidy",
      "agent guard:reviewer",
    ]);
    expect(texts[0]?.body).toBe(`Run ${root}/deploy.sh $ARGUMENTS`);
    expect(agents.map(({ name }) => name)).toContain("guard:reviewer");
    expect(settings.mcpServers).toMatchObject([
      {
        name: "plugin_guard_db",
        config: { command: `${root}/db`, args: [`--in=${join(homeOf(folder), "plugins/data/guard")}`] },
      },
    ]);
  });

  it.each<[string, (root: string) => void]>([
    ["a byte of a script", (root) => appendFileSync(join(root, "hooks/guard.sh"), "#")],
    ["its hooks", (root) => appendFileSync(join(root, "hooks/hooks.json"), " ")],
    ["a new file", (root) => writeFileSync(join(root, "commands.md"), "x")],
    ["the right to run a file", (root) => chmodSync(join(root, "context.txt"), 0o755)],
  ])(
    "is off when %s is not what was added, and what its hooks judge is asked about (T40)",
    async (_what, change) => {
      using folder = memoryFolder();
      add(folder, write(folder, { "commands/deploy.md": "Deploy.", ".mcp.json": { db: { command: "db" } } }));
      change(join(homeOf(folder), "plugins", "guard"));
      const { hooks, unreviewed, texts, settings, notices } = configuration(folder);
      expect(hooks).toHaveLength(2);
      expect(unreviewed.size).toBe(2);
      expect(texts).toEqual([]);
      expect(settings.mcpServers).toEqual([]);
      expect(notices.map(({ text }) => text).join()).toContain("its files are not those that you added");
    },
  );

  it("is gone with all that it brought once it is removed (T171)", () => {
    using folder = memoryFolder();
    add(folder, write(folder));
    expect(keptPlugins(homeOf(folder))).toHaveLength(1);
    expect(removePlugin(homeOf(folder), "guard")).toBe(true);
    expect(removePlugin(homeOf(folder), "guard")).toBe(false);
    expect(keptPlugins(homeOf(folder))).toEqual([]);
    expect(configuration(folder).hooks).toEqual([]);
  });

  it("runs the same entry once for each of two plugins (T170)", () => {
    using folder = memoryFolder();
    add(folder, write(folder));
    add(folder, write(folder, { ".claude-plugin/plugin.json": { name: "second" } }, "other"));
    const roots = configuration(folder).hooks.map(({ env }) => env?.["CLAUDE_PLUGIN_ROOT"]);
    expect(new Set(roots).size).toBe(2);
  });
});

function configuration(folder: TempFolder, options: { plugins?: string[] } = {}) {
  const workdir = join(folder.path, "project");
  mkdirSync(workdir, { recursive: true });
  const places = { workdir, waveHome: homeOf(folder), managedSettingsFile: join(folder.path, "managed") };
  return readConfiguration({ ...places, env: {}, ...options }, ["Bash"]);
}

describe("the folder of a plugin", () => {
  it("can be given for one run", async () => {
    using folder = tempFolder();
    const options = { plugins: [write(folder)] };
    const { wire } = await playSession(folder.path, { scenario, options });
    expect(wire).toContain("not with ");
  });

  it("is protected like the scripts of other hooks, in every mode (T43)", async () => {
    using folder = tempFolder();
    const root = write(folder, {}, "project/plugin");
    const file_path = join(root, "context.txt");
    const overwrite = { call: { name: "Write", arguments: { file_path, content: "other" } } };
    const { end } = await playSession(folder.path, {
      scenario: [overwrite, { say: "done" }],
      options: { plugins: [root] },
    });
    expect(end.denials).toHaveLength(1);
    expect(readFileSync(file_path, "utf8")).toBe("CONTEXT-OF-PLUGIN");
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["without a manifest is called like its folder", { ".claude-plugin/plugin.json": "{}" }, "my-plugin"],
    ["may keep its hooks in another file", hooksAt("./config/hooks.json"), "guard"],
    [
      "may keep its hooks in the manifest",
      { ".claude-plugin/plugin.json": { name: "guard", hooks: HOOKS } },
      "guard",
    ],
  ])("%s", (_what, files, name) => {
    using folder = memoryFolder();
    const { plugins, problems } = findPlugins(homeOf(folder), [write(folder, files, "my-plugin")]);
    expect(plugins.map((plugin) => plugin.name)).toEqual([name]);
    expect(problems).toEqual([]);
    expect(configuration(folder, { plugins: [join(folder.path, "my-plugin")] }).hooks).toHaveLength(2);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ["a manifest that is not JSON", { ".claude-plugin/plugin.json": "{" }, /is not JSON/],
    ["a name that is none", { ".claude-plugin/plugin.json": { name: "../up" } }, /cannot be its name/],
    [
      "hooks out of the plugin",
      { ".claude-plugin/plugin.json": { name: "guard", hooks: "../h.json" } },
      /does not lie in/,
    ],
    ["a name that is a number", { ".claude-plugin/plugin.json": { name: 3 } }, /name must be a text/],
  ])("is refused with one sentence: %s", (_what, files, why) => {
    using folder = memoryFolder();
    const { plugins, problems } = findPlugins(homeOf(folder), [write(folder, files)]);
    expect(plugins).toEqual([]);
    expect(problems).toMatchObject([{ severity: "fatal", message: expect.stringMatching(why) as string }]);
  });

  it("is refused with a link that leads out of it (T47)", () => {
    using folder = memoryFolder();
    const root = write(folder);
    writeFileSync(join(folder.path, "secret"), "x");
    symlinkSync("../secret", join(root, "link"));
    expect(pluginAt(root, homeOf(folder))).toEqual({
      problem: "link is a link that leads out of the plugin",
    });
  });

  it("says of code that would run inside of the agent that it does not run", () => {
    using folder = memoryFolder();
    const root = write(folder, { "hooks/hooks.json": { modules: ["./mod.mjs"], hooks: HOOKS } });
    const { notices, hooks } = configuration(folder, { plugins: [root] });
    expect(hooks).toHaveLength(2);
    expect(notices.map(({ text }) => text).join()).toContain("Wave runs none");
  });
});

function hooksAt(path: string): Record<string, unknown> {
  return {
    ".claude-plugin/plugin.json": { name: "guard", hooks: path },
    "hooks/hooks.json": {},
    [path]: { hooks: HOOKS },
  };
}

describe("a look at a plugin", () => {
  it("at a git address starts nothing of it and leaves nothing behind (T37)", async () => {
    using folder = tempFolder();
    const canary = join(folder.path, "canary");
    const root = write(folder, { "hooks/guard.sh": `#!/bin/sh\ntouch '${canary}'\n` });
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", root, "-c", "user.name=a", "-c", "user.email=a@b", ...args]);
    git("init", "-q");
    git("add", "-A");
    git("commit", "-q", "-m", "first");
    const place = { home: homeOf(folder), cwd: folder.path, env: process.env };
    const looked = await withPlugin(`file://${root}`, place, (one) => one);
    expect(looked).toMatchObject({ plugin: { name: "guard" }, programs: ["hooks/guard.sh"], problems: [] });
    expect("hooks" in looked && looked.hooks.map(({ event }) => event)).toEqual([
      "PreToolUse",
      "SessionStart",
    ]);
    expect("plugin" in looked && existsSync(looked.plugin.root)).toBe(false);
    expect(existsSync(canary)).toBe(false);
    expect(readFileSync(join(root, "context.txt"), "utf8")).toBe("CONTEXT-OF-PLUGIN");
  });

  it.each([
    ["ext::sh -c touch% /tmp/x", /there is no folder/],
    ["https://127.0.0.1:1/nothing.git", /git clone failed/],
    ["./nowhere", /there is no folder/],
  ])("says what is wrong with %s", async (from, why) => {
    using folder = memoryFolder();
    const place = { home: homeOf(folder), cwd: folder.path, env: process.env };
    const looked = await withPlugin(from, place, (one) => one);
    expect("problem" in looked && looked.problem).toMatch(why);
  });
});

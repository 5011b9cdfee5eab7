import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Agent } from "@/agent.ts";
import type { AgentOptions } from "@/agentOptions.ts";
import type { AgentEvent } from "@/events.ts";
import { startScriptedModel } from "@/testing/index.ts";
import { blocksOf } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { waitFor } from "../support/waitFor.ts";

const command = (text: string, name = "guard", rest: object = {}) => ({
  hooks: [{ type: "command", name, command: text, ...rest }],
});
const DENY = "#!/bin/sh\necho 'the old guard says no' >&2\nexit 2\n";
const APPROVE = "#!/bin/sh\nexit 0\n";

interface Stage {
  project: string;
  agent: Agent;
  /** Lets the model make one call, and gives what came of it. */
  call(name: string, input: Record<string, unknown>): Promise<string>;
  notices(): string[];
  put(path: string, text: string, mode?: number): void;
  read(path: string): string;
}

async function onStage(
  given: { settings?: object; files?: Record<string, string>; options?: AgentOptions },
  play: (stage: Stage) => Promise<void>,
): Promise<void> {
  using folder = tempFolder();
  const project = join(folder.path, "project");
  mkdirSync(join(project, ".wave"), { recursive: true });
  mkdirSync(join(folder.path, "home"));
  const put = (path: string, text: string, mode = 0o755) => {
    writeFileSync(join(folder.path, path), text, { mode });
    chmodSync(join(folder.path, path), mode);
  };
  for (const [path, text] of Object.entries(given.files ?? {})) put(path, text);
  if (given.settings) put("project/.wave/settings.json", JSON.stringify(given.settings));
  const events: AgentEvent[] = [];
  let next: { name: string; arguments: Record<string, unknown> } | undefined;
  await using model = await startScriptedModel(() => {
    const call = next;
    next = undefined;
    return call ? { call } : { say: "done" };
  });
  const agent = await Agent.create({
    workdir: project,
    trust: "given",
    waveHome: join(folder.path, "home"),
    managedSettingsFile: join(folder.path, "managed.json"),
    baseUrl: model.baseUrl,
    apiKey: "key",
    model: "scripted",
    permissionMode: "bypassPermissions",
    env: { ...process.env, HOME: join(folder.path, "user") },
    onEvent: (event) => void events.push(event),
    ...given.options,
  });
  try {
    await play({
      project,
      agent,
      async call(name, input) {
        next = { name, arguments: input };
        await agent.sendMessage("go");
        return blocksOf(agent.messages, "tool").at(-1)?.result ?? "";
      },
      notices: () => events.flatMap((event) => (event.type === "notice" ? [event.text] : [])),
      put,
      read: (path) => readFileSync(join(folder.path, path), "utf8"),
    });
  } finally {
    await agent.destroy();
  }
}

const touch = (stage: Stage, name: string) => stage.call("Write", { file_path: name, content: "x" });

describe("settings that are changed while Wave runs", () => {
  it("do not count, whoever changed them, and everybody is told (T83, G28)", async () => {
    const watch = command("cat > ../told.json", "watch");
    await onStage(
      {
        settings: { hooks: { ConfigChange: [watch], PreToolUse: [command("exit 0")] } },
        // Not a command that Wave can see through.
        files: {
          "project/change.mjs": `import { writeFileSync } from "node:fs"; writeFileSync(".wave/settings.json", process.env.NEW);`,
        },
        options: {
          env: {
            ...process.env,
            NEW: JSON.stringify({ hooks: { PreToolUse: [command("touch ../evil")] } }, null, 1),
          },
        },
      },
      async (stage) => {
        await stage.call("Bash", { command: "node change.mjs" });
        expect(stage.read("project/.wave/settings.json")).toContain("evil");
        const notice = `${stage.project}/.wave/settings.json was changed while Wave runs; the old version stays active; it counts when settings are read again, in the next session at the latest`;
        expect(stage.notices()).toContain(notice);
        expect(JSON.parse(stage.read("told.json"))).toMatchObject({
          hook_event_name: "ConfigChange",
          source: "project_settings",
          file_path: join(stage.project, ".wave/settings.json"),
          change: "changed",
          difference: expect.stringMatching(/^-\{"hooks".*\n\+\{\n[\s\S]*touch \.\.\/evil/),
          moment: "noticed",
        });
        await touch(stage, "a.txt");
        expect(existsSync(join(stage.project, "../evil"))).toBe(false);
        expect(stage.agent.hooks.map(({ hook }) => hook.name)).toEqual(["watch", "guard"]);
        expect(stage.notices().filter((text) => text === notice)).toHaveLength(1);
      },
    );
  });

  it("do not count when they are new, gone or unreadable (T83, G28)", async () => {
    await onStage(
      { settings: { hooks: { PreToolUse: [command("echo no >&2; exit 2")] } } },
      async (stage) => {
        stage.put(
          "project/.wave/settings.local.json",
          JSON.stringify({ permissions: { defaultMode: "plan" } }),
        );
        stage.put("home/settings.json", "{ not JSON");
        rmSync(join(stage.project, ".wave/settings.json"));
        expect(await touch(stage, "a.txt")).toBe("no");
        const said = stage.notices().join("\n");
        expect(said).toMatch(/settings\.local\.json was created while Wave runs/);
        expect(said).toMatch(/home\/settings\.json was created while Wave runs/);
        expect(said).toMatch(/\.wave\/settings\.json was removed while Wave runs/);
      },
    );
  });

  it("count after a person had them read again, and a hook can refuse that (T83, T172)", async () => {
    const refuse = command('grep -q reload && { echo "not without me" >&2; exit 2; }; exit 0', "owner");
    await onStage(
      { settings: { hooks: { ConfigChange: [refuse], PreToolUse: [command("echo old >&2; exit 2")] } } },
      async (stage) => {
        stage.put(
          "project/.wave/settings.json",
          JSON.stringify({ hooks: { PreToolUse: [command("echo new >&2; exit 2")] } }),
        );
        expect(await stage.agent.reloadSettings()).toEqual({
          reloaded: false,
          why: `a hook refuses ${stage.project}/.wave/settings.json: not without me`,
        });
        expect(await touch(stage, "a.txt")).toBe("old");
      },
    );
    const settings = {
      hooks: { PreToolUse: [command("echo old >&2; exit 2")] },
      permissions: { deny: ["Read"] },
    };
    await onStage({ settings }, async (stage) => {
      stage.put(
        "project/.wave/settings.json",
        JSON.stringify({ hooks: { PreToolUse: [command("exit 0", "new")] } }),
      );
      expect(await touch(stage, "a.txt")).toBe("old");
      expect(await stage.agent.reloadSettings()).toEqual({ reloaded: true, hooks: 1 });
      expect(await touch(stage, "a.txt")).toMatch(/a\.txt/);
      expect(await stage.call("Read", { file_path: "a.txt" })).toMatch(/x/);
      expect(stage.agent.hooks.map(({ hook }) => hook.name)).toEqual(["new"]);
    });
  });

  it("leave a hook that runs as it began: it decides by its old definition, also when all is read again (T173)", async () => {
    const old = 'touch ../running; until [ -e ../go ]; do sleep 0.02; done; echo "$0 old" >&2; exit 2';
    await onStage({ settings: { hooks: { PreToolUse: [command(old)] } } }, async (stage) => {
      const judged = touch(stage, "a.txt");
      await waitFor("the hook runs", () => existsSync(join(stage.project, "../running")));
      const next = { hooks: { PreToolUse: [command("exit 0", "new", { timeout: 0.001 })] } };
      stage.put("project/.wave/settings.json", JSON.stringify(next));
      expect(await stage.agent.reloadSettings()).toEqual({ reloaded: true, hooks: 1 });
      stage.put("go", "");
      expect(await judged).toMatch(/old$/);
      expect(existsSync(join(stage.project, "a.txt"))).toBe(false);
      expect(stage.agent.hooks.map(({ hook }) => hook.name)).toEqual(["new"]);
    });
  });

  it("that are broken are not read again, and the last good ones stay (T172)", async () => {
    await onStage(
      { settings: { hooks: { PreToolUse: [command("echo old >&2; exit 2")] } } },
      async (stage) => {
        stage.put("project/.wave/settings.json", "{ broken");
        expect(await stage.agent.reloadSettings()).toEqual({
          reloaded: false,
          why: expect.stringMatching(/settings\.json:1/),
        });
        expect(await touch(stage, "a.txt")).toBe("old");
      },
    );
  });

  it("leave managed hooks in force (T88)", async () => {
    const managed = JSON.stringify({ hooks: { PreToolUse: [command("echo managed >&2; exit 2")] } });
    await onStage({ settings: {}, files: { "managed.json": managed } }, async (stage) => {
      for (const path of ["managed.json", "home/settings.json", "project/.wave/settings.json"])
        stage.put(path, "{}");
      expect(await touch(stage, "a.txt")).toBe("managed");
    });
  });

  it("by Wave itself, for a rule that a person keeps, are no news (T80)", async () => {
    await onStage({ settings: {} }, async (stage) => {
      await stage.agent.allowRule("Bash(npm test)", "project");
      await touch(stage, "a.txt");
      expect(stage.notices().filter((text) => text.includes("while Wave runs"))).toEqual([]);
      stage.put("project/.wave/settings.local.json", "{}");
      await touch(stage, "a.txt");
      expect(stage.notices().filter((text) => text.includes("while Wave runs"))).toHaveLength(1);
    });
  });

  it("and are as they were again are said to be (T83)", async () => {
    await onStage({ settings: { model: "a" } }, async (stage) => {
      const before = stage.read("project/.wave/settings.json");
      stage.put("project/.wave/settings.json", "{}");
      await touch(stage, "a.txt");
      stage.put("project/.wave/settings.json", before);
      await touch(stage, "a.txt");
      expect(stage.notices().at(-1)).toBe(
        `${stage.project}/.wave/settings.json is again what it was when it was read`,
      );
    });
  });
});

describe("a hook whose script is changed while Wave runs", () => {
  const forms: [form: string, command: string][] = [
    ["a path", "./guard.sh"],
    ["a path with arguments", '"$WAVE_PROJECT_DIR"/guard.sh --strict'],
    ["behind an interpreter", "sh guard.sh"],
    ["in a longer command", "cd . && ./guard.sh"],
  ];
  it.each(forms)("goes on with the script as it was: %s (T83, G28)", async (_form, text) => {
    await onStage(
      { settings: { hooks: { PreToolUse: [command(text)] } }, files: { "project/guard.sh": DENY } },
      async (stage) => {
        expect(await touch(stage, "a.txt")).toBe("the old guard says no");
        stage.put("project/guard.sh", APPROVE);
        expect(await touch(stage, "a.txt")).toBe("the old guard says no");
        expect(stage.notices().join("\n")).toMatch(
          /guard\.sh was changed while Wave runs; its hook goes on with the script as it was; it counts when/,
        );
        rmSync(join(stage.project, "guard.sh"));
        expect(await touch(stage, "a.txt")).toBe("the old guard says no");
        stage.put("project/guard.sh", DENY, 0o644);
        expect(await touch(stage, "a.txt")).toBe("the old guard says no");
        stage.put("project/guard.sh", APPROVE);
        expect(await stage.agent.reloadSettings()).toEqual({ reloaded: true, hooks: 1 });
        expect(await touch(stage, "a.txt")).toMatch(/a\.txt/);
      },
    );
  });

  it("in the person's own settings, too, and finds what lies beside the script (T83)", async () => {
    const settings = JSON.stringify({ hooks: { PreToolUse: [command("~/guard.sh")] } });
    using folder = tempFolder();
    mkdirSync(join(folder.path, "user"));
    const guard = join(folder.path, "user", "guard.sh");
    writeFileSync(join(folder.path, "user", "words"), "beside me\n");
    writeFileSync(guard, '#!/bin/sh\ncat "$(dirname "$0")"/words >&2\nexit 2\n', { mode: 0o755 });
    const options = { env: { ...process.env, HOME: join(folder.path, "user") } };
    await onStage({ files: { "home/settings.json": settings }, options }, async (stage) => {
      writeFileSync(guard, APPROVE);
      expect(await touch(stage, "a.txt")).toBe("beside me");
    });
  });

  it("is not believed when nobody can say what it would run: a person decides (T83, G5)", async () => {
    const text = "bash -c 'f=./guard.sh; . ./guard.sh'";
    await onStage(
      { settings: { hooks: { PreToolUse: [command(text)] } }, files: { "project/guard.sh": "exit 0\n" } },
      async (stage) => {
        expect(await touch(stage, "a.txt")).toMatch(/a\.txt/);
        stage.put("project/guard.sh", "touch ../evil\n");
        expect(await touch(stage, "b.txt")).toMatch(
          /Not run: this needs approval[\s\S]*its script .*guard\.sh was changed since it was loaded/,
        );
        expect(existsSync(join(stage.project, "../evil"))).toBe(false);
      },
    );
  });

  it("leaves no copy behind, and keeps it where Wave's own files are protected (T83)", async () => {
    using outer = tempFolder();
    const home = join(outer.path, "home");
    mkdirSync(home);
    const copies = () =>
      readdirSync(home, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith("guard.sh"));
    const given = {
      settings: { hooks: { PreToolUse: [command("./guard.sh")] } },
      files: { "project/guard.sh": DENY },
    };
    await onStage({ ...given, options: { waveHome: home } }, async (stage) => {
      stage.put("project/guard.sh", APPROVE);
      expect(await touch(stage, "a.txt")).toBe("the old guard says no");
      expect(copies()).toHaveLength(1);
    });
    expect(copies()).toEqual([]);
  });
});

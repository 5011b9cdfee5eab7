import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { Agent } from "@/agent.ts";
import type { AgentOptions } from "@/agentOptions.ts";
import { OptionsError } from "@/errors.ts";
import type { HookFunction } from "@/hooks/definition.ts";
import { startScriptedModel, type Scenario } from "@/testing/index.ts";
import { blocksOf, playSession } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";

const todo = { call: { name: "TodoWrite", arguments: { todos: [] } } };

async function agentWith(folder: string, scenario: Scenario, options: AgentOptions = {}) {
  const model = await startScriptedModel(scenario);
  const agent = await Agent.create({
    workdir: folder,
    trust: "given",
    waveHome: join(folder, "home"),
    baseUrl: model.baseUrl,
    apiKey: "key",
    model: "scripted",
    ...options,
  });
  return { agent, model };
}

describe("the project", () => {
  it("is the nearest folder with settings: its hooks hold in every folder below", async () => {
    using folder = tempFolder();
    const below = join(folder.path, "src", "deep");
    mkdirSync(join(folder.path, ".wave"), { recursive: true });
    mkdirSync(below, { recursive: true });
    const hooks = { PreToolUse: [{ hooks: [{ type: "command", command: "pwd >&2; exit 2" }] }] };
    writeFileSync(join(folder.path, ".wave", "settings.json"), JSON.stringify({ hooks }));
    const { agent, model } = await agentWith(folder.path, [todo, { say: "done" }], { workdir: below });
    await agent.sendMessage("go");
    expect(blocksOf(agent.messages, "tool")).toMatchObject([{ success: false, result: folder.path }]);
    expect(model.requests[0]?.text).toContain(below);
    await agent.destroy();
    await model.close();
  });

  it("is the top of a git repository when nothing nearer has settings", async () => {
    using folder = tempFolder();
    const below = join(folder.path, "src");
    mkdirSync(join(folder.path, ".git"));
    mkdirSync(below);
    writeFileSync(join(folder.path, "outside.txt"), "words");
    const read = { call: { name: "Read", arguments: { file_path: "../outside.txt" } } };
    const { agent, model } = await agentWith(folder.path, [read, { say: "done" }], { workdir: below });
    await agent.sendMessage("go");
    expect(blocksOf(agent.messages, "tool")).toMatchObject([{ success: true }]);
    await agent.destroy();
    await model.close();
  });
});

describe("a mistake in the program around the agent", () => {
  it("in a listener is made known, and neither ends a turn nor keeps a session open", async () => {
    using folder = tempFolder();
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const { agent, model } = await agentWith(folder.path, [todo, { say: "done" }], {
      onEvent: () => {
        throw new Error("a bug in the listener");
      },
    });
    expect(await agent.sendMessage("go")).toMatchObject({ because: "done" });
    await agent.destroy();
    await model.close();
    expect(String(warned.mock.calls[0]?.[0])).toContain("a bug in the listener");
    warned.mockRestore();
    const again = await Agent.create({
      workdir: folder.path,
      waveHome: join(folder.path, "home"),
      resume: agent.sessionId,
    });
    await again.destroy();
  });

  it.each([
    [
      "a mode that does not exist",
      { permissionMode: "yolo" as "plan" },
      /permissionMode: must be one of default, .* not "yolo"/,
    ],
    [
      "a folder that does not exist",
      { workdir: "/no/such/folder" },
      /workdir: does not exist: "\/no\/such\/folder"/,
    ],
  ])("that gives %s is told at once", async (_name, options, sentence) => {
    using folder = tempFolder();
    const creating = Agent.create({ workdir: folder.path, waveHome: join(folder.path, "home"), ...options });
    await expect(creating).rejects.toThrow(OptionsError);
    await expect(creating).rejects.toThrow(sentence);
  });

  it.each(["", "  \n"])("that sends %o is told, and the session goes on", async (prompt) => {
    using folder = tempFolder();
    const { agent, model } = await agentWith(folder.path, [{ say: "fine" }]);
    await expect(agent.sendMessage(prompt)).rejects.toThrow(/empty/);
    expect(await agent.sendMessage("a real prompt")).toMatchObject({ because: "done", answer: "fine" });
    await agent.destroy();
    await model.close();
  });

  it("in the answer to a question is a deny, and the model hears what was wrong (PD-3)", async () => {
    using folder = tempFolder();
    const played = await playSession(folder.path, {
      scenario: [{ call: { name: "Bash", arguments: { command: "touch out" } } }, { say: "done" }],
      options: { permissionMode: "default", onPermissionRequest: () => ({ decision: "yes" as "allow" }) },
    });
    expect(blocksOf(played.messages, "tool")[0]?.result).toMatch(/answered {"decision":"yes"} instead of/);
  });
});

describe("a function hook (T150, T152)", () => {
  const withHook = (folder: string, run: () => unknown, onError: "continue" | "block") =>
    playSession(folder, {
      scenario: [todo, { say: "done" }],
      options: {
        hooks: {
          PreToolUse: [
            { hooks: [{ type: "function", name: "fn", run: run as HookFunction<"PreToolUse">, onError }] },
          ],
        },
      },
    });

  it.each([
    ["false", () => false],
    ["a number", () => 42],
    ["text", () => "deny"],
    ["an object Wave finds nothing in", () => ({ permissionDecison: "deny" })],
    [
      "nothing, but throws",
      () => {
        throw new Error("oops");
      },
    ],
  ])("that returns %s could not decide", async (_name, run) => {
    using folder = tempFolder();
    const open = await withHook(folder.path, run, "continue");
    expect(blocksOf(open.messages, "error")).toHaveLength(1);
    expect(blocksOf(open.messages, "tool")).toMatchObject([{ success: true }]);
    const closed = await withHook(folder.path, run, "block");
    expect(blocksOf(closed.messages, "tool")).toMatchObject([
      { success: false, result: expect.stringContaining("hook failed: fn (") },
    ]);
  });

  it.each([
    ["undefined", () => undefined],
    ["null", () => null],
    ["an empty object", () => ({})],
  ])("that returns %s has no objection (T31)", async (_name, run) => {
    using folder = tempFolder();
    const played = await withHook(folder.path, run, "block");
    expect(blocksOf(played.messages, "tool")).toMatchObject([{ success: true }]);
  });
});

it("the record of an interrupted hook says so, and not that it had no objection", async () => {
  using folder = tempFolder();
  const { agent, model } = await agentWith(folder.path, [todo], {
    hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "sleep 60" }] }] },
    onEvent: (event) => {
      if (event.type === "hook_started") setImmediate(() => agent.abort());
      if (event.type === "hooks_decided") records.push(event.record);
    },
  });
  const records: object[] = [];
  await agent.sendMessage("go");
  await agent.destroy();
  await model.close();
  expect(records).toContainEqual(
    expect.objectContaining({
      event: "PreToolUse",
      decidedBy: "an interrupt",
      hooks: [expect.objectContaining({ verdict: "interrupted" })],
    }),
  );
});

describe("the folder of Wave's own", () => {
  it("is where HOME of the agent's environment says, not where that of the process does", async () => {
    using folder = tempFolder();
    const [home, workdir] = [join(folder.path, "home"), join(folder.path, "home", "project")];
    mkdirSync(join(home, ".wave"), { recursive: true });
    mkdirSync(workdir);
    const settings = { permissions: { defaultMode: "plan" } };
    writeFileSync(join(home, ".wave", "settings.json"), JSON.stringify(settings));
    const agent = await Agent.create({ workdir, env: { HOME: home } });
    expect(agent.permissionMode).toBe("plan");
    expect(agent.sessionFile).toContain(join(home, ".wave", "sessions"));
    // The folder above has a .wave, and is no project because of it.
    expect(agent.hooks).toEqual([]);
    await agent.destroy();
  });

  it.each(["/proc/x/y", "/proc/1/x", "/dev/null/x"])(
    "may be %s: the session is not saved, and says so",
    async (waveHome) => {
      using folder = tempFolder();
      const notices: string[] = [];
      const agent = await Agent.create({
        workdir: folder.path,
        waveHome,
        env: {},
        onEvent: (event) => void (event.type === "notice" && notices.push(event.text)),
      });
      expect(notices).toContainEqual(expect.stringContaining(`This session is not being saved: ${waveHome}`));
      await agent.destroy();
    },
  );
});

import { once } from "node:events";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { Agent } from "@/agent.ts";
import { SettingsError } from "@/errors.ts";
import { startScriptedModel } from "@/testing/index.ts";
import { liveAgent } from "../../support/liveAgent.ts";
import { blocksOf, playSession } from "../../support/playSession.ts";
import { processesWith } from "../../support/processes.ts";
import { whyNoBubblewrap } from "../../support/sandboxBench.ts";
import { tempFolder } from "../../support/tempFolder.ts";
import { waitFor } from "../../support/waitFor.ts";

const cannotTry = whyNoBubblewrap() !== undefined;
const bash = (command: string) => ({ calls: [{ name: "Bash", arguments: { command } }] });

/** Meanwhile the temporary folder is one beside the project: the one of the tests, where all of it lies, must not be writable. */
function withOwnTemporaryFolder(folder: string): Disposable {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = join(folder, "tmp");
  mkdirSync(join(folder, "tmp"));
  return {
    [Symbol.dispose]: () => {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    },
  };
}

/** A PATH with the shell on it and no bubblewrap. */
const withoutBubblewrap = (folder: string) => {
  mkdirSync(join(folder, "bin"), { recursive: true });
  return { PATH: join(folder, "bin") };
};

describe.skipIf(cannotTry)("a session in the sandbox", () => {
  it("runs commands and hooks in it, and leaves nothing in the project (G65, G66)", async () => {
    using folder = tempFolder();
    using _temporary = withOwnTemporaryFolder(folder.path);
    const outside = join(folder.path, "outside");
    mkdirSync(outside);
    mkdirSync(join(folder.path, "project"));
    // In a script, where no rule sees what is coming.
    const attack = `echo x > '${outside}/tool'; echo x > .wave/settings.local.json; echo fine > fine`;
    writeFileSync(join(folder.path, "project/attack.sh"), attack);
    const guard = `echo judged > judged; echo x > '${outside}/hook'; exit 0`;
    const { messages } = await playSession(folder.path, {
      settings: { hooks: { PreToolUse: [{ hooks: [{ type: "command", command: guard }] }] } },
      scenario: [bash("sh attack.sh"), { say: "done" }],
      options: { sandbox: "required" },
    });
    expect(blocksOf(messages, "tool")).toMatchObject([{ success: true }]);
    expect(readdirSync(outside)).toEqual([]);
    expect(readFileSync(join(folder.path, "project/fine"), "utf8")).toBe("fine\n");
    expect(readFileSync(join(folder.path, "project/judged"), "utf8")).toBe("judged\n");
    expect(readdirSync(join(folder.path, "project/.wave"))).toEqual(["settings.json"]);
  });

  it("reads a hook's verdict as outside, and takes no allow of one that was killed (JO-7)", async () => {
    using folder = tempFolder();
    const say = (decision: string) =>
      JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: decision } });
    const killed = `echo '${say("allow")}'; kill -KILL $$`;
    const play = (command: string) =>
      playSession(folder.path, {
        settings: { hooks: { PreToolUse: [{ hooks: [{ type: "command", command, sandbox: "required" }] }] } },
        scenario: [bash("touch ran"), { say: "done" }],
        options: { permissionMode: "default" },
      });
    expect(blocksOf((await play(`echo '${say("allow")}'`)).messages, "tool")).toMatchObject([
      { success: true },
    ]);
    expect(blocksOf((await play("echo no >&2; exit 2")).messages, "tool")).toMatchObject([
      { success: false, result: "no" },
    ]);
    expect(blocksOf((await play(killed)).messages, "tool")).toMatchObject([{ success: false }]);
  });

  it("does not let Write follow a link that a command planted (CVE-2026-39861, G66)", async () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "outside"));
    const target = join(folder.path, "outside", "profile");
    writeFileSync(target, "mine");
    const { messages } = await playSession(folder.path, {
      scenario: [
        bash(`ln -s '${target}' notes.txt`),
        { calls: [{ name: "Write", arguments: { file_path: "notes.txt", content: "theirs" } }] },
        { say: "done" },
      ],
      options: { sandbox: "required", permissionMode: "acceptEdits", permissions: { allow: ["Bash(ln:*)"] } },
    });
    expect(blocksOf(messages, "tool")).toMatchObject([{ success: true }, { success: false }]);
    expect(readFileSync(target, "utf8")).toBe("mine");
  });

  it("leaves the folder it stands on to another session of the project, and takes it away otherwise (G66)", async () => {
    using folder = tempFolder();
    const wave = join(folder.path, "project", ".wave");
    const open = () =>
      liveAgent(folder.path, [], { options: { sandbox: "required", env: { PATH: process.env["PATH"] } } });
    {
      await using first = await open();
      expect(existsSync(wave)).toBe(true);
      await using second = await open();
      await first.agent.destroy();
      expect(existsSync(wave)).toBe(true);
      expect(second.agent.sessionId).not.toBe(first.agent.sessionId);
    }
    rmdirSync(wave);
    await (await open())[Symbol.asyncDispose]();
    expect(existsSync(wave)).toBe(false);
  });

  it("ends with Wave, also when Wave is killed (G48)", async () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "project"));
    await using model = await startScriptedModel([
      bash("(setsid sleep 300 &); trap '' TERM HUP; echo up > up; sleep 300"),
      { say: "" },
    ]);
    const mark = randomUUID();
    const program = fileURLToPath(new URL("../../fixtures/sandboxedAgent.ts", import.meta.url));
    const wave = spawn(process.execPath, ["--conditions=@wave/source", program, folder.path, model.baseUrl], {
      env: { ...process.env, WAVE_TEST_MARK: mark },
      stdio: "inherit",
    });
    await waitFor("the command to run", () => existsSync(join(folder.path, "project/up")));
    // The two that sleep begin when they are given time.
    await waitFor("all of its processes to be there", () => processesWith(mark).length > 3);
    const ended = once(wave, "exit");
    wave.kill("SIGKILL");
    await waitFor("everything to be gone", () => processesWith(mark).length === 0);
    expect(await ended).toEqual([null, "SIGKILL"]);
  });
});

describe("a sandbox that is required and cannot be had", () => {
  it("keeps a session from beginning, and says what to do (G65)", async () => {
    using folder = tempFolder();
    const settings = join(folder.path, "home", "settings.json");
    mkdirSync(join(folder.path, "home"));
    writeFileSync(settings, '{"sandbox": "required"}');
    const making = Agent.create({
      workdir: folder.path,
      waveHome: join(folder.path, "home"),
      managedSettingsFile: join(folder.path, "managed.json"),
      env: withoutBubblewrap(folder.path),
    });
    await expect(making).rejects.toThrow(SettingsError);
    await expect(making).rejects.toThrow(
      /settings\.json: the sandbox is required .*no bwrap.*apt install bubblewrap.*"off"/,
    );
    expect(readdirSync(folder.path).toSorted()).toEqual(["bin", "home"]);
  });

  it("by one hook only is a hook that could not decide, under its onError (G65)", async () => {
    using folder = tempFolder();
    const play = (onError: string) =>
      playSession(folder.path, {
        settings: {
          hooks: {
            PreToolUse: [
              {
                hooks: [{ type: "command", command: "exit 0", name: "guard", sandbox: "required", onError }],
              },
            ],
          },
        },
        scenario: [bash("echo ran"), { say: "done" }],
        options: { env: withoutBubblewrap(folder.path) },
      });
    const blocked = await play("block");
    expect(blocksOf(blocked.messages, "tool")).toMatchObject([
      {
        success: false,
        result: expect.stringMatching(/guard.*was not started: it needs the sandbox.*no bwrap.*missing/),
      },
    ]);
    expect(blocked.events).toContainEqual(
      expect.objectContaining({
        type: "notice",
        level: "error",
        text: expect.stringMatching(/guard.*no bwrap/),
      }),
    );
    const passed = await play("continue");
    expect(blocksOf(passed.messages, "tool")).toMatchObject([{ success: true, result: "ran" }]);
    expect(
      blocksOf(passed.messages, "error")
        .map(({ content }) => content)
        .join(),
    ).toMatch(/needs the sandbox/);
  });
});

it("an automatic sandbox that cannot be had is said once, and done without (G65)", async () => {
  using folder = tempFolder();
  const { messages, events } = await playSession(folder.path, {
    scenario: [bash("echo one"), bash("echo two"), { say: "done" }],
    options: { sandbox: "auto", env: withoutBubblewrap(folder.path) },
  });
  expect(blocksOf(messages, "tool").map(({ result }) => result)).toEqual(["one", "two"]);
  const notices = events.filter((event) => event.type === "notice" && event.text.includes("sandbox"));
  expect(notices).toMatchObject([
    { level: "warning", text: expect.stringMatching(/without a sandbox.*no bwrap/) },
  ]);
});

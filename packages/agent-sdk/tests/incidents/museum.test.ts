import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import type { PendingPermission } from "@/permissions/request.ts";
import { liveAgent } from "../support/liveAgent.ts";
import { blocksOf, playSession } from "../support/playSession.ts";
import { processesWith } from "../support/processes.ts";
import { settingsOf } from "../support/settingsFiles.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { waitFor } from "../support/waitFor.ts";
import { attempt, bash, type Call } from "./attempts.ts";

type Entry = Record<string, unknown>;

const command = (text: string, more: Entry = {}): Entry => ({ type: "command", command: text, ...more });
const says = (output: object, more?: Entry) => command(`echo '${JSON.stringify(output)}'`, more);
const decides = (decision: string, more: Entry = {}) =>
  says({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: decision, ...more } });
const rewrites = (updatedInput: unknown) =>
  says({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput } });
const before = (...hooks: Entry[]) => ({ hooks: { PreToolUse: [{ hooks }] } });

const touch = bash("touch made");

/** One command that would make a file, and what came of it. */
async function tryTouch(settings: object, options: AgentOptions = {}, calls: readonly Call[] = [touch]) {
  using folder = tempFolder();
  const tried = await attempt(folder.path, calls, { settings, options });
  const first = calls[0] ?? touch;
  return { ...tried.of(first), tried, made: existsSync(join(folder.path, "project/made")) };
}

const NOT_RUN = { ran: false, made: false };

describe("decisions", () => {
  it("2.1.77: a hook's allow lifts no deny rule, neither the user's nor the owner's (G1, G4)", async () => {
    const own = { ...before(decides("allow")), permissions: { deny: ["Bash(touch:*)"] } };
    expect(await tryTouch(own)).toMatchObject(NOT_RUN);
    using folder = tempFolder();
    const managed = join(folder.path, "owner.json");
    writeFileSync(managed, JSON.stringify({ permissions: { deny: ["Bash(touch:*)"] } }));
    expect(
      await tryTouch(before(decides("allow")), { managedSettingsFile: managed, hookScope: "all" }),
    ).toMatchObject({ ...NOT_RUN, result: expect.stringContaining("Rule Bash(touch:*)") });
  });

  it("2.1.101: a hook's ask makes no question of a deny rule (G1)", async () => {
    const asked: PendingPermission[] = [];
    const settings = { ...before(decides("ask")), permissions: { deny: ["Bash(touch:*)"] } };
    const tried = await tryTouch(settings, {
      onPermissionRequest: (request) => (asked.push(request), { decision: "allow" }),
    });
    expect(tried).toMatchObject({ ...NOT_RUN, result: expect.stringContaining("Rule Bash(touch:*)") });
    expect(asked).toEqual([]);
  });

  it("2.1.211: a hook's ask is a question in a mode that asks about nothing, and a deny where nobody answers (T26, G3)", async () => {
    expect(await tryTouch(before(decides("ask")))).toMatchObject(NOT_RUN);
    const asked: string[] = [];
    await tryTouch(before(decides("ask")), {
      onPermissionRequest: ({ askedBy }) => (asked.push(...askedBy), { decision: "deny" }),
    });
    expect(asked).toHaveLength(1);
  });

  it("2.1.90: exit code 2 blocks beside JSON that allows (T2, G6)", async () => {
    const allow = JSON.stringify({
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" },
    });
    expect(await tryTouch(before(command(`echo '${allow}'; echo no >&2; exit 2`)))).toMatchObject(NOT_RUN);
  });

  it("2.1.214: exit code 2 blocks beside JSON that is broken (T2, G6)", async () => {
    expect(
      await tryTouch(before(command(`echo '{"hookSpecificOutput": {"permissionDecision":'; exit 2`))),
    ).toMatchObject(NOT_RUN);
  });

  it("2.1.110: a rewritten input is held against deny rules (G8)", async () => {
    const settings = {
      ...before(rewrites({ command: "touch made" })),
      permissions: { deny: ["Bash(touch:*)"] },
    };
    expect(await tryTouch(settings, {}, [bash("echo harmless")])).toMatchObject(NOT_RUN);
  });

  it("2.1.212: continue: false holds also after a tool that failed (T149, G2)", async () => {
    using folder = tempFolder();
    const played = await playSession(folder.path, {
      settings: { hooks: { PostToolUse: [{ hooks: [says({ continue: false, stopReason: "enough" })] }] } },
      scenario: [{ call: { name: "Bash", arguments: { command: "exit 3" } } }, { say: "went on" }],
    });
    expect(played.requests).toHaveLength(1);
    expect(played.end).toMatchObject({ because: "halted", reason: expect.stringContaining("enough") });
  });

  it("2.1.222: a hook's allow lifts no rule for a command in the background either (G1)", async () => {
    const settings = { ...before(decides("allow")), permissions: { deny: ["Bash(touch:*)"] } };
    const hidden: Call = ["Bash", { command: "touch made", run_in_background: true }];
    expect(await tryTouch(settings, {}, [hidden])).toMatchObject(NOT_RUN);
  });
});

describe("what a project may bring along", () => {
  it("2.1.51: fields with which other agents run commands run nothing here, approved or not (G17)", async () => {
    using folder = tempFolder();
    const marker = join(folder.path, "pwned");
    const run = { type: "command", command: `touch '${marker}'` };
    const names = ["apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "otelHeadersHelper"];
    const played = await playSession(folder.path, {
      settings: {
        statusLine: run,
        fileSuggestion: run,
        mcpServers: { evil: run },
        ...Object.fromEntries(names.map((name) => [name, run.command])),
      },
      scenario: [{ say: "done" }],
    });
    expect(existsSync(marker)).toBe(false);
    const said = played.events.flatMap((event) => (event.type === "notice" ? [event.text] : [])).join("\n");
    expect(said).toMatch(/not used by Wave: .*statusLine/);
  });

  it("2.1.232: a repository in a trusted one has its own trust, and it is said that the guards around it do not hold (G21)", async () => {
    using folder = tempFolder();
    const inner = join(folder.path, "project/vendor/inner");
    mkdirSync(join(inner, ".git"), { recursive: true });
    mkdirSync(join(inner, ".wave"));
    const settings = before(command("touch made", { name: "inner" }));
    writeFileSync(join(inner, ".wave/settings.json"), JSON.stringify(settings));
    const played = await playSession(folder.path, {
      settings: before(command("exit 2", { name: "outer" })),
      scenario: [{ call: { name: "Bash", arguments: { command: "true" } } }, { say: "done" }],
      options: { workdir: inner, trust: "store" },
    });
    expect(played.end.unanswered).toBe(true);
    expect(existsSync(join(inner, "made"))).toBe(false);
    const said = played.events.flatMap((event) => (event.type === "notice" ? [event.text] : [])).join("\n");
    expect(said).toContain(`hooks and rules of ${join(folder.path, "project")} do not hold here`);
  });

  it("2.1.49: a project switches neither the owner's hooks off nor the user's (G18)", async () => {
    using folder = tempFolder();
    const owner = join(folder.path, "owner.json");
    writeFileSync(owner, JSON.stringify(before(command("echo owner says no >&2; exit 2"))));
    const options = { managedSettingsFile: owner };
    const tried = await tryTouch({ disableAllHooks: true, hooks: {} }, options);
    expect(tried).toMatchObject({ ...NOT_RUN, result: "owner says no" });
    mkdirSync(join(folder.path, "home"));
    writeFileSync(
      join(folder.path, "home/settings.json"),
      JSON.stringify(before(command("echo user says no >&2; exit 2"))),
    );
    const ofUser = await attempt(folder.path, [touch], { settings: { disableAllHooks: true } });
    expect(ofUser.of(touch)).toEqual({ ran: false, result: "user says no" });
  });

  it("2.1.122, claude-code#75081, claude-code#82618, claude-code#49990: one malformed entry costs itself and is named, and a broken file is no file without guards (T49, G10, G11)", async () => {
    const bad: unknown[] = [
      { type: "command" },
      { type: "comand", command: "true" },
      "true",
      null,
      { type: "command", command: 5 },
    ];
    for (const entry of bad) {
      const hooks = { PreToolUse: [{ hooks: [entry, command("echo still here >&2; exit 2")] }], Stopp: [] };
      const { tried, ...rest } = await tryTouch({ hooks });
      expect(rest).toMatchObject({ ...NOT_RUN, result: expect.stringContaining("still here") });
      const notices = tried.played.events.flatMap((event) =>
        event.type === "notice" && event.level !== "info" ? [event.text] : [],
      );
      expect(notices.join("\n")).toMatch(/settings\.json:\d+ \(hooks\.PreToolUse\[0\]\.hooks\[0\]/);
    }
    using folder = tempFolder();
    mkdirSync(join(folder.path, "project/.wave"), { recursive: true });
    writeFileSync(join(folder.path, "project/.wave/settings.json"), '{ "hooks": {');
    await expect(attempt(folder.path, [touch])).rejects.toThrow(/settings\.json/);
  });
});

describe("matchers", () => {
  it("2.1.191, 2.1.195, 2.1.147, 2.1.163, 2.1.176, 2.1.89: lists, hyphens and conditions match what they say and nothing else (T131, G13)", async () => {
    using folder = tempFolder();
    const log = join(folder.path, "log");
    const notes = (name: string, more?: Entry) => command(`echo ${name} >> '${log}'`, { name, ...more });
    const settings = {
      hooks: {
        PreToolUse: [
          { matcher: "Write,Bash", hooks: [notes("commas")] },
          { matcher: "Write, Bash", hooks: [notes("blanks")] },
          { matcher: "a-Bash", hooks: [notes("hyphen")] },
          { matcher: "Bas", hooks: [notes("part")] },
          {
            matcher: "Bash",
            hooks: [notes("push", { if: "Bash(git push:*)" }), notes("secret", { if: "Read(./secrets/**)" })],
          },
        ],
      },
    };
    const heard = async (line: string) => {
      writeFileSync(log, "");
      await attempt(folder.path, [bash(line)], { settings });
      return readFileSync(log, "utf8").split("\n").filter(Boolean).toSorted();
    };
    expect(await heard("echo hi")).toEqual(["blanks", "commas"]);
    // What a push reads is not known: a condition that may be about it lets the hook speak.
    expect(await heard("cd . && git push")).toEqual(["blanks", "commas", "push", "secret"]);
    expect(await heard("cat ./src/../secrets/k")).toEqual(["blanks", "commas", "secret"]);
  });
});

describe("loops and doubles", () => {
  it("2.1.143: a Stop hook that always blocks ends the turn after eight times, aloud (T100, G14)", async () => {
    using folder = tempFolder();
    const played = await playSession(folder.path, {
      settings: { hooks: { Stop: [{ hooks: [command("echo again >> stops; echo more >&2; exit 2")] }] } },
      scenario: () => ({ say: "done" }),
    });
    const stops = readFileSync(join(folder.path, "project/stops"), "utf8").split("\n").length - 1;
    expect([stops, played.requests.length]).toEqual([8, 8]);
    expect(JSON.stringify(played.messages)).toContain("that was block 8 in a row");
  });

  it("2.1.78: a model that fails while a Stop hook blocks ends the turn, and the hook is not asked again (T104, G14)", async () => {
    using folder = tempFolder();
    const played = await playSession(folder.path, {
      settings: { hooks: { Stop: [{ hooks: [command("echo again >> stops; echo more >&2; exit 2")] }] } },
      scenario: [{ say: "done" }, { status: 400 }],
    });
    expect(played.end.because).toBe("model-error");
    expect(readFileSync(join(folder.path, "project/stops"), "utf8")).toBe("again\n");
  });

  it("2.1.73: after a session is resumed every hook runs once per event (G15)", async () => {
    using folder = tempFolder();
    const log = join(folder.path, "log");
    const notes = (event: string) => ({ [event]: [{ hooks: [command(`echo ${event} >> '${log}'`)] }] });
    const settings = {
      hooks: Object.assign(
        {},
        ...["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop"].map(notes),
      ) as object,
    };
    const script = () => [{ call: { name: "Bash", arguments: { command: "true" } } }, { say: "done" }];
    let id: string;
    {
      await using first = await liveAgent(folder.path, script(), { settings });
      await first.agent.sendMessage("one");
      id = first.agent.sessionId;
    }
    writeFileSync(log, "");
    await using again = await liveAgent(folder.path, script(), { options: { resume: id } });
    await again.agent.sendMessage("two");
    expect(readFileSync(log, "utf8").split("\n").filter(Boolean)).toEqual([
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "Stop",
    ]);
  });
});

describe("processes", () => {
  it("2.1.239: hooks and commands start also after the working folder was removed (T145, G43)", async () => {
    using folder = tempFolder();
    const calls = [bash("mkdir sub && cd sub"), bash('rmdir "$PWD"'), bash("echo alive")] as const;
    const tried = await attempt(folder.path, calls, { settings: before(command("echo x >> ../hooks")) });
    expect(tried.of(calls[2]).result).toContain("alive");
    expect(readFileSync(join(folder.path, "hooks"), "utf8")).toBe("x\nx\nx\n");
  });

  it("2.1.19, claude-code#85250, claude-code#86578: no child, no hook stuck before its start and none that waits outlives its time limit (T63, G37, G38)", async () => {
    using folder = tempFolder();
    const mark = `wave-incident-${folder.path}`;
    mkdirSync(join(folder.path, "project"));
    const stuck = (text: string, name: string) => command(text, { name, timeout: 0.4, onError: "block" });
    const settings = before(
      stuck("sleep 300 & sleep 300", "children"),
      stuck("mkfifo never; exec bash < never", "before-start"),
      stuck("mkfifo silent; read line < silent", "waits"),
    );
    const tried = await attempt(folder.path, [touch], {
      settings,
      options: { env: { ...process.env, WAVE_TEST_MARK: mark } },
    });
    expect(tried.of(touch).ran).toBe(false);
    for (const name of ["children", "before-start", "waits"]) expect(tried.of(touch).result).toContain(name);
    await waitFor("all of them to end", () => processesWith(mark).length === 0);
  });

  it("2.1.207: no value is pasted into the text of a command (G44)", async () => {
    using folder = tempFolder();
    const evil = `$(touch pwned)\`touch pwned\`'; touch pwned; "; touch pwned; #`;
    const hook = command(`printf '%s' "$1" > seen`);
    await playSession(folder.path, {
      settings: { hooks: { UserPromptSubmit: [{ hooks: [hook] }] }, env: { VALUE: evil } },
      scenario: [{ say: "done" }],
      prompt: evil,
    });
    expect(readFileSync(join(folder.path, "project/seen"), "utf8")).toBe(evil);
    expect(existsSync(join(folder.path, "project/pwned"))).toBe(false);
  });
});

const ODD = ["toString", "constructor", "__proto__", "hasOwnProperty"];

describe("odd names", () => {
  it("2.1.97, 2.1.98: rules and keys named like a property of every object are read like any other (G35)", async () => {
    const settings = JSON.stringify({ permissions: { deny: [...ODD, "Bash(touch:*)"], allow: ODD } });
    const odd = settings.replace(
      /\}$/,
      `,${ODD.map((name) => `"${name}":1`).join()},"hooks":{"__proto__":[]}}`,
    );
    expect(settingsOf(odd).permissions.rules).toHaveLength(2 * ODD.length + 1);
    expect(await tryTouch(JSON.parse(settings) as object)).toMatchObject(NOT_RUN);
  });

  it("2.1.221: a call of a tool with such a name is answered like one of any other unknown tool (G35)", async () => {
    const calls = ODD.map((name): Call => [name, {}]);
    const { tried } = await tryTouch(
      { hooks: { PreToolUse: [{ matcher: "constructor", hooks: [] }] } },
      {},
      calls,
    );
    for (const [at, call] of calls.entries())
      expect(tried.of(call)).toEqual({
        ran: false,
        result: expect.stringContaining(`There is no tool named ${ODD[at]}`),
      });
  });
});

describe("time limits", () => {
  it("2.1.3: a hook has ten minutes if nothing else is said, and may say so without a word (T197)", () => {
    const { hooks, problems } = settingsOf(before(command("true"), command("false", { timeout: 600 })));
    expect(hooks.map(({ timeoutMs }) => timeoutMs)).toEqual([600_000, 600_000]);
    expect(problems).toEqual([]);
  });
});

describe("reports that were still open", () => {
  it("claude-code#37210: a hook's deny holds for every tool that edits (G1)", async () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "project"));
    writeFileSync(join(folder.path, "project/a.txt"), "a");
    const edit = { old_string: "a", new_string: "b" };
    const calls: Call[] = [
      ["Edit", { file_path: "a.txt", ...edit }],
      ["MultiEdit", { file_path: "a.txt", edits: [edit] }],
      ["Write", { file_path: "a.txt", content: "b" }],
    ];
    const settings = {
      hooks: { PreToolUse: [{ matcher: "Edit|MultiEdit|Write", hooks: [decides("deny")] }] },
    };
    const tried = await attempt(folder.path, calls, { settings });
    expect(calls.map((call) => tried.of(call).ran)).toEqual([false, false, false]);
    expect(readFileSync(join(folder.path, "project/a.txt"), "utf8")).toBe("a");
  });

  it("claude-code#26923, claude-code#13756: a hook's deny holds for commands, also in the background (G1)", async () => {
    const settings = { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [decides("deny")] }] } };
    const calls: Call[] = [touch, ["Bash", { command: "touch made", run_in_background: true }]];
    const { tried, made } = await tryTouch(settings, { permissions: { allow: ["Bash"] } }, calls);
    expect([...calls.map((call) => tried.of(call).ran), made]).toEqual([false, false, false]);
  });

  it("claude-code#84302: a hook that was killed has agreed to nothing (T4, T5, G5)", async () => {
    const killed = command("kill -KILL $$", { name: "killed" });
    expect(await tryTouch(before({ ...killed, onError: "block" }))).toMatchObject(NOT_RUN);
    expect(await tryTouch(before({ ...killed, onError: "ask" }))).toMatchObject(NOT_RUN);
    // By default the call goes on to where it would have gone without the hook: in this mode a question.
    const tried = await tryTouch(before(killed), { permissionMode: "default" });
    expect(tried).toMatchObject(NOT_RUN);
    expect(JSON.stringify(tried.tried.played.messages)).toMatch(/killed.*SIGKILL/);
  });

  it("claude-code#80697: a guard that cannot start and blocks everything is named, and can be switched off without a call (T8)", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(
      folder.path,
      [
        { call: { name: "Bash", arguments: { command: "touch made" } } },
        { say: "1" },
        { call: { name: "Bash", arguments: { command: "touch made" } } },
        { say: "2" },
      ],
      { settings: before(command("python3 no-such-script.py", { name: "lost" })) },
    );
    await live.agent.sendMessage("one");
    const result = blocksOf(live.agent.messages, "tool")[0]?.result ?? "";
    expect(result).toContain("no-such-script.py");
    expect(existsSync(join(folder.path, "project/made"))).toBe(false);
    const [lost] = live.agent.hooks;
    expect(live.agent.switchHook(lost?.id ?? "", false)).toBe(true);
    await live.agent.sendMessage("two");
    expect(existsSync(join(folder.path, "project/made"))).toBe(true);
  });

  it("claude-code#75915: a rewrite survives another hook's ask, is what is shown, and is what runs (T91, G8)", async () => {
    const shown: unknown[] = [];
    const { made } = await tryTouch(before(rewrites({ command: "touch other" }), decides("ask")), {
      onPermissionRequest: ({ input }) => (shown.push(input["command"]), { decision: "allow" }),
    });
    expect([shown, made]).toEqual([["touch other"], false]);
  });

  it("claude-code#65393: a rewrite that wraps a command makes no question of a deny rule (T96, G8)", async () => {
    const settings = {
      ...before(rewrites({ command: "env -i touch made" }), decides("allow")),
      permissions: { deny: ["Bash(touch:*)"] },
    };
    const asked: unknown[] = [];
    const tried = await tryTouch(settings, {
      onPermissionRequest: (request) => (asked.push(request), { decision: "allow" }),
    });
    expect([tried.ran, tried.made, asked]).toEqual([false, false, []]);
  });

  it("cline#13301: a later rewrite that is no object never brings the original input back (G9)", async () => {
    for (const broken of ["text", ["touch made"], 5, { command: 5 }]) {
      const tried = await tryTouch(
        before(rewrites({ command: "true" }), { ...rewrites(broken), onError: "block" }),
      );
      expect([broken, tried.made]).toEqual([broken, false]);
    }
  });

  it("wellness#337: 44 guards on one call all run, and the one that says no is heard (T10, G47)", async () => {
    using folder = tempFolder();
    const log = join(folder.path, "log");
    const guards = Array.from({ length: 44 }, (_, at) =>
      command(`echo ${at} >> '${log}'${at === 43 ? "; exit 2" : ""}`, { name: `guard ${at}` }),
    );
    mkdirSync(join(folder.path, "project"));
    const look: Call = ["LS", { path: "." }];
    const tried = await attempt(folder.path, [look], { settings: before(...guards) });
    expect(tried.of(look).ran).toBe(false);
    expect(readFileSync(log, "utf8").split("\n").filter(Boolean)).toHaveLength(44);
  });
});

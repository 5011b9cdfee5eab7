import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { HookDefinition, HookFunction } from "../../src/hooks/definition.ts";
import { commonFields, HOOK_EVENT_NAMES, HOOK_EVENTS } from "../../src/hooks/events.ts";
import type { HookExecutionResult } from "../../src/hooks/result.ts";
import { readVerdict } from "../../src/hooks/verdict.ts";
import { executeHooks, type HookRunContext } from "../../src/services/hook.ts";
import { commandHook, FACTS, hookContext, hookOf } from "../support/runHooks.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { functionAction, unsupportedAction } from "../support/actions.ts";

/** Runs one command as a PreToolUse hook in a folder of its own. */
async function runOne(
  command: string,
  more: { hook?: Partial<HookDefinition>; context?: Partial<HookRunContext> } = {},
) {
  using folder = tempFolder();
  // Awaited here: the folder is removed when this function ends.
  return await onlyResult(hookContext(folder.path, more.context), commandHook(command, more.hook));
}

async function onlyResult(context: HookRunContext, hook: HookDefinition): Promise<HookExecutionResult> {
  const [result] = await executeHooks(hook.event, context, [hook]);
  if (!result) throw new Error("there is no result");
  return result;
}

function runFunction(
  run: HookFunction,
  more: { hook?: Partial<HookDefinition>; context?: Partial<HookRunContext> } = {},
) {
  return onlyResult(hookContext("/", more.context), hookOf(functionAction(run), more.hook));
}

describe("the result of a command hook", () => {
  it.each([
    ["exit 0", { success: true, exitCode: 0, timedOut: false }],
    ["echo no >&2; exit 2", { success: false, exitCode: 2, stderr: "no\n", timedOut: false }],
    ["exit 255", { success: false, exitCode: 255, timedOut: false }],
    ["no-such-program", { success: false, exitCode: 127, timedOut: false }],
    ["/", { success: false, exitCode: 126, timedOut: false }],
  ])(
    "of %s tells its exit code, and success only for 0 (FR-001, FR-002, FR-003)",
    async (command, expected) => {
      expect(await runOne(command)).toMatchObject(expected);
    },
  );

  it("has the six fields of the contract and who the hook is (FR-001)", async () => {
    expect(await runOne("echo out; echo err >&2")).toEqual({
      success: true,
      exitCode: 0,
      stdout: "out\n",
      stderr: "err\n",
      duration: expect.any(Number),
      timedOut: false,
      hook: { name: "guard", source: "/project/.wave/settings.json:3" },
    });
  });

  it("after a timeout has no exit code, and the time that was given (T63)", async () => {
    const result = await runOne("sleep 300", { hook: { timeoutMs: 250 } });
    expect(result).toMatchObject({ success: false, timedOut: true, stdout: "", duration: 250 });
    expect(result).not.toHaveProperty("exitCode");
  });

  it("after a signal has the signal and no exit code (G43)", async () => {
    const result = await runOne("kill -KILL $$");
    expect(result).toMatchObject({ success: false, timedOut: false, signal: "SIGKILL" });
    expect(result).not.toHaveProperty("exitCode");
  });

  it("after an interrupt says so (T64)", async () => {
    const turn = new AbortController();
    const done = runOne("sleep 300", {
      context: { signal: turn.signal, onStarted: () => setTimeout(() => turn.abort(), 50) },
    });
    const result = await done;
    expect(result).toMatchObject({ success: false, timedOut: false, aborted: true });
    expect(result).not.toHaveProperty("exitCode");
  });

  it("says how many bytes were not kept (T68, G41)", async () => {
    const result = await runOne("head -c 3000000 /dev/zero | tr '\\0' x; echo short >&2");
    expect(result).toMatchObject({
      success: true,
      stderr: "short\n",
      truncated: { stdout: 3_000_000 - 1024 * 1024, stderr: 0 },
    });
    expect(result.stdout).toContain(`[… ${(3_000_000 - 1024 * 1024).toLocaleString("en-US")} bytes cut …]`);
  });

  it("has denied also when the reason is too long to keep (G41, JO-7)", async () => {
    const reason = "head -c 3000000 /dev/zero | tr '\\0' x";
    const result = await runOne(`printf '{"decision":"block","reason":"'; ${reason}; printf '"}\\n'`);
    const verdict = readVerdict("PreToolUse", result, { name: "long", source: "s", onError: "continue" });
    expect(verdict).toMatchObject({ decision: "deny", decidedBy: "hook" });
    expect(verdict.reason?.text).toMatch(/^x+$/);
    expect(verdict.warnings).toEqual([expect.stringContaining("Wave cut its JSON in the middle")]);
  });
});

describe("a hook that could not be started", () => {
  it("because its script lost the execute bit says so, and is no exit code (T58)", async () => {
    using folder = tempFolder();
    const script = join(folder.path, "check.sh");
    writeFileSync(script, "#!/bin/sh\nexit 0\n", { mode: 0o644 });
    expect(await onlyResult(hookContext(folder.path), commandHook("./check.sh"))).toEqual({
      success: false,
      duration: 0,
      timedOut: false,
      error: { way: "not-started", message: `was not started: not executable: ${script}` },
      hook: expect.anything(),
    });
  });

  it("because the project's folder is gone names the folder, not the command (G43)", async () => {
    const result = await onlyResult(hookContext("/nowhere/project"), commandHook("exit 0"));
    expect(result).toMatchObject({
      success: false,
      error: {
        way: "not-started",
        message: expect.stringContaining("The folder /nowhere/project does not exist"),
      },
    });
  });

  it("because its #! line names nothing says what it names (G43)", async () => {
    using folder = tempFolder();
    writeFileSync(join(folder.path, "check.sh"), "#!/nowhere/bash\n", { mode: 0o755 });
    expect(await onlyResult(hookContext(folder.path), commandHook("./check.sh"))).toMatchObject({
      error: {
        way: "not-started",
        message: expect.stringContaining("names /nowhere/bash, which does not exist"),
      },
    });
  });

  it("because the environment is too large is a value like any other (G43)", async () => {
    const env = { PATH: "/usr/bin:/bin", HUGE: "x".repeat(200_000) };
    expect(await runOne("exit 0", { context: { env } })).toMatchObject({
      error: { way: "not-started", message: expect.stringContaining("larger than the system allows") },
    });
  });

  it("because Wave does not have its kind yet is not run half-understood (G5)", async () => {
    const hook = hookOf(unsupportedAction("hooks of type http do not exist yet"));
    expect(await onlyResult(hookContext("/"), hook)).toMatchObject({
      success: false,
      error: { way: "not-understood", message: "was not run: hooks of type http do not exist yet" },
    });
  });

  it("because its input cannot be written is a value too (G5)", async () => {
    const input: Record<string, unknown> = {};
    input["tool_response"] = { input };
    expect(await runOne("exit 0", { context: { input } })).toMatchObject({
      success: false,
      error: { way: "no-input", message: expect.stringContaining("cannot be written as JSON") },
    });
  });
});

describe("what a hook reads on stdin", () => {
  it("is one line of compact ASCII in a fixed order, then the end of the file (T114)", async () => {
    const context = {
      input: { ...hookContext("/p").input, tool_input: { command: "echo 'ä 日本 😀 \u2028'" } },
    };
    const { stdout = "" } = await runOne("cat", { context });
    expect(stdout).toMatch(/^[\x20-\x7e]*\n$/);
    expect(JSON.parse(stdout)).toEqual({ ...context.input, hook_event_name: "PreToolUse" });
    expect(Object.keys(JSON.parse(stdout))).toEqual([
      "session_id",
      "transcript_path",
      "cwd",
      "permission_mode",
      "interactive",
      "entrypoint",
      "hook_event_name",
      "tool_name",
      "tool_input",
      "tool_use_id",
      "affected_paths",
      "analysis",
      "pass",
    ]);
  });

  it.each(HOOK_EVENT_NAMES)("fits the schema of %s (JO-9)", async (event) => {
    using folder = tempFolder();
    const common = Object.entries(hookContext(folder.path).input).filter(([name]) =>
      commonFields().includes(name),
    );
    const input = { ...Object.fromEntries(common), ...FACTS[event] };
    const result = await onlyResult(hookContext(folder.path, { input }), commandHook("cat", { event }));
    expect(
      HOOK_EVENTS[event]
        .input()
        .strict()
        .parse(JSON.parse(result.stdout ?? "")),
    ).toEqual({
      ...input,
      hook_event_name: event,
    });
  });

  it.each([
    ["cat /dev/stdin", "bash"],
    ['input=$(</dev/stdin); printf "%s\\n" "$input"', "bash"],
    [`'${process.execPath}' -e 'process.stdout.write(fs.readFileSync("/dev/stdin", "utf8"))'`, "Node"],
  ])("can be opened by name: %s", async (command) => {
    const { stdout = "" } = await runOne(command);
    expect(JSON.parse(stdout)).toMatchObject({ hook_event_name: "PreToolUse", session_id: "session-1" });
  });

  it("is whole where the arguments were cut (T66)", async () => {
    const command = "x".repeat(10 * 1024 * 1024);
    const input = { ...hookContext("/p").input, tool_input: { command } };
    const counted = await runOne('wc -c; echo "${#2} $WAVE_ARGS_CUT"', { context: { input } });
    expect(counted).toMatchObject({ exitCode: 0, argsCut: true });
    const [bytes = "", rest = ""] = (counted.stdout ?? "").trim().split("\n");
    expect(Number(bytes)).toBeGreaterThan(command.length);
    expect(rest).toBe(`${32 * 1024} 1`);
  });

  it("needs not be read at all, whatever its size (T66, G40)", async () => {
    const input = { ...hookContext("/p").input, tool_input: { command: "x".repeat(10 * 1024 * 1024) } };
    expect(await runOne("exit 2", { context: { input } })).toMatchObject({ exitCode: 2 });
  });
});

describe("the arguments of a script", () => {
  it.each([
    ["UserPromptSubmit", ["do it"]],
    ["PreToolUse", ["Bash", '{"command":"ls"}']],
    ["PostToolUse", ["Bash", "a"]],
    ["Stop", []],
  ] as const)("of %s are those that the scripts of the seeds read (T135)", async (event, args) => {
    using folder = tempFolder();
    writeFileSync(join(folder.path, "show args.sh"), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    const input = { ...FACTS[event] };
    const byFile = await onlyResult(
      hookContext(folder.path, { input }),
      commandHook("./show args.sh", { event }),
    );
    const byText = await onlyResult(
      hookContext(folder.path, { input }),
      commandHook('printf "%s\\n" "$@"', { event }),
    );
    expect(byFile.stdout?.trim()).toBe(args.join("\n"));
    expect(byText.stdout?.trim()).toBe(args.join("\n"));
  });

  it("are data, whatever they contain (G44)", async () => {
    using folder = tempFolder();
    const prompt = `'; touch owned; $(touch owned) \`touch owned\` "$(touch owned)`;
    const input = { prompt };
    const result = await onlyResult(
      hookContext(folder.path, { input }),
      commandHook('printf %s "$1"', { event: "UserPromptSubmit" }),
    );
    expect(result.stdout).toBe(prompt);
    expect(existsSync(join(folder.path, "owned"))).toBe(false);
  });

  it("that fit leave neither a variable nor a mark", async () => {
    const result = await runOne('echo "cut=$WAVE_ARGS_CUT $1"');
    expect(result.stdout).toBe("cut= Bash\n");
    expect(result).not.toHaveProperty("argsCut");
  });
});

describe("around a hook", () => {
  it("its folder is the project's root, whatever the session's is (T142, T145)", async () => {
    using folder = tempFolder();
    const input = { ...hookContext(folder.path).input, cwd: "/nowhere/any/more" };
    expect(await onlyResult(hookContext(folder.path, { input }), commandHook("pwd -P"))).toMatchObject({
      stdout: `${folder.path}\n`,
    });
  });

  it("its folder is the session's when it says so, as long as that is there (T143, T145)", async () => {
    using folder = tempFolder();
    const session = join(folder.path, "sub folder");
    mkdirSync(session);
    const startedIn = async (cwd: string) => {
      const input = { ...hookContext(folder.path).input, cwd };
      const hook = commandHook("pwd -P", { cwd: "session" });
      return (await onlyResult(hookContext(folder.path, { input }), hook)).stdout?.trim();
    };
    expect(await startedIn(session)).toBe(session);
    expect(await startedIn("/nowhere/any/more")).toBe(folder.path);
  });

  it("its environment says where and what for, and has what Wave's own has (T135, T146)", async () => {
    using folder = tempFolder();
    const names = [
      "WAVE_PROJECT_DIR",
      "CLAUDE_PROJECT_DIR",
      "WAVE_SESSION_ID",
      "WAVE_HOOK_EVENT",
      "CLAUDECODE",
      "CLAUDE_CODE_SESSION_ID",
      "PYTHONUTF8",
      "PYTHONIOENCODING",
    ];
    const result = await onlyResult(
      hookContext(folder.path),
      commandHook(names.map((name) => `echo "$${name}"`).join(";")),
    );
    expect(result.stdout?.trim().split("\n")).toEqual([
      folder.path,
      folder.path,
      "session-1",
      "PreToolUse",
      "1",
      "session-1",
      "1",
      "utf-8",
    ]);
  });

  it("a setting of the user's for Python is left alone (T114)", async () => {
    const env = { PATH: "/usr/bin:/bin", PYTHONUTF8: "0", PYTHONIOENCODING: "latin-1" };
    expect(await runOne('echo "$PYTHONUTF8 $PYTHONIOENCODING"', { context: { env } })).toMatchObject({
      stdout: "0 latin-1\n",
    });
  });

  it("the model's key is there only for a hook that names it (T189, G44)", async () => {
    const context = { withheld: { WAVE_API_KEY: "secret", OPENAI_API_KEY: "other" } };
    const command = 'echo "[$WAVE_API_KEY][$OPENAI_API_KEY]"';
    expect(await runOne(command, { context })).toMatchObject({ stdout: "[][]\n" });
    expect(await runOne(command, { context, hook: { passEnv: ["WAVE_API_KEY", "NO_SUCH"] } })).toMatchObject({
      stdout: "[secret][]\n",
    });
  });

  it.each([
    ["BASH_ENV", { BASH_ENV: "HOME/greeting" }],
    ["ENV", { ENV: "HOME/greeting" }],
    [".bashrc, which bash reads when its stdin is a socket", {}],
    ["a login by ssh", { SSH_CLIENT: "1.2.3.4 5 6", SSH2_CLIENT: "1.2.3.4 5 6" }],
  ])("no profile speaks before it: %s (T113)", async (_what, more) => {
    using home = tempFolder("home");
    for (const file of ["greeting", ".bashrc", ".profile", ".bash_profile"])
      writeFileSync(join(home.path, file), "echo GREETING\n");
    const given = Object.entries(more).map(([name, value]) => [name, value.replace("HOME", home.path)]);
    // Without SHLVL, as when Wave is started by something that is not a shell.
    const env = { PATH: "/usr/bin:/bin", HOME: home.path, ...Object.fromEntries(given) };
    expect(await runOne("echo '{}'", { context: { env } })).toMatchObject({ stdout: "{}\n" });
  });

  it("no startup file of the person's shell runs, also not where a hook starts a shell of its own (T135, G44)", async () => {
    using folder = tempFolder();
    writeFileSync(join(folder.path, ".bashrc"), "echo from bashrc");
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder.path };
    const context = hookContext(folder.path, { env });
    for (const command of ["bash -c 'echo hi'", "exec bash -c 'echo hi'", "sh -c \"bash -c 'echo hi'\""])
      expect((await onlyResult(context, commandHook(command))).stdout).toBe("hi\n");
  });

  it("there is no terminal to draw on (G46)", async () => {
    expect(await runOne("echo x 2>/dev/null >/dev/tty || echo none")).toMatchObject({ stdout: "none\n" });
  });

  it("a script without a #! line is run by bash, as its author saw it run", async () => {
    using folder = tempFolder();
    writeFileSync(join(folder.path, "check"), '[[ $1 == B* ]] && echo "bash here"\n', { mode: 0o755 });
    expect(await onlyResult(hookContext(folder.path), commandHook("./check"))).toMatchObject({
      stdout: "bash here\n",
    });
  });

  it("a folder with a space that the command forgot to quote gets a hint beside the shell's own words (T135)", async () => {
    using folder = tempFolder("my project");
    const result = await onlyResult(
      hookContext(folder.path),
      commandHook("$CLAUDE_PROJECT_DIR/check.sh --strict"),
    );
    expect(result).toMatchObject({
      exitCode: 127,
      stderr: expect.stringContaining('write "$CLAUDE_PROJECT_DIR" with quotes'),
    });
  });
});

describe("several hooks", () => {
  it("answer in declared order, whichever is done first (T90)", async () => {
    using folder = tempFolder();
    const hooks = ["sleep 0.3; echo one", "sleep 0.1; echo two", "echo three"].map((command) =>
      commandHook(command),
    );
    const results = await executeHooks("PreToolUse", hookContext(folder.path), hooks);
    expect(results.map((result) => result.stdout)).toEqual(["one\n", "two\n", "three\n"]);
  });

  it("run at the same time: each waits here for the other (T130)", async () => {
    using folder = tempFolder();
    const meet = (mine: string, other: string) =>
      commandHook(`touch ${mine}; until [ -e ${other} ]; do sleep 0.01; done; echo met`);
    const results = await executeHooks("PreToolUse", hookContext(folder.path), [
      meet("a", "b"),
      meet("b", "a"),
    ]);
    expect(results.map((result) => result.stdout)).toEqual(["met\n", "met\n"]);
  });

  it("are never more than eight at once, and every one runs (G47)", async () => {
    let running = 0;
    let most = 0;
    const context = hookContext("/", {
      onStarted: () => (most = Math.max(most, ++running)),
      onFinished: () => running--,
    });
    const results = await executeHooks(
      "PreToolUse",
      context,
      Array.from({ length: 50 }, (_, index) => commandHook(`echo ${index}`)),
    );
    expect(most).toBe(8);
    expect(results.map((result) => result.stdout)).toEqual(
      Array.from({ length: 50 }, (_, index) => `${index}\n`),
    );
  });

  it("each say once that they started and once how they finished, also when interrupted (T153)", async () => {
    const turn = new AbortController();
    const seen: string[] = [];
    const context = hookContext("/", {
      signal: turn.signal,
      onStarted: (hook) => seen.push(`started ${hook.name}`),
      onFinished: (hook, result) => {
        seen.push(`finished ${hook.name} ${result.aborted ? "aborted" : result.exitCode}`);
        turn.abort();
      },
    });
    await executeHooks("PreToolUse", context, [
      commandHook("exit 0", { name: "quick" }),
      commandHook("sleep 300", { name: "slow" }),
    ]);
    expect(seen).toEqual(["started quick", "started slow", "finished quick 0", "finished slow aborted"]);
  });

  it("of an interrupted turn that had not begun do not begin (T64)", async () => {
    using folder = tempFolder();
    const context = hookContext(folder.path, { signal: AbortSignal.abort() });
    const [result] = await executeHooks("PreToolUse", context, [commandHook("touch started")]);
    expect(result).toMatchObject({ success: false, aborted: true, timedOut: false });
    expect(existsSync(join(folder.path, "started"))).toBe(false);
  });

  it("at the end of a session share five seconds, also those that had to wait (T155)", async () => {
    const before = performance.now();
    const hooks = Array.from({ length: 10 }, () =>
      commandHook("sleep 300", { event: "SessionEnd", timeoutMs: 5_000, sharesTime: true }),
    );
    const results = await executeHooks("SessionEnd", hookContext("/", { input: FACTS.SessionEnd }), hooks);
    // A bound for a hang: one hook after the other would take far longer.
    expect(performance.now() - before).toBeLessThan(40_000);
    expect(results.map((result) => result.timedOut)).toEqual(Array.from({ length: 10 }, () => true));
    expect(Math.max(...results.map((result) => result.duration))).toBeLessThanOrEqual(5_000);
  });

  it("at the end of a session have the time that they ask for, when they do (SPEC 6)", async () => {
    const hook = commandHook("sleep 5.2; echo done", { event: "SessionEnd", timeoutMs: 40_000 });
    const context = hookContext("/", { input: FACTS.SessionEnd });
    expect(await executeHooks("SessionEnd", context, [hook])).toMatchObject([{ success: true }]);
  });

  it("of any number can be none", async () => {
    expect(await executeHooks("Stop", hookContext("/"), [])).toEqual([]);
  });
});

describe("a hook that is a function", () => {
  it("gets the input a process would read, as a copy of its own, and answers as one would (T132, T150)", async () => {
    const context = hookContext("/");
    const given = structuredClone(context.input);
    const run: HookFunction = (input) => {
      Object.assign(input, { cwd: "changed" });
      return { systemMessage: `${input.hook_event_name} of ${input.session_id}` };
    };
    const result = await onlyResult(context, hookOf(functionAction(run)));
    expect(result).toMatchObject({
      success: true,
      exitCode: 0,
      stdout: '{"systemMessage":"PreToolUse of session-1"}',
      stderr: "",
      timedOut: false,
    });
    expect(context.input).toEqual(given);
  });

  it.each([
    ["nothing", undefined, ""],
    ["null", null, ""],
    ["an empty object", {}, "{}"],
  ])("that returns %s said nothing (T31)", async (_what, returned, stdout) => {
    const run = Object.assign(() => returned) as HookFunction;
    expect(await runFunction(run)).toMatchObject({ success: true, exitCode: 0, stdout });
  });

  it.each([
    ["a text", () => "hello", /a text \("hello"\) instead of an object/],
    ["false", () => false, /false instead/],
    ["a number", () => 5, /5 instead/],
    ["a list", () => [1], /a list instead/],
    ["a function", () => () => ({ decision: "block" }), /a function instead/],
    [
      "a generator",
      function* () {
        yield { decision: "block" };
      },
      /a Generator instead/,
    ],
    [
      "an async generator",
      async function* () {
        yield { decision: "block" };
      },
      /an AsyncGenerator instead/,
    ],
    [
      "a promise of a generator",
      async () =>
        (function* () {
          yield { decision: "block" };
        })(),
      /a Generator instead/,
    ],
    ["a Map", () => new Map([["decision", "block"]]), /a Map instead/],
    ["an error instead of throwing it", () => new Error("no"), /an Error instead/],
    ["an object of a class", () => new (class Verdict {})(), /a Verdict instead/],
    ["an object Wave finds nothing in", () => ({ permissionDecison: "deny" }), /permissionDecison/],
    ["what JSON cannot hold", () => ({ decision: 10n }), /BigInt/],
  ])("that returns %s could not decide (T152)", async (_what, run, message) => {
    expect(await runFunction(run as HookFunction)).toMatchObject({
      success: false,
      error: { way: "broken-output", message: expect.stringMatching(message) },
    });
  });

  it("that returns an object of a class of its own decides what it says (T152)", async () => {
    class Verdict {
      decision = "block";
    }
    const run = Object.assign(() => new Verdict()) as unknown as HookFunction;
    expect(await runFunction(run)).toMatchObject({ success: true, stdout: '{"decision":"block"}' });
  });

  it.each([
    ["throws", () => Promise.reject(new Error("out of order"))],
    [
      "throws before it returns a promise",
      () => {
        throw new Error("out of order");
      },
    ],
  ])("that %s failed, without an exit code (T150)", async (_what, run) => {
    const result = await runFunction(run);
    expect(result).toMatchObject({
      success: false,
      timedOut: false,
      error: { way: "threw", message: "threw: out of order" },
    });
    expect(result).not.toHaveProperty("exitCode");
  });

  it("that returns what JSON cannot hold failed (T152)", async () => {
    const round: Record<string, unknown> = {};
    round["systemMessage"] = round;
    expect(await runFunction(Object.assign(() => round) as HookFunction)).toMatchObject({
      success: false,
      error: { way: "broken-output", message: expect.stringContaining("cannot be written as JSON") },
    });
  });

  it("that takes too long is timed out, and told by its signal (T150)", async () => {
    let told = false;
    const run: HookFunction = async (_input, { signal }) => {
      signal.addEventListener("abort", () => (told = true));
      await sleep(60_000, undefined, { ref: false });
      return undefined;
    };
    const result = await runFunction(run, { hook: { timeoutMs: 50 } });
    expect(result).toMatchObject({ success: false, timedOut: true, duration: 50 });
    expect(result).not.toHaveProperty("exitCode");
    expect(told).toBe(true);
  });

  it("is told of an interrupt, and does not hold it up (T64)", async () => {
    const turn = new AbortController();
    const run: HookFunction = () => new Promise(() => turn.abort());
    expect(await runFunction(run, { context: { signal: turn.signal } })).toMatchObject({
      success: false,
      aborted: true,
      timedOut: false,
    });
  });
});

it("a hook may be replaced by another file while Wave runs, and the next event runs the new one", async () => {
  using folder = tempFolder();
  const file = join(folder.path, "check.sh");
  const results: (string | undefined)[] = [];
  for (const word of ["old", "new"]) {
    writeFileSync(file, `#!/bin/sh\necho ${word}\n`);
    chmodSync(file, 0o755);
    results.push((await onlyResult(hookContext(folder.path), commandHook("./check.sh"))).stdout);
  }
  expect(results).toEqual(["old\n", "new\n"]);
});

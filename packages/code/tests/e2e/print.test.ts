import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { resultSchema, streamEventSchema } from "../../src/output/schema.ts";
import { makeProject, type Project } from "../support/project.ts";
import { runWave, startWave } from "../support/runWave.ts";

const bash = (command: string) => ({ call: { name: "Bash", arguments: { command } } });

/** A project whose hooks do one of everything, and a model that provokes them. */
function lively(project: Project) {
  project.hook("UserPromptSubmit", "echo ticket 12", { name: "ticket" });
  project.hook("PreToolUse", `case "$(cat)" in *forbidden*) echo 'not allowed' >&2; exit 2;; esac`, {
    matcher: "Bash",
    name: "guard",
  });
  project.hook("PostToolUse", "echo 'it broke' >&2; exit 1", { matcher: "Bash", name: "flaky" });
  project.hook("Stop", "[ -f once ] && exit 0; touch once; echo 'one more' >&2; exit 2", { name: "again" });
  return startScriptedModel([
    { say: "I try.", ...bash("touch forbidden") },
    { ...bash("echo ran") },
    { say: "first answer" },
    { say: "final answer" },
  ]);
}

const lines = (text: string) => text.split("\n").filter((line) => line !== "");

describe("wave -p", () => {
  it("prints the answer on stdout and everything else on stderr", async () => {
    using project = makeProject();
    await using model = await lively(project);
    const run = await runWave(["-p", "--allowed-tools", "Bash(echo ran)", "go"], { project, model });
    expect({ status: run.status, stdout: run.stdout }).toEqual({ status: 0, stdout: "final answer\n" });
    expect(lines(run.stderr)).toEqual([
      "note: 4 hooks of this project will run, from .wave/settings.json",
      expect.stringMatching(
        /^hook: ticket \(UserPromptSubmit, \.wave\/settings\.json:\d+\) told the model: ticket 12$/,
      ),
      "blocked by guard: not allowed (Bash did not run)",
      expect.stringMatching(
        /^hook failed: flaky \(\.wave\/settings\.json:\d+\) ended with exit code 1: it broke; onError for crash says continue: the turn goes on; run its command by hand/,
      ),
      expect.stringMatching(/^hook: again \(Stop, \.wave\/settings\.json:\d+\) told the model: one more$/),
      "warning: something went on although a hook failed, because its onError says continue: flaky (PostToolUse, crash) once",
    ]);
    expect(existsSync(join(project.folder, "forbidden"))).toBe(false);
  });

  it("is wrong usage with a rule that cannot work, before anything runs", async () => {
    using project = makeProject();
    project.hook("SessionStart", "touch ran");
    await using model = await startScriptedModel([]);
    const run = await runWave(["-p", "--disallowed-tools", "Bsh(rm:*)", "go"], { project, model });
    expect(run).toMatchObject({ status: 2, stdout: "" });
    expect(run.stderr).toContain(
      '--disallowed-tools: "Bsh(rm:*)" names no tool of Wave; did you mean "Bash(rm:*)"?',
    );
    expect(existsSync(join(project.folder, "ran"))).toBe(false);
    expect(model.requests).toEqual([]);
  });

  it("prints one result object with --output-format json, also the answers that were sent back (T105)", async () => {
    using project = makeProject();
    await using model = await lively(project);
    const run = await runWave(["-p", "--output-format", "json", "--allowed-tools", "Bash(echo ran)", "go"], {
      project,
      model,
    });
    expect(lines(run.stdout)).toHaveLength(1);
    const result = resultSchema.parse(JSON.parse(run.stdout));
    expect(result).toMatchObject({
      subtype: "success",
      is_error: false,
      result: "final answer",
      exit_status: 0,
      num_turns: 4,
      permission_denials: [
        {
          tool_name: "Bash",
          tool_input: { command: "touch forbidden" },
          reason: "not allowed",
          by: "hook guard",
        },
      ],
      hooks: { ran: 6, deny: 2, none: 3, could_not_decide: 1, failed_open: 1 },
      failed_open: [{ event: "PostToolUse", hook: "flaky", kind: "crash", count: 1 }],
      answers: [{ text: "first answer", sent_back_by: "hook again", reason: "one more" }],
    });
    expect(project.sessionFiles()[0]).toContain(result.session_id);
    expect(result.usage.input_tokens).toBeGreaterThan(0);
  });

  it("names a call that needs approval and the flag with which it runs, and hooks explain names them too (PD-3)", async () => {
    using project = makeProject();
    const call = { call: { id: "c1", name: "Bash", arguments: { command: `touch "it's"` } } };
    await using model = await startScriptedModel([call, { say: "No." }, call, { say: "Yes." }]);
    const denied = await runWave(["-p", "try"], { project, model });
    expect(denied.status).toBe(4);
    const flag = /^not run: touch "it's" \(needs approval; allow it with --allowed-tools '(.*)'\)$/m.exec(
      denied.stderr,
    );
    const rule = (flag?.[1] ?? "").replaceAll(String.raw`'\''`, "'");
    const explained = await runWave(["hooks", "explain", "all"], { project });
    expect(explained.stdout).toContain(`PreToolUse for Bash touch "it's" (c1): It did not run`);
    expect(explained.stdout).toContain(`allow it with --allowed-tools '${flag?.[1]}'`);
    const allowed = await runWave(["-p", "--allowed-tools", rule, "try"], { project, model });
    expect([allowed.status, allowed.stdout]).toEqual([0, "Yes.\n"]);
  });

  it.each([
    ["without hook events", [], false],
    ["with hook events when asked", ["--include-hook-events"], true],
  ])("prints one event per line with stream-json, %s (T153)", async (_what, flags, withHooks) => {
    using project = makeProject();
    await using model = await lively(project);
    const args = [
      "-p",
      "--output-format",
      "stream-json",
      ...flags,
      "--allowed-tools",
      "Bash(echo ran)",
      "go",
    ];
    const run = await runWave(args, { project, model });
    const events = lines(run.stdout).map((line) => streamEventSchema.parse(JSON.parse(line)));
    expect(events[0]?.type).toBe("session");
    expect(events.at(-1)).toMatchObject({ type: "result", result: "final answer" });
    const started = events.filter((event) => event.type === "hook_started").map(({ run_id }) => run_id);
    const finished = events.filter((event) => event.type === "hook_finished").map(({ run_id }) => run_id);
    expect(started).toHaveLength(withHooks ? 6 : 0);
    expect(new Set(finished)).toEqual(new Set(started));
    expect(finished).toHaveLength(started.length);
    const answers = events.filter(
      (event) => event.type === "block" && event.block.type === "text" && event.role === "assistant",
    );
    expect(answers).toHaveLength(3);
  });

  it("writes every event to stderr with --debug", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([{ say: "hi" }]);
    const run = await runWave(["-p", "--debug", "x"], { project, model });
    const types = lines(run.stderr)
      .filter((line) => line.startsWith("debug: "))
      .map((line) => (JSON.parse(line.slice(7)) as { type: string }).type);
    expect(types).toEqual(
      expect.arrayContaining(["turn_started", "model_started", "text_delta", "hooks_decided", "turn_ended"]),
    );
  });
});

describe("the prompt", () => {
  const forms: [what: string, args: string[], stdin: string, sent: string][] = [
    ["is an argument", ["-p", "hello"], "", "hello"],
    ["is what is piped", ["-p"], "piped\n", "piped\n"],
    ["is both, the piped part last", ["-p", "hello"], "piped\n", "hello\n\npiped\n"],
    ["needs no -p when it is piped", [], "piped", "piped"],
    ["may look like a flag behind --", ["-p", "--", "--settings=/nowhere"], "", "--settings=/nowhere"],
  ];

  it.each(forms)("%s", async (_what, args, stdin, sent) => {
    using project = makeProject();
    await using model = await startScriptedModel([{ say: "ok" }]);
    const run = await runWave(args, { project, model, stdin });
    expect(run).toMatchObject({ status: 0, stdout: "ok\n" });
    expect(model.requests[0]?.body.messages.at(-1)).toEqual({ role: "user", content: sent });
  });

  it("may have 8 MB, and nothing of it is lost", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([{ say: "ok" }]);
    const stdin = `begin ${"0123456789abcdef".repeat(8 * 65_536)} end`;
    const run = await runWave(["-p"], { project, model, stdin });
    expect(run).toMatchObject({ status: 0, stdout: "ok\n" });
    expect(model.requests[0]?.body.messages.at(-1)?.content).toBe(stdin);
  });

  it("that is not UTF-8 is sent with replaced characters and one word about it", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([{ say: "ok" }]);
    const run = await runWave(["-p"], { project, model, stdin: Buffer.from([0x61, 0xff, 0xfe, 0x62]) });
    expect(run).toMatchObject({
      status: 0,
      stdout: "ok\n",
      stderr: expect.stringMatching(/^warning: The piped input is not UTF-8[^\n]*\n$/),
    });
    expect(model.requests[0]?.body.messages.at(-1)?.content).toBe("a\ufffd\ufffdb");
  });

  it("that is too long is refused with one sentence, whatever the form of the answer", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([]);
    const zeros = 'exec "$@" < <(head -c 100000000 /dev/zero)';
    for (const args of [["-p"], ["-p", "hello", "--output-format", "json"], []]) {
      const run = await runWave(args, { project, model, through: ["bash", "-c", zeros, "bash"] });
      expect(run).toMatchObject({
        status: 2,
        stdout: "",
        stderr: expect.stringMatching(/^wave: The piped input is longer than 32\.0 MB, [^\n]*\n$/),
      });
    }
    expect(model.requests).toEqual([]);
  });

  it("that is missing is asked for", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([]);
    const run = await runWave(["-p"], { project, model });
    expect(run).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining("There is no prompt"),
    });
    const blank = await runWave(["-p"], { project, model, stdin: " \n".repeat(4_000_000) });
    expect(blank).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(
        /There is no prompt \(the piped input, 7\.6 MB, is nothing but blanks\): write wave -p/,
      ),
    });
    const taken = await runWave(["-p", "-r", "fix it"], { project, model });
    expect(taken).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('"fix it" was taken for the session behind --resume'),
    });
  });
});

describe("the answer", () => {
  it("goes on with an earlier session, by -c, by id and as a fork", async () => {
    using project = makeProject();
    await using model = await startScriptedModel(["one", "two", "three", "four"].map((say) => ({ say })));
    await runWave(["-p", "first"], { project, model });
    const id = /([^/]+)\.jsonl$/.exec(project.sessionFiles()[0] ?? "")?.[1] ?? "";
    await runWave(["-p", "-c", "second"], { project, model });
    await runWave(["-p", "--resume", id, "third"], { project, model });
    expect(project.sessionFiles()).toHaveLength(1);
    const fork = await runWave(["-p", "-c", "--fork", "fourth"], { project, model });
    expect(fork.status).toBe(0);
    expect(project.sessionFiles()).toHaveLength(2);
    const texts = (n: number) =>
      model.requests[n]?.body.messages.filter(({ role }) => role !== "system").map(({ content }) => content);
    expect(texts(2)).toEqual(["first", "one", "second", "two", "third"]);
    expect(texts(3)).toEqual(["first", "one", "second", "two", "third", "three", "fourth"]);
  });

  it.each(["text", "json", "stream-json"])(
    "in %s that nobody reads any more ends with 141, and says so",
    async (format) => {
      using project = makeProject();
      await using model = await startScriptedModel([{ say: "unread" }]);
      const wave = startWave(["-p", "--output-format", format, "x"], { project, model });
      wave.child.stdin.end();
      wave.child.stdout.destroy();
      const { status, stderr } = await wave.done;
      expect({ status, stderr }).toEqual({
        status: 141,
        stderr: "error: nobody reads the output any more: its reader has gone.\n",
      });
    },
  );
});

describe.skipIf(!existsSync("/dev/full"))("stdout", () => {
  it.each(["text", "stream-json"])("that cannot be written is a failure that is said: %s", async (format) => {
    using project = makeProject();
    await using model = await startScriptedModel([{ say: "lost" }]);
    const through = ["sh", "-c", 'exec "$@" > /dev/full', "sh"];
    const run = await runWave(["-p", "--output-format", format, "x"], { project, model, through });
    expect(run).toMatchObject({
      status: 1,
      stderr: "wave: stdout cannot be written (ENOSPC): the output is not complete.\n",
    });
  });
});

describe("the flags about hooks", () => {
  it("say aloud which configured hooks they leave out", async () => {
    using project = makeProject();
    project.hook("UserPromptSubmit", "touch ran", { name: "mine" });
    await using model = await startScriptedModel([{ say: "ok" }, { say: "ok" }, { say: "ok" }]);
    for (const flag of ["--no-hooks", "--no-project-hooks"]) {
      const run = await runWave(["-p", flag, "x"], { project, model });
      expect(run).toMatchObject({
        status: 0,
        stderr: expect.stringMatching(/^warning: 1 hook off, .*: mine\n$/),
      });
    }
    expect(existsSync(join(project.folder, "ran"))).toBe(false);
    const trusted = await runWave(["-p", "--trust-hooks", "0".repeat(64), "x"], { project, model });
    expect(trusted).toMatchObject({
      status: 78,
      stderr: expect.stringContaining("--trust-hooks names another set of hooks"),
    });
    expect(existsSync(join(project.folder, "ran"))).toBe(false);
  });

  it("say nothing where there is nothing to leave out", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([{ say: "ok" }]);
    expect(await runWave(["-p", "--no-hooks", "x"], { project, model })).toMatchObject({
      status: 0,
      stderr: "",
    });
  });
});

describe("a blocked prompt", () => {
  it("is nowhere on stdout, nor is what the hook of the prompt could not decide (FR-010)", async () => {
    for (const [body, onError] of [
      ["echo no >&2; exit 2", "continue"],
      ["exit 1", "ask"],
      ["exit 1", "block"],
    ]) {
      using project = makeProject();
      project.hook("UserPromptSubmit", body ?? "", { name: "guard", ...(onError ? { onError } : {}) });
      await using model = await startScriptedModel([]);
      const args = ["-p", "--output-format", "stream-json", "--include-hook-events", "my-secret"];
      const run = await runWave(args, { project, model });
      // 3 stands before 4 in the list of the exit status, so a question about the prompt that nobody answers is 3.
      expect(run.status).toBe(3);
      expect(run.stdout).toContain("turn_started");
      expect(run.stdout).not.toContain("my-secret");
    }
  });
});

describe("a prompt without -p", () => {
  it("is done as with -p where there is no terminal, and Wave says so", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([{ say: "ok" }]);
    expect(await runWave(["do it"], { project, model })).toMatchObject({
      status: 0,
      stdout: "ok\n",
      stderr: expect.stringContaining("wave: there is no terminal, so this is done as with -p"),
    });
  });
});

describe("a hook at the start or the end of a session", () => {
  it("blocks nothing with exit code 2, and is not said to", async () => {
    using project = makeProject();
    project.hook("SessionStart", "echo hello >&2; exit 2", { name: "start" });
    project.hook("SessionEnd", "echo bye >&2; exit 2", { name: "end" });
    await using model = await startScriptedModel([{ say: "ok" }]);
    const { status, stderr } = await runWave(["-p", "x"], { project, model });
    expect(status).toBe(0);
    expect(stderr).toMatch(/^hook said: start \(SessionStart, \S+\): hello$/m);
    expect(stderr).toMatch(/^hook said: end \(SessionEnd, \S+\): bye$/m);
    expect(stderr).not.toContain("blocked");
  });
});

describe("SessionEnd hooks", () => {
  it("run once at the end of print mode, with the reason (T154)", async () => {
    using project = makeProject();
    project.hook("SessionEnd", `cat >> ends`, { name: "end" });
    await using model = await startScriptedModel([{ say: "ok" }]);
    await runWave(["-p", "x"], { project, model });
    const ends = lines(readFileSync(join(project.folder, "ends"), "utf8"));
    expect(ends.map((line) => (JSON.parse(line) as { reason: string }).reason)).toEqual(["other"]);
  });
});

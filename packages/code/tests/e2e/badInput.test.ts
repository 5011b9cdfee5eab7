import { chmodSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { startScriptedModel, type ScriptedModel } from "wave-agent-sdk/testing";
import { makeProject, type Project } from "../support/project.ts";
import { runWave, startWave, type WaveRun } from "../support/runWave.ts";

/** Ports on which Wave looks for a model server of this machine. */
const LOCAL_PORTS = [11434, 8080, 1234];

/** Everything on stderr is one line that says what is wrong and what to do. */
const oneLine = (pattern: RegExp) =>
  expect.stringMatching(new RegExp(`^[^\\n]*(?:${pattern.source})[^\\n]*\\n$`, pattern.flags));

/** Occupies a port, and hands every connection on; undefined when somebody else has the port. */
async function listenOn(port: number, target?: string): Promise<AsyncDisposable | undefined> {
  const server = createServer((socket) => {
    const to = connect(Number(new URL(target ?? "http://127.0.0.1:1").port), "127.0.0.1");
    for (const end of [socket, to]) end.on("error", () => [socket, to].forEach((one) => one.destroy()));
    socket.pipe(to).pipe(socket);
  });
  const listening = new Promise<boolean>((resolve) => {
    server.once("listening", () => resolve(true)).once("error", () => resolve(false));
  });
  server.listen(port, "127.0.0.1");
  if (!(await listening)) return undefined;
  return { [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) };
}

async function skipWithLocalModels(context: TestContext): Promise<void> {
  for (const port of LOCAL_PORTS) {
    await using free = await listenOn(port);
    if (!free) context.skip(`something on this machine listens on port ${port}`);
  }
}

describe("without a key", () => {
  it("wave -p says in one sentence what to set and offers the demo", async (context) => {
    await skipWithLocalModels(context);
    using project = makeProject();
    const run = await runWave(["-p", "x"], { project });
    expect(run).toMatchObject({ status: 1, stdout: "", stderr: oneLine(/WAVE_API_KEY.*wave demo/) });
    expect(project.sessionFiles()).toEqual([]);
  });

  it("a model server on this machine is named before anything is sent to it", async (context) => {
    await skipWithLocalModels(context);
    using project = makeProject();
    await using model = await startScriptedModel([{ say: "from here" }], { models: ["tiny-model"] });
    await using relay = await listenOn(11434, model.baseUrl);
    expect(relay).toBeDefined();
    const run = await runWave(["-p", "x"], { project });
    expect(run).toMatchObject({ status: 0, stdout: "from here\n" });
    expect(run.stderr).toMatch(
      /^note: No key is set, so Wave uses the model tiny-model of Ollama on this machine \(http:\/\/127\.0\.0\.1:11434\/v1\)\.\n/,
    );
  });

  it("wave alone plays the demo", async () => {
    using project = makeProject();
    const run = await runWave([], { project });
    expect(run).toMatchObject({ status: 0, stderr: oneLine(/here is the demo.*WAVE_API_KEY/) });
    expect(run.stdout).toContain("7. A question for you");
  });

  it("and with a key, wave alone asks for a prompt", async () => {
    using project = makeProject();
    const run = await runWave([], { project, env: { WAVE_API_KEY: "k" } });
    expect(run).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining("There is no prompt"),
    });
  });
});

describe("a model server", () => {
  it("that does not know the key is told apart", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([
      { status: 401, body: { error: { message: "Incorrect API key" } } },
    ]);
    const run = await runWave(["-p", "x"], { project, model });
    expect(run).toMatchObject({ status: 1, stdout: "", stderr: oneLine(/^error: .*WAVE_API_KEY/) });
  });

  it("that is down is named with its address", async () => {
    using project = makeProject();
    const model = await startScriptedModel([]);
    await model.close();
    const run = await runWave(["-p", "x"], { project, model });
    expect({ status: run.status, stdout: run.stdout }).toEqual({ status: 1, stdout: "" });
    expect(run.stderr.split("\n").filter((line) => line.startsWith("error: "))).toEqual([
      expect.stringContaining(new URL(model.baseUrl).host),
    ]);
  });
});

describe("settings", () => {
  const hook = (command: string) => ({ hooks: [{ type: "command", command }] });
  const rows: [what: string, settings: string, line: RegExp][] = [
    [
      "a hook that does not exist",
      JSON.stringify({ hooks: { UserPromptSubmit: [hook("./nowhere.sh")] } }),
      /^warning: \.wave\/settings\.json:\d+ .*no such file: \.\/nowhere\.sh/,
    ],
    [
      "an unknown event",
      JSON.stringify({ hooks: { PreToolUes: [hook("true")] } }),
      /^(warning|error): \.wave\/settings\.json:\d+.*PreToolUes.*PreToolUse/,
    ],
    [
      "a matcher that can match nothing",
      JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bsah", ...hook("true") }] } }),
      /^warning: \.wave\/settings\.json:\d+.*Bsah.*Bash/,
    ],
  ];

  it.each(rows)(
    "with %s are reported in a line of their own, and the work goes on (T49, T50, T53)",
    async (_what, settings, line) => {
      using project = makeProject();
      project.write(".wave/settings.json", settings);
      await using model = await startScriptedModel([{ say: "ok" }]);
      const run = await runWave(["-p", "x"], { project, model });
      expect(run).toMatchObject({ status: 0, stdout: "ok\n" });
      const reported = run.stderr.split("\n").filter((one) => line.test(one));
      expect(reported).toEqual([expect.any(String)]);
    },
  );

  it("with a comma missing end with 78 and the place, before any model call (T52)", async () => {
    using project = makeProject();
    project.write(".wave/settings.json", '{\n  "hooks": {}\n  "model": "m"\n}');
    await using model = await startScriptedModel([{ say: "never" }]);
    const run = await runWave(["-p", "x"], { project, model });
    expect(run).toMatchObject({
      status: 78,
      stdout: "",
      stderr: oneLine(/^error: \.wave\/settings\.json:3:/),
    });
    expect(model.requests).toHaveLength(0);
  });

  it("of --settings that do not exist end with 78", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([]);
    const run = await runWave(["-p", "--settings", "nowhere.json", "x"], { project, model });
    expect(run).toMatchObject({ status: 78, stdout: "", stderr: oneLine(/nowhere\.json/) });
  });
});

describe("a session", () => {
  it("whose id does not exist is not found, and nothing is sent", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([]);
    const run = await runWave(["-p", "-r", "0199", "x"], { project, model });
    expect(run).toMatchObject({
      status: 1,
      stdout: "",
      stderr: oneLine(/^error: There is no session "0199"/),
    });
    const latest = await runWave(["-p", "-c", "x"], { project, model });
    expect(latest).toMatchObject({ status: 1, stdout: "", stderr: oneLine(/no earlier session/) });
    expect(project.sessionFiles()).toEqual([]);
  });

  it("whose file was cut in half goes on with what is whole (G51)", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([{ say: "first" }, { say: "second" }]);
    await runWave(["-p", "remember this"], { project, model });
    const [file = ""] = project.sessionFiles();
    const text = readFileSync(file, "utf8");
    // In the middle of the line with the answer.
    truncateSync(file, text.indexOf('"first"') + 3);
    const run = await runWave(["-p", "-c", "x"], { project, model });
    expect(run).toMatchObject({ status: 0, stdout: "second\n" });
    expect(run.stderr).toMatch(/half a record/);
    expect(model.requests[1]?.body.messages.map(({ content }) => content)).toEqual(
      expect.arrayContaining(["remember this", "x"]),
    );
  });

  it("with a damaged line says which, and keeps the rest (G52)", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([{ say: "first" }, { say: "second" }]);
    await runWave(["-p", "remember this"], { project, model });
    const [file = ""] = project.sessionFiles();
    const lines = readFileSync(file, "utf8").split("\n");
    const bad = lines.findIndex((line) => line.includes('"first"'));
    writeFileSync(file, lines.with(bad, "{garbage").join("\n"));
    const run = await runWave(["-p", "-c", "x"], { project, model });
    expect(run).toMatchObject({ status: 0, stdout: "second\n" });
    expect(run.stderr).toMatch(new RegExp(`^warning: .*line ${bad + 1} `, "im"));
  });

  it("that another process writes is refused with the offer of a fork", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([
      { say: "one" },
      { say: "two", hang: true },
      { say: "three" },
    ]);
    await runWave(["-p", "begin"], { project, model });
    const writer = startWave(["-p", "--output-format", "stream-json", "-c", "go on"], { project, model });
    writer.child.stdin.end();
    await writer.until(() => writer.stdout.includes("text_delta"));
    const second = await runWave(["-p", "-c", "me too"], { project, model });
    expect(second).toMatchObject({ status: 1, stdout: "", stderr: oneLine(/open in process \d+.*--fork/) });
    const fork = await runWave(["-p", "-c", "--fork", "me too"], { project, model });
    expect(fork).toMatchObject({ status: 0, stdout: "three\n" });
    writer.child.kill("SIGINT");
    await writer.done;
    const texts = model.requests[2]?.body.messages.map(({ content }) => content);
    expect(texts).toEqual(expect.arrayContaining(["begin", "one", "me too"]));
  });
});

describe("a home that cannot be written to", () => {
  it("because it is read-only is said in one line, and the answer comes all the same", async (context) => {
    using project = makeProject();
    await using model = await startScriptedModel([{ say: "the answer" }]);
    const run = await onOwnDisk(context, project, model, "size=1m,ro", {
      args: ["-p", "--output-format", "json"],
    });
    expect(run.status).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({
      subtype: "success",
      result: "the answer",
      exit_status: 0,
      session_saved: false,
      not_saved: expect.stringMatching(/^This session is not being saved: .* read-only disk/),
    });
    expect(run.stderr).toMatch(/^error: .*read-only/im);
  });

  it("because the disk is full is said in one line, and the answer comes all the same", async (context) => {
    using project = makeProject();
    await using model = await startScriptedModel([{ say: "the answer" }]);
    const run = await onOwnDisk(context, project, model, "size=16k,nr_inodes=50", {
      before: 'head -c 100000 /dev/zero > "$2/filler" 2>/dev/null;',
      args: ["-p", "--output-format", "json"],
    });
    expect(run.status).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({
      subtype: "error_session",
      is_error: false,
      result: "the answer",
      reason: expect.stringMatching(/NOT on disk: the disk of .* is full/),
    });
    expect(run.stderr).toMatch(/^error: .*(full|no space)/im);
    expect(run.stderr.trim().split("\n").at(-1)).toMatch(/^error: the end of this session is NOT on disk/);
  });

  it("because little space is left keeps it for sessions: no compiled code is put there", async (context) => {
    using project = makeProject();
    const run = await onOwnDisk(context, project, undefined, "size=20m", {
      args: ["--version"],
      after: 'ls "$WAVE_HOME/cache"',
    });
    expect(run).toMatchObject({ status: 0, stdout: expect.stringMatching(/^[\d.]+\S*\n$/), stderr: "" });
  });

  it("because its rights forbid it is said in one line", async (context) => {
    if (process.getuid?.() === 0) context.skip("root may write everywhere");
    using project = makeProject();
    chmodSync(project.home, 0o555);
    await using model = await startScriptedModel([{ say: "the answer" }]);
    const run = await runWave(["-p", "x"], { project, model, approved: false });
    chmodSync(project.home, 0o755);
    expect(run).toMatchObject({ status: 0, stdout: "the answer\n", stderr: oneLine(/^error: .*permission/) });
  });
});

/** Runs wave -p with a small disk of its own as WAVE_HOME, seen by nobody else; skips aloud where that cannot be. */
async function onOwnDisk(
  context: TestContext,
  project: Project,
  model: ScriptedModel | undefined,
  mountOptions: string,
  { before = "", after = "", args = ["-p"] } = {},
): Promise<WaveRun> {
  const shell = `mount -t tmpfs -o "$1" tmpfs "$2" || exit 99; ${before} shift 2; "$@"; status=$?; ${after || ":"}; exit $status`;
  const through = ["unshare", "-rm", "sh", "-c", shell, "sh", mountOptions, project.home];
  // Longer than the disk is large.
  const stdin = "word ".repeat(20_000);
  let run: WaveRun;
  try {
    run = await runWave(args, { project, model, stdin, through, env: { NODE_COMPILE_CACHE: "" } });
  } catch (error) {
    return context.skip(`unshare cannot be started: ${String(error)}`);
  }
  if (run.status === 99 || run.stderr.startsWith("unshare:"))
    context.skip(`no mounts of one's own here: ${run.stderr.trim()}`);
  return run;
}

describe("a session file that is deleted in the run", () => {
  const play = async (command: string) => {
    using project = makeProject();
    project.hook("Stop", `cd ${project.home} && ${command}`);
    await using model = await startScriptedModel([{ say: "the answer" }]);
    const run = await runWave(["-p", "--output-format", "json", "x"], { project, model });
    const saved = statSync(join(project.home, "sessions")).isFile() ? [] : project.sessionLines();
    return { run, result: JSON.parse(run.stdout), saved: JSON.stringify(saved) };
  };

  it("is there again at the end, with all of the conversation", async () => {
    const { run, result, saved } = await play("rm -r sessions");
    expect([run.status, result.session_saved, result.subtype]).toEqual([0, true, "success"]);
    expect(saved).toMatch(/"content":"x".*the answer/);
    expect(run.stderr).toMatch(/the session is saved again.*deleted or moved away/);
  });

  it("makes the run fail where it cannot be written again", async () => {
    const { run, result } = await play("rm -r sessions && touch sessions");
    expect([run.status, result.exit_status, result.session_saved]).toEqual([1, 1, false]);
    expect(result).toMatchObject({ subtype: "error_session", result: "the answer", is_error: false });
    expect(run.stderr).toMatch(/the end of this session is NOT on disk/);
  });
});

describe("a folder that was deleted under Wave", () => {
  const through = ["sh", "-c", 'rmdir "$PWD" && exec "$@"', "sh"];

  it("is said in one line, whatever was asked", async () => {
    for (const args of [
      ["-p", "x"],
      ["hooks", "list"],
      ["sessions", "list"],
    ]) {
      using project = makeProject();
      await using model = await startScriptedModel([]);
      expect(await runWave(args, { project, model, through })).toMatchObject({
        status: 1,
        stdout: "",
        stderr: oneLine(/no longer exists: cd into one that does/),
      });
    }
  });

  it("does not matter for what needs no folder", async () => {
    for (const flag of ["--version", "--help"]) {
      using project = makeProject();
      expect(await runWave([flag], { project, through })).toMatchObject({ status: 0, stderr: "" });
    }
  });
});

describe("settings that somebody hands over in an address", () => {
  const hooks = { SessionStart: [{ hooks: [{ type: "command", command: "touch injected" }] }] };

  it.each([
    ["of a server", (port: number) => `http://127.0.0.1:${port}/settings.json`],
    ["of a scheme of its own", () => "wave://open?settings=settings.json"],
    ["with the settings in it", () => `data:application/json,${JSON.stringify({ hooks })}`],
    ["that is no address but the settings themselves", () => JSON.stringify({ hooks })],
  ])("%s are refused: --settings names a file, and nothing is fetched (T45)", async (_what, settingsAt) => {
    using project = makeProject();
    await using model = await startScriptedModel([{ say: "never" }]);
    let connections = 0;
    const server = createServer((socket) => (connections++, socket.destroy()));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await using _ = {
      [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
    };
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const run = await runWave(["-p", "--settings", settingsAt(port), "go"], { project, model });
    const isText = settingsAt(port).startsWith("{");
    expect(run).toMatchObject({ status: isText ? 2 : 78, stdout: "" });
    expect(run.stderr).toContain(
      isText
        ? "--settings takes a file, and this is JSON text"
        : "this file was named for this run and does not exist",
    );
    expect([connections, model.requests.length]).toEqual([0, 0]);
    expect(existsSync(join(project.folder, "injected"))).toBe(false);
  });
});

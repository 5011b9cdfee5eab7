import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { makeProject, type Project } from "../support/project.ts";
import { runWave } from "../support/runWave.ts";

const bash = (command: string, id: string) => ({ call: { id, name: "Bash", arguments: { command } } });

function hooked(project: Project): void {
  project.hook("PreToolUse", `case "$(cat)" in *forbidden*) echo 'not here' >&2; exit 2;; esac`, {
    matcher: "Bash",
    name: "guard",
  });
  project.hook("PreToolUse", "exit 1", { matcher: "Bash|Edit", name: "flaky" });
  project.hook("PreToolUse", "true", { matcher: "Read", name: "reader" });
}

describe("wave hooks list", () => {
  it("shows every hook with event, matcher, place, timeout, onError and its problems", async () => {
    using project = makeProject();
    project.hook("PreToolUse", "true", { matcher: "Bsah", name: "guard", timeout: 5, onError: "block" });
    project.write(
      "settings.extra.json",
      JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command: "./nowhere.sh" }] }] } }),
    );
    const run = await runWave(["hooks", "list", "--settings", "settings.extra.json"], { project });
    expect(run).toMatchObject({ status: 0, stderr: "" });
    expect(run.stdout).toMatch(
      /^PreToolUse\n  guard   on Bsah\n    \.\/hooks\/hook-1\.sh\n    \.wave\/settings\.json:\d+, timeout 5 s, onError block\n    warning: .*Bash.*\n/,
    );
    expect(run.stdout).toMatch(
      /Stop\n  \.\/nowhere\.sh\n    settings\.extra\.json:\d+, timeout 600 s, onError continue\n    warning: .*no such file/,
    );
  });

  it("shows what a hook without a matcher is for, and which SessionEnd hooks share their time", async () => {
    using project = makeProject();
    project.hook("PreToolUse", "true", { name: "guard" });
    project.hook("SessionStart", "true", { name: "hello" });
    project.hook("SessionEnd", "true", { name: "bye" });
    project.hook("SessionEnd", "true", { name: "upload", timeout: 20 });
    const { stdout } = await runWave(["hooks", "list"], { project });
    expect(stdout).toContain("\n  guard   on every tool\n");
    expect(stdout).toContain("\n  hello   on every source\n");
    expect(stdout).toMatch(/bye .*\n.*\n.*, timeout 5 s together, onError continue\n/);
    expect(stdout).toMatch(/upload .*\n.*\n.*, timeout 20 s, onError continue\n/);
  });

  it("does not print a long command twice when it has no name", async () => {
    using project = makeProject();
    const command = `echo ${"x".repeat(60)} > /dev/null`;
    project.settings({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });
    const { stdout } = await runWave(["hooks", "list"], { project });
    expect(stdout.split(command)).toHaveLength(2);
    expect(stdout).not.toContain("…");
  });

  it("shows what a hook is for, and which entry runs in the place of another (T128, T168)", async () => {
    using project = makeProject();
    const entry = { type: "command", command: "./guard.sh", name: "guard" };
    const settings = (more: object) => ({ hooks: { PreToolUse: [{ hooks: [{ ...entry, ...more }] }] } });
    writeFileSync(join(project.home, "settings.json"), JSON.stringify(settings({ name: "mine" })));
    project.script("guard.sh", "exit 0");
    project.settings(settings({ description: "keeps main clean" }));
    const { stdout } = await runWave(["hooks", "list"], { project });
    expect(stdout).toMatch(/^ {2}guard .*\n {4}keeps main clean\n {4}\.\/guard\.sh\n/m);
    const shadow = "the same command as in ~/settings.json:1: where both match it runs once, there";
    expect(stdout.split(shadow)).toHaveLength(2);
    expect(stdout.indexOf(shadow)).toBeGreaterThan(stdout.indexOf("  guard "));
    const json = await runWave(["hooks", "list", "--json"], { project });
    expect(JSON.parse(json.stdout)).toMatchObject({
      hooks: [{ name: "mine" }, { description: "keeps main clean", shadowedBy: { scope: "user" } }],
    });
  });

  it("works from a folder of the project, as a session there does", async () => {
    using project = makeProject();
    hooked(project);
    project.write("src/deep/file.txt", "");
    const run = await runWave(["hooks", "list", "--json"], {
      project: { ...project, folder: `${project.folder}/src/deep` },
    });
    expect((JSON.parse(run.stdout) as { hooks: object[] }).hooks).toHaveLength(3);
  });

  it("prints JSON on request", async () => {
    using project = makeProject();
    hooked(project);
    const run = await runWave(["hooks", "list", "--json"], { project });
    const { hooks } = JSON.parse(run.stdout) as { hooks: object[] };
    expect(hooks).toHaveLength(3);
    expect(hooks[0]).toMatchObject({
      event: "PreToolUse",
      matcher: "Bash",
      name: "guard",
      scope: "project",
      timeoutSeconds: 600,
      onError: "continue",
      problems: [],
    });
  });

  it.each(["", "."])("takes a project for a project where HOME is %j (G18, G21)", async (HOME) => {
    using project = makeProject();
    hooked(project);
    const env = { HOME, WAVE_HOME: "" };
    const run = await runWave(["hooks", "list", "--json"], { project, env });
    const { hooks } = JSON.parse(run.stdout) as { hooks: { scope: string }[] };
    expect(hooks.filter(({ scope }) => scope === "project")).toHaveLength(3);
    expect(readdirSync(join(project.folder, ".wave"))).toEqual(["settings.json"]);
  });

  it("says what to do when there are none, and what is wrong when a file cannot be read", async () => {
    using project = makeProject();
    expect(await runWave(["hooks", "list"], { project })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("No hooks are configured"),
    });
    project.write(".wave/settings.json", "{ broken");
    const broken = await runWave(["hooks"], { project });
    expect(broken).toMatchObject({
      status: 78,
      stdout: expect.stringContaining("fatal: .wave/settings.json:1"),
    });
    expect(broken.stdout).toMatch(/^Which hooks are configured cannot be told/);
    expect(await runWave(["hooks", "plan", "Stop"], { project })).toMatchObject({ status: 78 });
    project.settings({ hooks: { NoSuchEvent: [{ hooks: [{ type: "command", command: "true" }] }] } });
    expect((await runWave(["hooks"], { project })).stdout).toMatch(/^No hook will run: /);
  });
});

describe("wave hooks plan", () => {
  it("shows which hooks would run in which order, and why the others would not (T56)", async () => {
    using project = makeProject();
    hooked(project);
    const run = await runWave(["hooks", "plan", "PreToolUse", "Bash", '{"command":"ls"}'], { project });
    expect(run).toMatchObject({ status: 0, stderr: "" });
    const lines = run.stdout.trimEnd().split("\n");
    expect(lines).toEqual([
      "PreToolUse for Bash: these run at the same time; what they say is combined in this order.",
      expect.stringMatching(
        /^ {2}1\. guard \(\.wave\/settings\.json:\d+\): .*timeout 600 s, onError continue$/,
      ),
      expect.stringMatching(/^ {2}2\. flaky /),
      "Not run:",
      expect.stringMatching(
        /^ {2}reader \(\.wave\/settings\.json:\d+\): its matcher "Read" does not match tool_name "Bash"$/,
      ),
    ]);
    const json = await runWave(["hooks", "plan", "PreToolUse", "Read", "--json"], { project });
    expect(JSON.parse(json.stdout)).toMatchObject({
      event: "PreToolUse",
      value: "Read",
      run: [{ name: "reader" }],
      skipped: [{ name: "guard" }, { name: "flaky" }],
    });
  });

  it("says of a hook what would really happen: nobody approved it, or its if is not about the call (T56, T42)", async () => {
    using project = makeProject();
    const command = { type: "command", command: "true", name: "pushes", if: "Bash(git push:*)" };
    project.settings({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [command] }] } });
    const plan = (input: string[], approved: boolean, ...flags: string[]) =>
      runWave(["hooks", "plan", "PreToolUse", "Bash", ...input, ...flags], { project, approved });
    const unapproved = await plan([], false);
    expect(unapproved.stdout.trimEnd().split("\n")).toEqual([
      "PreToolUse for Bash: no hook would run.",
      "Not run:",
      expect.stringMatching(/^ {2}pushes \(.*\): nobody has approved it in this form \(wave hooks trust\)$/),
      expect.stringMatching(/^Until somebody has approved it, Wave asks /),
    ]);
    const json = JSON.parse((await plan([], false, "--json")).stdout);
    expect(json).toMatchObject({ run: [], skipped: [{ why: expect.stringContaining("approved") }] });

    const other = await plan(['{"command":"ls"}'], true);
    expect(other.stdout).toMatch(
      /no hook would run\.\n.*\n.*: its if "Bash\(git push:\*\)" is not about this call\n$/,
    );
    for (const input of [[], ['{"command":"cd / && git push"}']])
      expect((await plan(input, true)).stdout).toContain("onError continue; if Bash(git push:*)\n");
  });

  const wrong: [words: string[], answer: string][] = [
    [["plan"], "Which event?"],
    [["plan", "PreTolUse"], "Did you mean PreToolUse?"],
    [["plan", "PreToolUse"], "name one, e.g. wave hooks plan PreToolUse Bash"],
    [["plan", "Stop", "Bash"], "match on nothing"],
    [["plan", "PreToolUse", "Bash", "{broken"], "has to be a JSON object"],
    [["plan", "PreToolUse", "Bash", "{}", "more"], '"more" follows'],
    [["lsit"], "Did you mean wave hooks list?"],
    [["list", "all"], "takes no arguments"],
    [["list", "--session", "1"], "belongs to wave hooks explain"],
    [["explain", "a", "b"], '"b" follows'],
  ];

  it.each(wrong)("wave hooks %j is answered with a sentence", async (words, answer) => {
    using project = makeProject();
    expect(await runWave(["hooks", ...words], { project })).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining(answer),
    });
  });

  it("knows a mistyped tool, and plans all the same", async () => {
    using project = makeProject();
    const run = await runWave(["hooks", "plan", "PreToolUse", "Bsh"], { project });
    expect(run).toMatchObject({
      status: 0,
      stdout: "PreToolUse for Bsh: no hook would run.\n",
      stderr: expect.stringContaining("did you mean Bash?"),
    });
  });
});

describe("wave hooks explain", () => {
  it("tells the story of a call: each hook, how it ended, the rules, the mode, who decided (T56)", async () => {
    using project = makeProject();
    hooked(project);
    await using model = await startScriptedModel([
      bash("touch forbidden", "call_no"),
      bash("echo hi", "call_yes"),
      { say: "done" },
    ]);
    await runWave(["-p", "--allowed-tools", "Bash(echo:*)", "x"], { project, model });
    const denied = await runWave(["hooks", "explain", "call_no"], { project });
    expect(denied).toMatchObject({ status: 0, stderr: "" });
    expect(denied.stdout.split("\n").slice(0, 6)).toEqual([
      expect.stringMatching(/^1\. PreToolUse for Bash \(call_no\), 2\d{3}-/),
      "  It did not run; decided by hook guard, in mode default: not here.",
      '  Input: {"command":"touch forbidden"}',
      expect.stringMatching(
        /^ {2}guard \(\.wave\/settings\.json:\d+\) ended with exit 2 after \d+ ms: it said no: not here\.$/,
      ),
      expect.stringMatching(
        /^ {2}flaky \(.*\) ended with exit 1 after \d+ ms: it could not decide \(.*\), and its onError let the action pass\.$/,
      ),
      expect.stringMatching(/^ {2}reader \(.*\) did not run: its matcher "Read" does not match/),
    ]);
    const last = await runWave(["hooks", "explain", "last"], { project });
    expect(last.stdout).toContain("PreToolUse for Bash (call_yes)");
    expect(last.stdout).toMatch(/ {2}It ran; decided by rule .*Bash\(echo:\*\)/);
    expect(last.stdout).toMatch(/The allow rule Bash\(echo:\*\) \(.*\) matched\./);
    const json = await runWave(["hooks", "explain", "--json", "call_no"], { project });
    expect(JSON.parse(json.stdout)).toMatchObject([
      { event: "PreToolUse", toolUseId: "call_no", decision: "deny" },
    ]);
    const unknown = await runWave(["hooks", "explain", "call_maybe"], { project });
    expect(unknown).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("Its calls: call_no (Bash), call_yes (Bash)."),
    });
  });

  it("explains every decision of a session, not only those about calls", async () => {
    using project = makeProject();
    const rewrite =
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"echo two"}}}';
    project.hook("SessionStart", "true", { name: "hello" });
    project.hook("UserPromptSubmit", "echo context", { name: "ticket" });
    project.hook("PreToolUse", `echo '${rewrite}'`, { matcher: "Bash", name: "rewriter" });
    project.hook("PostToolUse", "exit 7", { matcher: "Bash", name: "flaky" });
    project.hook("Stop", "[ -f once ] && exit 0; touch once; echo 'one more' >&2; exit 2", { name: "again" });
    await using model = await startScriptedModel([bash("echo one", "c1"), { say: "a" }, { say: "b" }]);
    const run = await runWave(["-p", "--permission-mode", "bypassPermissions", "x"], { project, model });
    expect(run.stderr).toMatch(
      /^hook: rewriter \(PreToolUse, \S+\) changed the input of Bash: command: "echo one" → "echo two"$/m,
    );
    expect(run.stderr).toMatch(
      /^hook failed: flaky \(\S+\) ended with exit code 7; onError for crash says continue: the turn goes on; /m,
    );
    const all = await runWave(["hooks", "explain", "all"], { project });
    expect(all.stdout.trimEnd().split("\n")).toEqual([
      "1. SessionStart: The session began; no hook objected",
      "2. UserPromptSubmit: The prompt went to the model; no hook objected",
      expect.stringMatching(
        /^3\. PreToolUse for Bash echo one \(c1\): It ran with a changed input; decided by mode/,
      ),
      "4. PostToolUse for Bash (c1): The turn went on; no hook objected (1 hook failed and let it pass)",
      "5. Stop: The agent was told to go on; decided by hook again",
      "6. Stop: The turn ended; no hook objected",
    ]);
    const last = await runWave(["hooks", "explain"], { project });
    expect(last.stdout).toContain(
      '  Input: {"command":"echo one"}\n  What ran instead: {"command":"echo two"}\n',
    );
    expect(last.stdout).toContain('changed command: "echo one" → "echo two"');
    expect(last.stdout).toMatch(/\n\nThis session has 4 other decisions: wave hooks explain all lists them/);
    const stop = await runWave(["hooks", "explain", "5"], { project });
    expect(stop.stdout).toMatch(/^5\. Stop, [^\n]+\n.*again \(.*it kept the agent going: one more\.\n$/s);
    const byEvent = await runWave(["hooks", "explain", "Stop", "--json"], { project });
    expect(JSON.parse(byEvent.stdout)).toMatchObject([
      { number: 5, event: "Stop", decision: "continued" },
      { number: 6, event: "Stop", decision: "pass" },
    ]);
    const json = await runWave(["hooks", "explain", "--json", "all"], { project });
    expect(JSON.parse(json.stdout)).toHaveLength(6);
  });

  it("says so when there is no session, or no such session", async () => {
    using project = makeProject();
    expect(await runWave(["hooks", "explain"], { project })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("no sessions in this folder yet"),
    });
    expect(await runWave(["hooks", "explain", "--session", "0199"], { project })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('There is no session "0199"'),
    });
  });
});

describe("wave sessions", () => {
  it("lists the sessions of the folder and shows one by the beginning of its id", async () => {
    using project = makeProject();
    hooked(project);
    await using model = await startScriptedModel([
      bash("touch forbidden", "c1"),
      { say: "evil \u001b[2J answer" },
    ]);
    await runWave(["-p", "the first prompt"], { project, model });
    const list = await runWave(["sessions", "list"], { project, env: { COLUMNS: "120" } });
    expect(list.stdout).toMatch(
      /^[0-9a-f-]{36} {2}2\d{3}-\d\d-\d\d \d\d:\d\d {2}\d+ messages? {2}the first prompt\n$/,
    );
    const id = list.stdout.slice(0, 12);
    const show = await runWave(["sessions", "show", id], { project });
    expect(show).toMatchObject({ status: 0, stderr: "" });
    expect(show.stdout).toContain("\nyou\n  the first prompt\n");
    expect(show.stdout).toMatch(
      /Bash \(c1\), blocked by hook guard \(.*settings\.json:\d+\)\n {2}\{"command":"touch forbidden"\}\n {2}not here\n/,
    );
    expect(show.stdout).toContain("model\n  evil \\x1b[2J answer\n");
    const json = await runWave(["sessions", "list", "--json"], { project });
    expect(JSON.parse(json.stdout)).toMatchObject([{ firstPrompt: "the first prompt" }]);
    const shown = await runWave(["sessions", "show", id, "--json"], { project });
    expect(JSON.parse(shown.stdout)).toMatchObject({ messages: [{ role: "user" }, {}, {}] });
  });

  it("lists a session under what a person typed, also when a hook spoke first", async () => {
    using project = makeProject();
    project.hook("SessionStart", "echo context");
    await using model = await startScriptedModel([{ say: "ok" }]);
    await runWave(["-p", "typed by a person"], { project, model });
    const list = await runWave(["sessions", "list"], { project, env: { COLUMNS: "120" } });
    expect(list.stdout).toMatch(/typed by a person\n$/);
  });

  it("says in which folder a session of another one is", async () => {
    using project = makeProject();
    using elsewhere = makeProject();
    await using model = await startScriptedModel([{ say: "ok" }]);
    await runWave(["-p", "x"], { project, model });
    const id = /([^/]+)\.jsonl$/.exec(project.sessionFiles()[0] ?? "")?.[1] ?? "";
    const other = { ...project, folder: elsewhere.folder };
    for (const args of [
      ["sessions", "show", id],
      ["hooks", "explain", "--session", id],
      ["-p", "-r", id, "x"],
    ]) {
      const run = await runWave(args, { project: other, model });
      expect(run).toMatchObject({
        status: 1,
        stderr: expect.stringContaining(`belongs to another folder: cd ${project.folder} to go on with it.`),
      });
    }
  });

  it("warns when the file of a session that is resumed is empty", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([{ say: "ok" }, { say: "anew" }]);
    await runWave(["-p", "x"], { project, model });
    const [file = ""] = project.sessionFiles();
    const { writeFileSync } = await import("node:fs");
    writeFileSync(file, "");
    const run = await runWave(["-p", "-c", "y"], { project, model });
    expect(run).toMatchObject({
      status: 0,
      stdout: "anew\n",
      stderr: expect.stringMatching(/^warning: .*\.jsonl: The file is empty/m),
    });
  });

  it("reports damage beside what is whole", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([{ say: "one" }]);
    await runWave(["-p", "x"], { project, model });
    const [file = ""] = project.sessionFiles();
    const { appendFileSync } = await import("node:fs");
    appendFileSync(file, "{garbage\n");
    const id = /([^/]+)\.jsonl$/.exec(file)?.[1] ?? "";
    const show = await runWave(["sessions", "show", id], { project });
    expect(show).toMatchObject({ status: 0, stderr: expect.stringMatching(/line \d+ .*skipped/i) });
    expect(show.stdout).toContain("model\n  one\n");
  });

  it.each([
    [["list"], 0, "There are no sessions in this folder yet."],
    [["show", "0199"], 1, "this project has no sessions yet"],
    [["show"], 2, "needs the id of one session"],
    [["shwo", "0199"], 2, "Did you mean wave sessions show?"],
    [["delete"], 2, "There are: list, show, search, rename, export."],
  ])("%j without sessions is answered with a sentence", async (words, status, answer) => {
    using project = makeProject();
    const run = await runWave(["sessions", ...words], { project });
    expect({ status: run.status, said: run.stdout + run.stderr }).toEqual({
      status,
      said: expect.stringContaining(answer),
    });
  });
});

describe("wave --version and --help", () => {
  it("answer at once", async () => {
    using project = makeProject();
    expect(await runWave(["--version"], { project })).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: "",
    });
    expect(await runWave(["--help"], { project })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Usage"),
      stderr: "",
    });
  });
});

describe("wave mcp add and remove", () => {
  it("change one file, say what they wrote, and start nothing", async () => {
    using project = makeProject();
    const settings = () => JSON.parse(readFileSync(join(project.home, "settings.json"), "utf8")) as object;
    const add = ["mcp", "add", "notes", "LEVEL=1", "--", "node", "server.mjs", "--strict"];
    expect(await runWave(add, { project })).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /^notes: "LEVEL=1" node server\.mjs --strict\nIt is in .*settings\.json; wave mcp test/,
      ),
    });
    const http = [
      "mcp",
      "add",
      "--project",
      "tickets",
      "https://example.com/mcp",
      "Authorization: Bearer ${T}",
    ];
    expect((await runWave(http, { project })).stdout).toContain("It starts after a yes");
    expect(settings()).toEqual({
      mcpServers: { notes: { command: "node", args: ["server.mjs", "--strict"], env: { LEVEL: "1" } } },
    });
    expect(JSON.parse(readFileSync(join(project.folder, ".mcp.json"), "utf8"))).toEqual({
      mcpServers: {
        tickets: { type: "http", url: "https://example.com/mcp", headers: { Authorization: "Bearer ${T}" } },
      },
    });
    expect((await runWave(["mcp", "remove", "notes"], { project })).status).toBe(0);
    expect(settings()).toEqual({ mcpServers: {} });
    const again = await runWave(["mcp", "remove", "notes"], { project });
    expect(again).toMatchObject({ status: 1, stdout: expect.stringContaining("names no server notes") });
  });

  it.each([
    [["add"], "Write wave mcp add notes -- node server.mjs"],
    [["add", "notes"], "neither a command behind -- nor an address"],
    [["add", "notes", "x", "--", "node"], "A variable is written NAME=value"],
    [["add", "a__b", "--", "node"], "cannot be the name of a server"],
    [["add", "a", "http://x y"], "must be an http:// or https:// address"],
    [["remove", "a", "b"], '"b" follows the name'],
    [["list", "--project"], "--project is for wave mcp add and remove"],
  ])("say what is wrong with %j", async (words, expected) => {
    using project = makeProject();
    const run = await runWave(["mcp", ...words], { project });
    expect(run.status).not.toBe(0);
    expect(run.stderr).toContain(expected);
  });
});

describe("wave init", () => {
  it("writes what is not there, keeps what is, and what it writes is read without a complaint", async () => {
    using project = makeProject();
    project.write("package.json", '{"scripts":{"test":"node --test"}}');
    const first = await runWave(["init"], { project });
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(first.stdout).toContain("AGENTS.md: written\n.wave/settings.json: written\n");
    expect(first.stdout).toContain("Bash(npm test:*)");
    const again = await runWave(["init"], { project });
    expect(again.stdout).toContain("AGENTS.md: is there already, and stays as it is");
    const listed = await runWave(["permissions"], { project });
    expect(listed).toMatchObject({ status: 0, stderr: "" });
    expect(listed.stdout).toContain("Bash(npm test:*)");
  });
});

describe("wave plugin", () => {
  it("shows a plugin, adds exactly what was shown, and takes it away again (T37, T171)", async () => {
    using project = makeProject();
    const entry = { type: "command", command: 'bash "${CLAUDE_PLUGIN_ROOT}/guard.sh"' };
    const hooks = { PreToolUse: [{ matcher: "Bash", hooks: [entry] }] };
    project.write("my guard/.claude-plugin/plugin.json", JSON.stringify({ name: "guard", version: "1.0.0" }));
    project.write("my guard/hooks/hooks.json", JSON.stringify({ hooks }));
    project.write("my guard/guard.sh", "echo 'the plugin says no' >&2; exit 2\n");
    const wave = (...args: string[]) => runWave(args, { project });
    const shown = await wave("plugin", "add", "my guard");
    expect(shown.stdout).toContain('guard (1.0.0) would bring 1 hook:\n  hooks\n    PreToolUse Bash: bash "');
    const [, hash = ""] = /wave plugin add 'my guard' ([0-9a-f]{12})\n$/.exec(shown.stdout) ?? [];
    expect((await wave("plugin", "list")).stdout).toMatch(/^There are no plugins\./);
    expect(await wave("plugin", "add", "my guard", "000000000000")).toMatchObject({ status: 1 });
    expect(await wave("plugin", "add", "my guard", hash)).toMatchObject({ status: 0, stderr: "" });
    expect((await wave("plugin", "list")).stdout).toMatch(/^guard \(1\.0\.0\) from .*\/my guard\n$/);
    expect((await wave("hooks", "list")).stdout).toContain('bash "${CLAUDE_PLUGIN_ROOT}/guard.sh"   on Bash');
    expect(await wave("plugin", "remove", "guard")).toMatchObject({ status: 0 });
    expect(await wave("plugin", "remove", "guard")).toMatchObject({ status: 1 });
  });
});

import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { describe, expect, it } from "vitest";
import { makeProject, type Project } from "../support/project.ts";
import { runWave, startWave } from "../support/runWave.ts";

/** A session with this prompt and answer; returns its id. */
async function session(project: Project, prompt: string, answer: string): Promise<string> {
  await using model = await startScriptedModel([{ say: answer }]);
  const before = new Set(project.sessionFiles());
  await runWave(["-p", prompt], { project, model });
  const file = project.sessionFiles().find((one) => !before.has(one)) ?? "";
  return /([^/]+)\.jsonl$/.exec(file)?.[1] ?? "";
}

const wide = { COLUMNS: "160" };

describe("wave sessions rename", () => {
  it("gives a session a name that every list shows and --resume takes, and does not make it the latest", async () => {
    using project = makeProject();
    const first = await session(project, "first prompt", "one");
    const [file = ""] = project.sessionFiles();
    utimesSync(file, 1_000, 1_000);
    const second = await session(project, "second prompt", "two");
    const before = readFileSync(file);
    const run = await runWave(["sessions", "rename", first, "the", "login", "fix"], { project });
    expect(run).toMatchObject({
      status: 0,
      stdout: 'The session is now called "the login fix".\n',
      stderr: "",
    });
    expect(readFileSync(file).subarray(0, before.length)).toEqual(before);
    const list = await runWave(["sessions", "list"], { project, env: wide });
    const [newest = "", older = ""] = list.stdout.split("\n");
    expect(newest).toContain(`${second}  `);
    expect(older).toMatch(new RegExp(`^${first} .*  \\[the login fix\\] first prompt$`));
    const json = await runWave(["sessions", "list", "--json"], { project });
    expect(JSON.parse(json.stdout)).toMatchObject([{}, { name: "the login fix" }]);
    const show = await runWave(["sessions", "show", first], { project });
    expect(show.stdout).toMatch(/^Session \S+ \(the login fix\)\n/);
    await using model = await startScriptedModel([{ say: "three" }]);
    const resumed = await runWave(["-p", "-r", "the login fix", "third prompt"], { project, model });
    expect(resumed).toMatchObject({ status: 0, stdout: "three\n" });
    expect(model.requests[0]?.text).toContain("first prompt");
  });

  it("says which process has a session open, and writes nothing then (G56)", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([{ say: "x", hang: true }]);
    const wave = startWave(["-p", "go"], { project, model });
    wave.child.stdin.end();
    await wave.until(() => model.requests.length > 0);
    const id = /([^/]+)\.jsonl$/.exec(project.sessionFiles()[0] ?? "")?.[1] ?? "";
    const run = await runWave(["sessions", "rename", id, "x"], { project });
    expect(run).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining(String(wave.child.pid)),
    });
    wave.child.kill("SIGINT");
    await wave.done;
    expect(readFileSync(project.sessionFiles()[0] ?? "", "utf8")).not.toContain('"type":"named"');
  });
});

describe("wave sessions list", () => {
  it("leaves out sessions in which nothing was said, says how many, and has them with --all", async () => {
    using project = makeProject();
    const id = await session(project, "my prompt", "answer");
    const [file = ""] = project.sessionFiles();
    const [header = ""] = readFileSync(file, "utf8").split("\n");
    const empty = id.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    writeFileSync(file.replace(id, empty), `${header.replaceAll(id, empty)}\n`);
    const idsIn = ({ stdout }: { stdout: string }) =>
      stdout.match(/^[0-9a-f-]{36}(?= )/gm)?.toSorted() ?? stdout;

    const list = await runWave(["sessions"], { project });
    expect(list).toMatchObject({ status: 0, stderr: "1 empty session not shown; --all shows them\n" });
    expect(idsIn(list)).toEqual([id]);
    const all = await runWave(["sessions", "list", "--all"], { project });
    expect(all).toMatchObject({ status: 0, stderr: "" });
    expect(idsIn(all)).toEqual([id, empty].toSorted());
    const json = await runWave(["sessions", "list", "--json"], { project });
    expect(json).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse(json.stdout)).toHaveLength(2);
  });
});

describe("wave sessions search", () => {
  it("finds what was said in any session, with the line", async () => {
    using project = makeProject();
    const first = await session(project, "where is the NEEDLE?", "in the hay");
    await session(project, "something else", "nothing");
    const run = await runWave(["sessions", "search", "the", "needle"], { project, env: wide });
    expect(run).toMatchObject({ status: 0, stdout: `${first}  you: where is the NEEDLE?\n`, stderr: "" });
    const json = await runWave(["sessions", "search", "HAY", "--json"], { project });
    expect(JSON.parse(json.stdout)).toMatchObject([{ id: first, by: "model", line: "in the hay" }]);
    const none = await runWave(["sessions", "search", "\u001b[2J"], { project });
    expect(none).toMatchObject({ status: 0, stdout: 'No session of this folder has "\\u001b[2J" in it.\n' });
  });
});

describe("wave sessions export", () => {
  it("writes Markdown where it says, for its owner alone, and never over something", async () => {
    using project = makeProject();
    const id = await session(project, "my prompt", "the **answer**\n\n```\nleft open");
    const run = await runWave(["sessions", "export", id, "out.md"], { project });
    const file = join(project.folder, "out.md");
    expect(run).toMatchObject({ status: 0, stdout: `Written to ${file}\n`, stderr: "" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, "utf8");
    expect(text).toContain("## You\n\n> my prompt\n\n## Model\n\nthe **answer**\n\n```\nleft open\n```\n");

    writeFileSync(file, "mine");
    const again = await runWave(["sessions", "export", id, "out.md"], { project });
    expect(again).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("exists already") });
    expect(readFileSync(file, "utf8")).toBe("mine");
    const forced = await runWave(["sessions", "export", id, "out.md", "--force"], { project });
    expect(forced.status).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("is named after the session, and replaces a link instead of following it", async () => {
    using project = makeProject();
    const id = await session(project, "my prompt", "answer");
    await runWave(["sessions", "rename", id, "The Fix"], { project });
    writeFileSync(join(project.folder, "precious"), "precious");
    symlinkSync("precious", join(project.folder, "the-fix.md"));
    expect((await runWave(["sessions", "export", id], { project })).status).toBe(1);
    const latest = await runWave(["sessions", "export"], { project });
    expect(latest).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        new RegExp(
          `^Exporting the latest session, ${id}: \\[The Fix\\] my prompt\n.*the-fix\\.md exists already`,
        ),
      ),
    });
    expect((await runWave(["sessions", "export", "--force"], { project })).status).toBe(0);
    expect(readFileSync(join(project.folder, "precious"), "utf8")).toBe("precious");
    expect(readFileSync(join(project.folder, "the-fix.md"), "utf8")).toMatch(/^# The Fix\n/);
  });

  it("says why it cannot write", async () => {
    using project = makeProject();
    const id = await session(project, "my prompt", "answer");
    const to = async (target: string, ...flags: string[]) =>
      (await runWave(["sessions", "export", id, target, ...flags], { project })).stderr;
    expect(await to("no/such/folder.md")).toContain(
      `the folder ${join(project.folder, "no/such")} does not exist`,
    );
    expect(await to(".")).toContain("exists already");
    expect(await to(".", "--force")).toMatch(/wave: .* (is a folder|cannot be written)/);
    expect(existsSync(join(project.folder, "no"))).toBe(false);
  });
});

describe("a folder of sessions in which something odd lies", () => {
  const COMMANDS = [
    ["sessions", "list"],
    ["sessions", "search", "one"],
    ["sessions", "export", "--force"],
    ["hooks", "explain", "all"],
    ["-p", "-c", "go on"],
  ];

  const WHY = {
    loop: "it is a link that leads in a circle",
    zero: "it is a device, not a regular file",
    folder: "it is a folder, not a regular file",
    pipe: "it is a named pipe, not a regular file",
  };

  it("does not hide the sessions that are there, each is named, and no command waits for a pipe or a device", async () => {
    using project = makeProject();
    project.hook("UserPromptSubmit", "exit 0");
    const good = await session(project, "first prompt", "one");
    const [file = ""] = project.sessionFiles();
    const odd = (name: string) => join(dirname(file), `01a1e8d8-${name}.jsonl`);
    symlinkSync(odd("loop"), odd("loop"));
    symlinkSync("/dev/zero", odd("zero"));
    mkdirSync(odd("folder"));
    execFileSync("mkfifo", [odd("pipe")]);
    for (const args of COMMANDS) {
      await using model = await startScriptedModel([{ say: "went on" }]);
      const run = await runWave(args, { project, model });
      expect({ args, status: run.status, stderr: run.stderr }).toMatchObject({ args, status: 0 });
      for (const [name, why] of Object.entries(WHY))
        expect(run.stderr).toContain(`01a1e8d8-${name}.jsonl: ${why}`);
    }
    const list = await runWave(["sessions", "list"], { project, env: wide });
    expect(list.stdout).toContain(good);
    for (const name of Object.keys(WHY)) {
      const run = await runWave(["sessions", "show", `01a1e8d8-${name}`], { project });
      expect(run.status).toBe(1);
      expect(run.stderr).toMatch(/^[^\n]*cannot be read[^\n]*\n$/);
    }
    await using model = await startScriptedModel([]);
    const resumed = await runWave(["-p", "-r", "01a1e8d8-pipe", "go on"], { project, model });
    expect(resumed).toMatchObject({ status: 1, stderr: expect.stringContaining("cannot be read") });
  });

  it("says in one line that it cannot be read, whatever was asked of it", async () => {
    using project = makeProject();
    await session(project, "first prompt", "one");
    const [file = ""] = project.sessionFiles();
    const folder = dirname(file);
    rmSync(folder, { recursive: true });
    symlinkSync(folder, folder);
    for (const args of COMMANDS) {
      await using model = await startScriptedModel([{ say: "never" }]);
      const run = await runWave(args, { project, model });
      expect({ args, status: run.status }).toEqual({ args, status: 1 });
      expect(run.stderr).toMatch(/^[^\n]*folder of the sessions[^\n]*cannot be read[^\n]*\n$/);
    }
  });
});

describe("bad input of wave sessions", () => {
  it.each([
    [["search"], 2, "needs the text to look for"],
    [["search", "  "], 2, "needs the text to look for"],
    [["rename"], 2, "wave sessions rename <id> <name>"],
    [["rename", "ID"], 2, "wave sessions rename <id> <name>"],
    [["rename", "ID", " "], 2, "a name needs at least one character"],
    [["rename", "ID", "x".repeat(101)], 2, "the name has 101 characters"],
    [["rename", "nobody", "x"], 1, 'There is no session "nobody"'],
    [["export", "ID", "a", "b"], 2, "takes the id of one session (default: the latest) and a file"],
    [["export", "nobody"], 1, 'There is no session "nobody"'],
    [["export", "ID", "--json"], 2, "--json has no meaning for wave sessions export"],
    [["list", "--force"], 2, "--force has no meaning for wave sessions list"],
    [["show", "ID", "--all"], 2, "--all has no meaning for wave sessions show"],
    [["list", "x"], 2, "takes no arguments"],
    [["exprot", "ID"], 2, "Did you mean wave sessions export?"],
    [["constructor"], 2, "There is no wave sessions constructor"],
  ])("%j is answered with a sentence", async (words, status, answer) => {
    using project = makeProject();
    const id = await session(project, "prompt", "answer");
    const before = readFileSync(project.sessionFiles()[0] ?? "");
    const run = await runWave(["sessions", ...words.map((word) => (word === "ID" ? id : word))], { project });
    expect({ status: run.status, stdout: run.stdout, stderr: run.stderr }).toEqual({
      status,
      stdout: "",
      stderr: expect.stringContaining(answer),
    });
    expect(run.stderr.trim().split("\n")).toHaveLength(1);
    expect(readFileSync(project.sessionFiles()[0] ?? "")).toEqual(before);
  });
});

import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { describe, expect, it } from "vitest";
import { runProcess } from "@/services/process.ts";
import { prepareShell } from "@/tools/shellCommand.ts";
import { endProcesses } from "../support/processes.ts";
import { toolBench } from "../support/toolBench.ts";
import { waitFor } from "../support/waitFor.ts";

describe("Bash", () => {
  it.each([
    ["echo hi", true, "hi", 0],
    ["true", true, "(no output)", 0],
    ["echo out; echo err >&2", true, "out\nerr", 0],
    ["echo out; echo err >&2; exit 3", false, "Exit code 3\nout\nerr", 3],
    ["false", false, "Exit code 1", 1],
    ["printf 'a\\n\\nb'", true, "a\n\nb", 0],
    ["echo caf\u00e9 \u{1F600}", true, "caf\u00e9 \u{1F600}", 0],
    ["echo one; )", false, expect.stringMatching(/^Exit code 2\nbash: -c: line 1: syntax error/), 2],
    ["no-such-program", false, expect.stringMatching(/^Exit code 127\n.*command not found/), 127],
    ["cat; read x || echo end of input", true, "end of input", 0],
    ["test -t 0 || test -t 1 || (: </dev/tty) 2>/dev/null || echo no terminal", true, "no terminal", 0],
    // Node's own pipes are sockets, which nobody can open by their name.
    ["echo a > /dev/stderr; echo b > /dev/stdout; echo c | tee /dev/stderr", true, "b\nc\na\nc", 0],
    ["[ -p /dev/stdout ] && [ -p /dev/stderr ] && echo pipes", true, "pipes", 0],
    ["echo [$1] [$BASH_ENV] $#", true, "[] [] 0", 0],
  ])("runs %j and tells the model how it ended", async (command, success, result, exitCode) => {
    await using bench = toolBench();
    const outcome = await bench.call("Bash", { command });
    expect(outcome).toMatchObject({
      success,
      result,
      response: { interrupted: false, isImage: false, exitCode },
    });
  });

  it("gives hooks both streams apart", async () => {
    await using bench = toolBench();
    const { response } = await bench.call("Bash", { command: "echo out; echo err >&2; exit 3" });
    expect(response).toEqual({
      stdout: "out\n",
      stderr: "err\n",
      interrupted: false,
      isImage: false,
      noOutputExpected: false,
      exitCode: 3,
    });
  });

  it("hands on the output while the command runs", async () => {
    await using bench = toolBench();
    const running = bench.call("Bash", {
      command: "echo first; until [ -e go ]; do sleep 0.02; done; echo second",
    });
    await waitFor("the first line", () => bench.printed.join("").includes("first"));
    expect(bench.printed.join("")).not.toContain("second");
    bench.put("go", "");
    expect((await running).result).toBe("first\nsecond");
    expect(bench.printed.join("")).toBe("first\nsecond\n");
  });

  it("starts the command with the session's environment", async () => {
    await using bench = toolBench();
    const { result } = await bench.call("Bash", { command: "env" });
    const names = result.split("\n").map((line) => line.split("=")[0]);
    expect(names).toEqual(expect.arrayContaining(["PATH", "HOME", "WAVE_TEST_MARK", "PWD"]));
    expect(names).not.toContain("BASH_ENV");
    expect(names).not.toContain("NODE_ENV");
  });

  it("does not take a shell from the project", async () => {
    await using bench = toolBench();
    mkdirSync(bench.path("bin"));
    writeFileSync(bench.path("bin/bash"), "#!/bin/sh\necho planted\n", { mode: 0o755 });
    const planted = [bench.path("bin"), relative(process.cwd(), bench.path("bin")), "bin"];
    bench.session.env["PATH"] = [...planted, bench.session.env["PATH"]].join(":");
    bench.put(".bashrc", "echo profile\n");
    bench.session.env["SSH_CLIENT"] = "x";
    expect((await bench.call("Bash", { command: "echo mine" })).result).toBe("mine");
  });

  it("leaves a BASH_ENV of the session in force", async () => {
    await using bench = toolBench();
    bench.session.env["BASH_ENV"] = bench.put("it's mine.sh", "greet() { echo hello; }\n");
    const { result } = await bench.call("Bash", { command: 'greet; bash -c greet; echo "$BASH_ENV"' });
    expect(result).toBe(`hello\nhello\n${bench.path("it's mine.sh")}`);
  });

  it("cuts long output in the middle and says how many bytes are missing", async () => {
    await using bench = toolBench();
    const { result, response } = await bench.call("Bash", {
      command: "echo first; head -c 1000000 /dev/zero | tr '\\0' x; echo; echo last",
    });
    expect(result.length).toBeLessThanOrEqual(30_000);
    expect(result).toMatch(/^first\nx+\n\[… 970,112 bytes cut …\]\nx+\nlast$/);
    expect(JSON.stringify(response).length).toBeLessThan(31_000);
  });

  it("keeps the errors when both streams are long", async () => {
    await using bench = toolBench();
    const { result } = await bench.call("Bash", {
      command: "yes out | head -c 100000; yes err | head -c 100000 >&2; echo the cause >&2; exit 1",
    });
    expect(result.length).toBeLessThanOrEqual(30_100);
    expect(result).toMatch(/^Exit code 1\nout\n/);
    expect(result.match(/bytes cut/g)).toHaveLength(2);
    expect(result).toMatch(/err\nthe cause$/);
    const missing = [...result.matchAll(/\[… ([\d,]+) bytes cut …\]/g)].map(([, count]) =>
      Number(count?.replaceAll(",", "")),
    );
    const kept = Buffer.byteLength(result.replaceAll(/\n?\[… .* …\]/g, "").replace("Exit code 1\n", ""));
    const total = 200_000 + "the cause\n".length;
    expect(Math.abs(missing.reduce((sum, count) => sum + count, 0) + kept - total)).toBeLessThan(10);
  });

  it("tells a signal from an exit code", async () => {
    await using bench = toolBench();
    const outcome = await bench.call("Bash", { command: "echo before; kill -KILL $$" });
    expect(outcome).toMatchObject({ success: false, result: "Killed by SIGKILL\nbefore" });
    expect(outcome.response).not.toHaveProperty("exitCode");
  });

  it("ends everything at the timeout, says so and keeps what was printed", async () => {
    await using bench = toolBench();
    const outcome = await bench.call("Bash", {
      command: "trap '' TERM; echo working; sleep 300 & setsid sleep 300 & wait",
      timeout: 600,
    });
    expect(outcome).toMatchObject({
      success: false,
      result: expect.stringMatching(
        /^Timed out after 0\.6 s: .*; effects may exist\. .*\nworking(\n.*(?:Killed|Terminated).*)*$/,
      ),
      response: { interrupted: true, stdout: "working\n" },
    });
    expect(bench.processes()).toEqual([]);
  });

  it("says after an interrupt what is known (T81)", async () => {
    await using bench = toolBench();
    const abort = new AbortController();
    const running = bench.call("Bash", { command: "echo begun; sleep 300 & sleep 300" }, abort.signal);
    await waitFor("the command to begin", () => bench.printed.join("").includes("begun"));
    abort.abort();
    expect(await running).toMatchObject({
      success: false,
      result: expect.stringMatching(
        /^Interrupted: the command was running for [\d.]+ s when stopped; effects may exist\.\nbegun(\n.*(?:Killed|Terminated).*)*$/,
      ),
      response: { interrupted: true },
    });
    expect(bench.processes()).toEqual([]);
  });

  it("does not wait for what the command left in the background, which lives on", async () => {
    await using bench = toolBench();
    const { result } = await bench.call("Bash", { command: "sleep 300 & echo done" });
    expect(result).toBe("done");
    expect(bench.processes()).toHaveLength(1);
    endProcesses(bench.processes());
  });

  it("explains a command that is too long for the system", async () => {
    await using bench = toolBench();
    const outcome = await bench.call("Bash", { command: `echo ${"x".repeat(200_000)}` });
    expect(outcome).toMatchObject({
      success: false,
      result:
        "The command was not started: it is longer than the system allows. Write the long part into a file first.",
    });
  });

  it("leaves nothing in the folder for temporary files", async () => {
    await using bench = toolBench();
    mkdirSync(bench.path("tmp"));
    await withTemporaryFolder(bench.path("tmp"), async () => {
      for (const command of ["true", "exit 1", "kill -KILL $$", "exec true"])
        await bench.call("Bash", { command });
      await bench.call("Bash", { command: "sleep 300", run_in_background: true });
      await bench.call("KillShell", { shell_id: "bash_1" });
    });
    await waitFor("the last folder to go", () => readdirSync(bench.path("tmp")).length === 0);
    expect(readdirSync(bench.path("tmp"))).toEqual([]);
  });
});

/** Wave's own folder for temporary files is another one meanwhile. */
async function withTemporaryFolder(folder: string, action: () => Promise<void>): Promise<void> {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  try {
    await action();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
}

describe("the working folder", () => {
  it.each([
    ["a plain cd", "cd sub"],
    ["an exit code", "cd sub; exit 3"],
    ["a failing step", "cd sub && false"],
    ["set -e", "set -e; cd sub; false; echo never"],
    ["set -e in a subshell", "set -e; cd sub; (exit 4)"],
    ["set -u", "set -u; cd sub; echo $undefined_name"],
    ["set -C", "set -C; trap 'echo bye' EXIT; cd sub; exit 1"],
    ["exec", "cd sub; exec true"],
    ["exec of redirections", "cd sub; exec >/dev/null 2>&1; echo hidden"],
    ["an EXIT trap of its own", "trap 'echo bye' EXIT; cd sub; exit 2"],
    ["an EXIT trap and no exit", "trap 'echo bye' EXIT; cd sub"],
    ["an ERR trap", "trap 'echo failed' ERR; cd sub; false"],
    ["a function", "go() { cd sub; }; go; exit 1"],
    [
      "functions with the names of builtins",
      "pwd() { echo nowhere; }; command() { echo nothing; }; unset -f command; cd sub",
    ],
    ["pushd", "pushd sub >/dev/null"],
    ["a syntax error later on", "cd sub\n)"],
    ["a comment at the end", "cd sub # in here"],
    ["a here document", "cd sub; cat <<EOF\ntext\nEOF"],
    ["a here document without an end", "cd sub; cat <<EOF\ntext"],
    ["a backslash at the end", "cd sub; true \\"],
    ["a background job", "cd sub; sleep 0.01 & exit 0"],
    ["closed streams", "exec 1>&- 2>&- 0<&-; cd sub"],
    ["a changed PWD variable", "cd sub; PWD=/nowhere"],
    ["SIGTERM to itself", "cd sub; kill -TERM $$; sleep 5"],
  ])("is kept after %s", async (_what, command) => {
    await using bench = toolBench();
    mkdirSync(bench.path("sub"));
    const first = await bench.call("Bash", { command });
    expect(bench.session.cwd).toBe(bench.path("sub"));
    expect(first.result).toMatch(/\[The working folder is now .*\/sub\.\]$/);
    const second = await bench.call("Bash", { command: "pwd" });
    expect(second.result).toBe(bench.path("sub"));
  });

  it.each([
    ["a subshell", "(cd sub)"],
    ["a pipeline", "true | cd sub"],
    ["a command substitution", "x=$(cd sub; pwd)"],
    ["another shell", "bash -c 'cd sub'"],
    ["exec of a program that changes folder", "exec bash -c 'cd sub'"],
    ["a shell that is killed", "cd sub; kill -KILL $$"],
    ["nothing", "true"],
  ])("does not move by %s", async (_what, command) => {
    await using bench = toolBench();
    mkdirSync(bench.path("sub"));
    const { result } = await bench.call("Bash", { command });
    expect(bench.session.cwd).toBe(bench.dir);
    expect(result).not.toContain("working folder");
  });

  it("is learned without a trace in output, trace and exit code", async () => {
    await using bench = toolBench();
    mkdirSync(bench.path("sub"));
    const command = "set -x; trap 'echo bye $?' EXIT; cd sub; exit 7";
    expect(await bench.call("Bash", { command })).toMatchObject({
      response: {
        stdout: "bye 7\n",
        stderr: "+ trap 'echo bye $?' EXIT\n+ cd sub\n+ exit 7\n+ echo bye 7\n",
        exitCode: 7,
      },
    });
    expect(bench.session.cwd).toBe(bench.path("sub"));
  });

  it("may have any name, and stays as it was written where links are in it", async () => {
    await using bench = toolBench('it\'s a "project" \u00fc $HOME');
    mkdirSync(bench.path("new\nline "));
    await bench.call("Bash", { command: "cd $'new\\nline '" });
    expect(bench.session.cwd).toBe(bench.path("new\nline "));
    bench.session.cwd = bench.dir;
    mkdirSync(bench.path("real"));
    symlinkSync("real", bench.path("link"));
    await bench.call("Bash", { command: "cd link" });
    await bench.call("Bash", { command: "touch here" });
    expect(bench.session.cwd).toBe(bench.path("link"));
    expect(existsSync(bench.path("real/here"))).toBe(true);
  });

  it("falls back to the project when it was removed, and says so", async () => {
    await using bench = toolBench();
    mkdirSync(bench.path("sub"));
    await bench.call("Bash", { command: "cd sub" });
    rmSync(bench.path("sub"), { recursive: true });
    const outcome = await bench.call("Bash", { command: "pwd" });
    expect(outcome).toMatchObject({
      success: true,
      result: `The working folder ${bench.path("sub")} does not exist any more; it is now ${bench.dir}.\n${bench.dir}`,
    });
    mkdirSync(bench.path("sub"));
    const removed = await bench.call("Bash", { command: "cd sub; rmdir ../sub" });
    expect(removed.result).toMatch(
      /ended in .*\/sub, which does not exist any more\. The working folder is now/,
    );
    expect(bench.session.cwd).toBe(bench.dir);
  });

  it("is where relative paths of other tools start", async () => {
    await using bench = toolBench();
    mkdirSync(bench.path("sub"));
    writeFileSync(bench.path("sub/a.txt"), "here");
    await bench.call("Bash", { command: "cd sub" });
    expect((await bench.call("Read", { file_path: "a.txt" })).result).toBe("     1\there");
  });

  it("is not followed, and said not to be, where there is no room for temporary files", async () => {
    await using bench = toolBench();
    mkdirSync(bench.path("sub"));
    await withTemporaryFolder(bench.path("missing"), async () => {
      const outcome = await bench.call("Bash", { command: "cd sub; pwd" });
      expect(outcome).toMatchObject({ success: true, result: expect.stringContaining(bench.path("sub")) });
      expect(outcome.result).toMatch(
        /\[Cannot write to .*: it does not exist\. A change of folder .* is not kept\.\]$/,
      );
    });
    expect(bench.session.cwd).toBe(bench.dir);
  });
});

describe("where there is no bash", () => {
  it.each([
    ["cd sub; exit 3", 3, ""],
    ["cd sub && false", 1, ""],
    ["set -eux; cd sub; false; echo never", 1, "+ cd sub\n+ false\n"],
  ])("sh runs %j and the folder is kept", async (command, code, stderr) => {
    await using bench = toolBench();
    mkdirSync(bench.path("sub"));
    const { env } = bench.session;
    const shell = prepareShell(
      { command, projectDir: bench.dir, cwd: bench.dir, env, atExit: "record-folder", register: undefined },
      { kind: "sh", file: "/bin/sh" },
    );
    const { file, args } = shell;
    const run = await runProcess({ file, args, cwd: bench.dir, env: shell.env, keepBytes: 1000 });
    expect(run).toMatchObject({ end: "exited", code, stdout: { text: "" }, stderr: { text: stderr } });
    expect(shell.endFolder()).toBe(bench.path("sub"));
    shell.remove();
  });
});

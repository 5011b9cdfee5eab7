import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { toolBench } from "../support/toolBench.ts";
import { waitFor } from "../support/waitFor.ts";

describe("a background shell", () => {
  it("gives its id at once, then what is new with each call, then how it ended", async () => {
    await using bench = toolBench();
    const command = "echo one; until [ -e go ]; do sleep 0.02; done; echo two; echo oops >&2; exit 4";
    expect(await bench.call("Bash", { command, run_in_background: true })).toEqual({
      success: true,
      result: "Runs in the background as bash_1. See its output with BashOutput, end it with KillShell.",
      response: {
        stdout: "",
        stderr: "",
        interrupted: false,
        isImage: false,
        noOutputExpected: true,
        backgroundTaskId: "bash_1",
      },
    });
    const look = async () => (await bench.call("BashOutput", { bash_id: "bash_1" })).result;
    let first = await look();
    while (first.includes("(no new output)")) {
      await sleep(10);
      first = await look();
    }
    expect(first).toBe("Status: running\none");
    expect(await look()).toBe("Status: running\n(no new output)");
    bench.put("go", "");
    await bench.session.shells.get("bash_1")?.ended;
    expect(await bench.call("BashOutput", { bash_id: "bash_1" })).toEqual({
      success: true,
      result: "Status: ended (Exit code 4)\ntwo\noops",
      response: {
        shellId: "bash_1",
        command,
        status: "failed",
        exitCode: 4,
        stdout: "two\n",
        stderr: "oops\n",
      },
    });
    expect(await look()).toBe("Status: ended (Exit code 4)\n(no new output)");
  });

  it("is ended with everything it started by KillShell", async () => {
    await using bench = toolBench();
    const command = "trap '' TERM; sleep 300 & setsid sleep 300 & echo up; sleep 300";
    await bench.call("Bash", { command, run_in_background: true });
    await waitFor("all of it to run", () => bench.processes().length === 4);
    expect(await bench.call("KillShell", { shell_id: "bash_1" })).toMatchObject({
      success: true,
      result: `bash_1 was ended with everything it started: ${command}`,
      response: { shell_id: "bash_1" },
    });
    expect(bench.processes()).toEqual([]);
    // Bash itself may get to say on stderr which of its jobs was killed before it is killed, too.
    expect((await bench.call("BashOutput", { bash_id: "bash_1" })).result).toMatch(
      /^Status: killed\nup(\n.*(?:Killed|Terminated).*)*$/,
    );
    expect((await bench.call("KillShell", { shell_id: "bash_1" })).result).toBe(
      "There was nothing to end: bash_1 is already killed.",
    );
  });

  it("still runs while its own background jobs run, so that they can be ended", async () => {
    await using bench = toolBench();
    await bench.call("Bash", { command: "sleep 300 & echo started", run_in_background: true });
    await waitFor("the job to start", () => bench.processes().length === 2);
    expect(bench.session.shells.get("bash_1")?.state).toEqual({ is: "running" });
    await bench.call("KillShell", { shell_id: "bash_1" });
    expect(bench.processes()).toEqual([]);
  });

  it("ends with the session, and none can be started after that", async () => {
    await using bench = toolBench();
    for (const command of ["sleep 300", "sleep 300 | sleep 300", "nohup setsid sleep 300 & sleep 300"]) {
      await bench.call("Bash", { command, run_in_background: true });
    }
    await waitFor("all shells to run", () => bench.processes().length >= 6);
    await bench.session.shells.dispose();
    expect(bench.processes()).toEqual([]);
    const late = await bench.call("Bash", { command: "sleep 300", run_in_background: true });
    expect(late).toMatchObject({ success: false, result: expect.stringContaining("The session is over") });
    expect(bench.processes()).toEqual([]);
  });

  it("is not ended by an interrupt of the turn", async () => {
    await using bench = toolBench();
    const abort = new AbortController();
    await bench.call("Bash", { command: "sleep 300", run_in_background: true }, abort.signal);
    abort.abort();
    expect(bench.session.shells.get("bash_1")?.state).toEqual({ is: "running" });
  });

  it("does not move the session's folder", async () => {
    await using bench = toolBench();
    await bench.call("Bash", { command: "cd /; pwd", run_in_background: true });
    await bench.session.shells.get("bash_1")?.ended;
    expect((await bench.call("BashOutput", { bash_id: "bash_1" })).result).toBe(
      "Status: ended (Exit code 0)\n/",
    );
    expect(bench.session.cwd).toBe(bench.dir);
  });

  it("keeps head and tail of what nobody read, and says what is missing", async () => {
    await using bench = toolBench();
    await bench.call("Bash", {
      command: "echo first; yes | head -c 5000000; echo last",
      run_in_background: true,
    });
    await bench.session.shells.get("bash_1")?.ended;
    const { result } = await bench.call("BashOutput", { bash_id: "bash_1" });
    expect(result.length).toBeLessThan(30_100);
    expect(result).toMatch(/^Status: ended \(Exit code 0\)\nfirst\ny\n/);
    expect(result).toMatch(/\[… 4,970,111 bytes cut …\]\n/);
    expect(result).toMatch(/\ny\nlast$/);
  });

  it.each(["^(a+)+$", "(a|aa)+$", "(?:a*)*b", "^(?:a|a)*c$", "(.*a){30}x"])(
    "does not wait for a filter that takes for ever: %s shows everything and says so",
    async (filter) => {
      await using bench = toolBench();
      const line = `${"a".repeat(60)}!`;
      await bench.call("Bash", { command: `echo ${line}; echo b2`, run_in_background: true });
      await bench.session.shells.get("bash_1")?.ended;
      const { success, result } = await bench.call("BashOutput", { bash_id: "bash_1", filter });
      expect({ success, result }).toEqual({
        success: true,
        result: `Status: ended (Exit code 0)\n${line}\nb2\n[The filter ${filter} took too long and was not used. Write a simpler one.]`,
      });
    },
    20_000,
  );

  it("shows only the lines a filter asks for, and counts the others", async () => {
    await using bench = toolBench();
    await bench.call("Bash", { command: "echo a1; echo b; echo a2", run_in_background: true });
    await bench.session.shells.get("bash_1")?.ended;
    const wrong = await bench.call("BashOutput", { bash_id: "bash_1", filter: "(" });
    expect(wrong).toMatchObject({
      success: false,
      result: expect.stringMatching(/^The filter is not a regular/),
    });
    expect((await bench.call("BashOutput", { bash_id: "bash_1", filter: "^a" })).result).toBe(
      "Status: ended (Exit code 0)\na1\na2\n[1 other lines dropped by the filter]",
    );
  });

  it("that does not exist is named, with those that do", async () => {
    await using bench = toolBench();
    expect((await bench.call("BashOutput", { bash_id: "x" })).result).toBe(
      "There is no background shell x; none was started in this session.",
    );
    await bench.call("Bash", { command: "true", run_in_background: true });
    expect((await bench.call("KillShell", { shell_id: "x" })).result).toBe(
      "There is no background shell x. Known are: bash_1.",
    );
  });
});

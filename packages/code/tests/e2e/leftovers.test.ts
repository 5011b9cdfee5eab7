import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { expect, it } from "vitest";
import { makeProject } from "../support/project.ts";
import { runWave, startWave } from "../support/runWave.ts";

it("what a killed Wave was running is ended at the next start and its files are removed, what was left in the background on purpose is not (G48)", async () => {
  using project = makeProject();
  await using model = await startScriptedModel([
    { call: { name: "Bash", arguments: { command: "setsid sleep 600 & echo $! > kept.pid" } } },
    { call: { name: "Bash", arguments: { command: "echo $$ > command.pid; sleep 600 & wait" } } },
    { say: "never" },
    { say: "done" },
  ]);
  const args = ["-p", "--permission-mode", "bypassPermissions", "x"];
  const tmp = join(project.home, "tmp");
  mkdirSync(tmp);
  const env = { TMPDIR: tmp };
  // What is there only while a Wave runs.
  const left = () =>
    readdirSync(project.home, { recursive: true, encoding: "utf8" }).filter((name) =>
      /^(?:tmp|running)\/|\.lock$/.test(name),
    );
  const killed = startWave(args, { project, model, env });
  killed.child.stdin.end();
  const pidIn = (name: string) => Number(read(join(project.folder, name)));
  await killed.until(() => pidIn("command.pid") > 0);
  const [kept, command] = [pidIn("kept.pid"), pidIn("command.pid")];
  try {
    killed.child.kill("SIGKILL");
    await killed.done;
    expect([kept, command].map(isAlive)).toEqual([true, true]);
    expect(left()).not.toEqual([]);

    const again = await runWave(args, { project, model, env });
    expect(again.stderr).toContain("1 process that was left running when Wave was killed: ended now");
    expect([kept, command].map(isAlive)).toEqual([true, false]);
    expect(left()).toEqual([]);

    await using another = await startScriptedModel([{ say: "done" }]);
    const third = await runWave(args, { project, model: another, env });
    expect(third.stderr).not.toContain("left running");
  } finally {
    for (const pid of [kept, command]) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  }
});

const read = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");

/** Not one that has ended and only waits to be noticed. */
function isAlive(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`);
  return stat !== "" && !/\) [ZX] /.test(stat);
}

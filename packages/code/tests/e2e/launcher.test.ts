import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { makeProject } from "../support/project.ts";
import { startWave, WAVE, type StartedWave, type WaveOptions } from "../support/runWave.ts";

const LAUNCH = new URL("../../bin/launch.js", import.meta.url).href;
const START = `import { launch } from "${LAUNCH}"; launch(process.execPath, process.argv.slice(1));`;

/** An older Node of this machine, which the launcher is made for. */
function oldNode(): string | undefined {
  const candidates = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "node"));
  return candidates.find((node) => existsSync(node) && majorOf(node) < 24);
}

const majorOf = (node: string) =>
  Number(execFileSync(node, ["-p", "process.versions.node"], { encoding: "utf8" }).split(".")[0]);

const old = oldNode();
/** The launcher on this Node everywhere, and the whole way from an old Node where there is one. */
const WAYS: [from: string, program: string[]][] = [
  ["this Node", [process.execPath, "--input-type=module", "-e", START, WAVE]],
  ...(old === undefined ? [] : [["an old Node", [old, WAVE]] satisfies [string, string[]]]),
];

function launched(program: string[], args: string[], options: WaveOptions): StartedWave {
  return startWave([], { ...options, program: [...program, ...args], ownGroup: true });
}

const signalled: [signal: NodeJS.Signals, status: number, reason: string][] = [
  ["SIGINT", 130, "interrupted"],
  ["SIGTERM", 143, "terminated"],
  ["SIGHUP", 129, "terminated"],
];

describe.each(WAYS)("Wave launched from %s", (_from, program) => {
  for (const [to, target] of [
    ["the launcher alone", (pid: number) => pid],
    ["the whole process group", (pid: number) => -pid],
  ] as const) {
    it.each(signalled)(
      `ends after %s to ${to} with %i, and its SessionEnd hooks run to their end (T154)`,
      async (signal, status, reason) => {
        using project = makeProject();
        project.hook("SessionEnd", `sleep 0.3; sed 's/.*"reason":"\\([a-z_]*\\)".*/\\1/' >> ends`);
        await using model = await startScriptedModel([{ say: "so far", hang: true }]);
        const wave = launched(program, ["-p", "--output-format", "stream-json", "x"], { project, model });
        wave.child.stdin.end();
        await wave.until(() => wave.stdout.includes("text_delta"));
        process.kill(target(wave.child.pid ?? 0), signal);
        expect(await wave.done).toMatchObject({ status, signal: null });
        expect(readFileSync(join(project.folder, "ends"), "utf8")).toBe(`${reason}\n`);
      },
    );
  }

  it("ends as after SIGHUP when the launcher is killed", async () => {
    using project = makeProject();
    project.hook("SessionEnd", "touch ended");
    await using model = await startScriptedModel([{ say: "so far", hang: true }]);
    const wave = launched(program, ["-p", "--output-format", "stream-json", "x"], { project, model });
    wave.child.stdin.end();
    await wave.until(() => wave.stdout.includes("text_delta"));
    wave.child.kill("SIGKILL");
    // Comes when the last process that holds the pipes has ended, and that is Wave.
    expect(await wave.done).toMatchObject({ signal: "SIGKILL" });
    expect(existsSync(join(project.folder, "ended"))).toBe(true);
    expect(project.sessionLines().at(-1)).toMatchObject({ type: "ended", reason: "terminated" });
  });

  it("skips the SessionEnd hooks after a second Ctrl-C (T155)", async () => {
    using project = makeProject();
    project.hook("SessionEnd", "touch ending; sleep 4 && touch ended");
    await using model = await startScriptedModel([{ say: "so far", hang: true }]);
    const wave = launched(program, ["-p", "--output-format", "stream-json", "x"], { project, model });
    wave.child.stdin.end();
    await wave.until(() => wave.stdout.includes("text_delta"));
    process.kill(-(wave.child.pid ?? 0), "SIGINT");
    await wave.until(() => existsSync(join(project.folder, "ending")));
    process.kill(-(wave.child.pid ?? 0), "SIGINT");
    expect(await wave.done).toMatchObject({ status: 130 });
    expect(existsSync(join(project.folder, "ended"))).toBe(false);
  });

  it("dies of a signal that comes while it waits for its input", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([]);
    const wave = launched(program, ["-p"], { project, model });
    await wave.until(() => wave.stderr.includes("waiting for the end of the piped input"));
    wave.child.kill("SIGINT");
    expect(await wave.done).toMatchObject({ status: null, signal: "SIGINT" });
  });

  it("tells the programs it starts nothing about the launcher", async () => {
    using project = makeProject();
    project.hook("UserPromptSubmit", "env > env-of-hook");
    await using model = await startScriptedModel([{ say: "ok" }]);
    const wave = launched(program, ["-p", "x"], { project, model });
    wave.child.stdin.end();
    expect(await wave.done).toMatchObject({ status: 0, stdout: "ok\n" });
    expect(readFileSync(join(project.folder, "env-of-hook"), "utf8")).not.toMatch(
      /WAVE_LAUNCHED|NODE_CHANNEL/,
    );
  });
});

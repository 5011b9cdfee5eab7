import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { makeProject } from "../support/project.ts";
import { startWave, WAVE, type StartedWave, type WaveOptions } from "../support/runWave.ts";

// `script` gives a program a terminal. Where it is missing these tests are skipped, and the list says so.
const hasTerminal =
  spawnSync("script", ["-qec", "true", "/dev/null"], { stdio: ["pipe", "pipe", "pipe"] }).status === 0;

/** Starts Wave on a terminal of so many columns. What it draws arrives on `stdout`. */
function onTerminal(args: string[], options: WaveOptions & { columns?: number }): StartedWave {
  const quoted = [process.execPath, WAVE, ...args]
    .map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`)
    .join(" ");
  const command = `stty cols ${options.columns ?? 80} rows 24 -echo; exec ${quoted}`;
  const env = { TERM: "xterm-256color", ...options.env };
  return startWave([], { ...options, env, program: ["script", "-qefc", command, "/dev/null"] });
}

// eslint-disable-next-line no-control-regex
const COLOURS = /\u001b\[\d+m/g;
const plain = (text: string) => text.replaceAll(COLOURS, "").replaceAll("\r", "");

describe.skipIf(!hasTerminal)("on a terminal", () => {
  it("text of the model cannot draw: only Wave's own colours are escape codes (G46)", async () => {
    using project = makeProject();
    project.hook("UserPromptSubmit", String.raw`printf '\033]0;title\007 from a hook\n'`, {
      name: "painter",
    });
    await using model = await startScriptedModel([{ say: "clear \u001b[2J screen \u202e" }]);
    const { status, stdout } = await onTerminal(["-p", "x"], { project, model }).done;
    expect(status).toBe(0);
    expect(plain(stdout)).toContain("clear \\x1b[2J screen \\u202e\n");
    expect(plain(stdout)).toContain("told the model: \\x1b]0;title\\x07 from a hook\n");
    expect(plain(stdout)).not.toContain("\u001b");
    expect(stdout).toMatch(COLOURS);
  });

  it("NO_COLOR leaves no escape code at all", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([{ status: 401 }]);
    const { stdout } = await onTerminal(["-p", "x"], { project, model, env: { NO_COLOR: "1" } }).done;
    expect(stdout).toContain("error: ");
    expect(stdout).not.toContain("\u001b");
  });

  it("the demo is coloured, fits 40 columns, and Ctrl-C leaves it at once without a trace", async () => {
    using project = makeProject();
    const temp = join(project.home, "tmp");
    mkdirSync(temp);
    const wave = onTerminal(["demo"], { project, columns: 40, env: { TMPDIR: temp } });
    await wave.until(() => plain(wave.stdout).includes("ended with"));
    const before = Date.now();
    wave.child.stdin.write("\u0003");
    const { status, stdout } = await wave.done;
    expect(status).toBe(130);
    // The whole demo takes about a minute: this is not its end.
    expect(Date.now() - before).toBeLessThan(20_000);
    expect(plain(stdout)).not.toContain("Try it on a project of your own");
    expect(plain(stdout).replaceAll(/\s+/g, " ")).toContain("Its temporary project was removed.");
    expect(stdout).toMatch(COLOURS);
    expect(
      plain(stdout)
        .split("\n")
        .filter((line) => line.length > 40),
    ).toEqual([]);
    expect(readdirSync(temp).filter((name) => name.startsWith("wave"))).toEqual([]);
  });

  it("Ctrl-C ends the turn with 130", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([{ say: "so far", hang: true }]);
    const wave = onTerminal(["-p", "--output-format", "stream-json", "x"], { project, model });
    await wave.until(() => wave.stdout.includes("text_delta"));
    wave.child.stdin.write("\u0003");
    expect(await wave.done).toMatchObject({ status: 130 });
  });
});

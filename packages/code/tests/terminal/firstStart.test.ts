import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { makeProject } from "../support/project.ts";
import { startWave } from "./support/terminal.ts";

describe("wave on a terminal without a model", () => {
  it.each([40, 80])("says what it is, what to set, and what there is, in %i columns", async (cols) => {
    using project = makeProject();
    await using wave = startWave({ cwd: project.folder, cols, rows: 30, env: { WAVE_HOME: project.home } });
    await wave.waitForText("Play the demo");
    await wave.takesKeys();
    const screen = wave.screen().join("\n");
    for (const word of [
      "WAVE_API_KEY",
      "WAVE_BASE_URL",
      "WAVE_MODEL",
      "cannot be bypassed",
      "Enter",
      "Esc",
    ]) {
      expect(screen).toContain(word);
    }
    await wave.press("esc");
    expect(await wave.exit).toEqual({ code: 0, signal: null });
    // What to set stays when the screen is gone.
    expect(wave.text()).toContain("set OPENAI_API_KEY");
    expect(wave.text()).not.toContain("Play the demo");
    expect(project.sessionFiles()).toEqual([]);
  });

  it("plays the demo when that is chosen", async () => {
    using project = makeProject();
    await using wave = startWave({ cwd: project.folder, env: { WAVE_HOME: project.home } });
    await wave.waitForText("Play the demo");
    await wave.waitForText("› ");
    await wave.takesKeys();
    // A model server of the machine, if there is one, stands above it.
    await wave.press("up", "up");
    const offers = wave.screen().filter((line) => /^(› | {2})(Use|Play|Leave)/.test(line));
    for (let row = 0; !offers[row]?.includes("Play the demo"); row++) await wave.press("down");
    await wave.press("enter");
    await wave.waitForText("Wave demo: one session of a coding agent");
    await wave.press("ctrl-c");
    expect(await wave.exit).toMatchObject({ code: 130 });
  });

  it("keeps what is typed before it takes keys for the prompt of the next start, and chooses nothing by it (T71, T166)", async () => {
    using project = makeProject();
    const env = { WAVE_HOME: project.home, WAVE_ANSWER_PAUSE: "1500" };
    await using wave = startWave({ cwd: project.folder, env });
    for (const piece of ["fix ", "the ", "login", "\r"]) {
      wave.type(piece);
      await sleep(150);
    }
    await wave.waitForText("Play the demo");
    wave.type("now");
    await wave.answerKey("esc");
    expect(await wave.exit).toEqual({ code: 0, signal: null });
    await using next = startWave({ cwd: project.folder, env: { ...env, WAVE_API_KEY: "key" } });
    await next.waitForText(/> fix the login +│\n│ {3}now /);
  });

  it("says why a model that is set up cannot be used", async () => {
    using project = makeProject();
    const env = { WAVE_HOME: project.home, WAVE_BASE_URL: "not an address" };
    await using wave = startWave({ cwd: project.folder, env });
    await wave.waitForText("The base URL from WAVE_BASE_URL is not an http");
    await wave.takesKeys();
    await wave.press("down", "enter");
    expect(await wave.exit).toEqual({ code: 0, signal: null });
  });

  it("leaves with Ctrl-C, and by a signal with its status", async () => {
    using project = makeProject();
    const start = () => startWave({ cwd: project.folder, env: { WAVE_HOME: project.home } });
    await using wave = start();
    await wave.waitForText("Leave");
    await wave.press("ctrl-c");
    expect(await wave.exit).toMatchObject({ code: 0 });
    await using other = start();
    await other.waitForText("Leave");
    other.signal("SIGTERM");
    expect(await other.exit).toMatchObject({ code: 143 });
  });
});

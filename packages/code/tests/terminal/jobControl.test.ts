import { describe, expect, it } from "vitest";
import type { Scenario } from "wave-agent-sdk/testing";
import { WAVE } from "../support/runWave.ts";
import { childrenOf } from "./support/processes.ts";
import { hooksOf, READY, ScreenSession, sessionLinesOf } from "./support/screenSession.ts";
import { startOnTerminal, type TerminalOptions, type TerminalRun } from "./support/terminal.ts";

const SHELL = "shell> ";

/** As a person starts it, in a shell that has jobs. */
function fromJobShell(options: TerminalOptions): TerminalRun {
  const env = { ...options.env, PS1: SHELL, INPUTRC: "/dev/null", NODE: process.execPath, WAVE };
  const shell = startOnTerminal("bash", { ...options, env, args: ["--norc", "--noprofile", "-i"] });
  shell.type('"$NODE" "$WAVE"\r');
  return shell;
}

const SCENARIO: Scenario = [{ say: "the first answer" }, { say: "the second answer" }];
const open = (scenario = SCENARIO) => ScreenSession.open({ scenario, start: fromJobShell });

/** Stops the program below the shell. Resolves when the shell has the terminal. */
async function stop({ wave }: ScreenSession, signal: NodeJS.Signals): Promise<void> {
  const [pid] = childrenOf(wave.pid);
  if (pid === undefined) throw new Error("the shell runs nothing");
  const before = wave.output.length;
  process.kill(pid, signal);
  await wave.waitUntil(() => wave.output.slice(before).includes(SHELL), { what: "the shell's prompt" });
}

async function inShell({ wave }: ScreenSession, command: string, expected: string | RegExp): Promise<void> {
  wave.type(`${command}\r`);
  await wave.waitForText(expected);
}

/** Whoever has the screen last drew it there: nothing of an earlier frame is below or in it. */
const framesOn = ({ wave }: ScreenSession) =>
  wave.screen().filter((row) => row.includes("Enter sends")).length;

describe("stopped and continued by a shell", () => {
  it.each(["SIGTSTP", "SIGSTOP"] as const)(
    "%s and fg: the shell has the terminal as it was, and Wave has it again: keys, pastes, cursor and frame (G45)",
    async (signal) => {
      await using session = await open();
      const { wave } = session;
      await session.say("first");
      await wave.waitForText("the first answer");
      await session.idle();
      wave.type("half a se");
      await wave.waitForText("> half a se");

      await stop(session, signal);
      await inShell(session, "clear; echo $(stty -a | grep -c -e '-icanon' -e '-echo ') raw", "0 raw");
      // Wave's own frame is gone where it could be taken away.
      if (signal === "SIGTSTP") expect(wave.screen().join("\n")).not.toContain("half a se");
      wave.resize(100, 30);

      wave.type("fg\r");
      await wave.waitForText(/fg\n[^]*> half a se/);
      expect(wave.screen().join("\n")).toContain("0 raw");
      expect(wave.terminal.modes.bracketedPasteMode).toBe(true);
      wave.type("ntence");
      await wave.waitForText(/> half a sentence +│/);
      wave.paste("\nand a line");
      await wave.waitForText("and a line");
      await wave.press("enter");
      await wave.waitForText("the second answer");
      await session.idle();
      await wave.waitForText(READY);
      // Drawn for the width that the window got meanwhile, once, with the cursor in the prompt.
      expect(wave.screen().find((row) => row.startsWith("╰"))).toHaveLength(100);
      await expect.poll(() => wave.screen()[wave.cursor().row]).toContain(READY);
      expect(wave.output.lastIndexOf("\u001b[?25h")).toBeGreaterThan(wave.output.lastIndexOf("\u001b[?25l"));
      if (signal === "SIGTSTP") expect(framesOn(session)).toBe(1);
      expect(session.model.requests).toHaveLength(2);
    },
  );

  it.each(["SIGTSTP", "SIGSTOP"] as const)(
    "%s, bg and fg: nothing is drawn over the shell in the background",
    async (signal) => {
      await using session = await open([{ hang: true }]);
      const { wave } = session;
      // There is something to draw all the time.
      await session.say("first");
      await wave.waitForText(/Esc +stops/);
      await stop(session, signal);
      await inShell(session, "clear; bg; sleep 0.5; jobs; echo now in $0", "now in bash");
      await inShell(session, "jobs", /jobs\n.*Stopped/);
      expect(wave.screen().join("\n")).not.toMatch(/Esc +stops/);
      wave.type("fg\r");
      await wave.waitForText(/shell> fg\n[^]*Esc +stops/);
      // One frame, and not one for each of the two signals that continued it.
      expect(framesOn(session)).toBe(1);
      expect(wave.screen().join("\n")).toContain("now in bash");
      await wave.press("esc");
      await wave.waitForText("interrupted");
    },
  );

  it.each(["SIGTSTP", "SIGSTOP"] as const)(
    "%s while a panel is open: the shell has the conversation's screen, fg brings the panel back",
    async (signal) => {
      await using session = await open();
      const { wave } = session;
      await session.say("first");
      await wave.waitForText("the first answer");
      await session.idle();
      await session.say("/help");
      await wave.waitForText("─ Help");
      expect(wave.terminal.buffer.active.type).toBe("alternate");

      await stop(session, signal);
      if (signal === "SIGTSTP") expect(wave.screen().join("\n")).toContain("the first answer");
      // The shell has the window's title as well; a stop without a warning leaves no time for that.
      const titleIsShells = () =>
        wave.output.lastIndexOf("\u001b[23;0t") > wave.output.lastIndexOf("\u001b[22;0t");
      expect(titleIsShells()).toBe(signal === "SIGTSTP");

      const before = wave.output.length;
      wave.type("fg\r");
      await wave.waitUntil(() => wave.output.slice(before).includes("keys and commands"), {
        what: "the panel",
      });
      await wave.waitUntil(() => wave.terminal.buffer.active.type === "alternate", {
        what: "the panel's screen",
      });
      expect(wave.screen().join("\n")).not.toContain(SHELL);
      expect(titleIsShells()).toBe(false);
      await wave.press("esc");
      await wave.waitUntil(() => wave.terminal.buffer.active.type === "normal", { what: "the first screen" });
      await wave.waitForText(READY);
      expect(wave.screen().join("\n")).toContain("the first answer");
    },
  );
});

describe("stopped without a shell that could continue it", () => {
  it("SIGTSTP stops nothing, and Wave goes on", async () => {
    await using session = await ScreenSession.open({ scenario: SCENARIO });
    const { wave } = session;
    await wave.waitUntil(() => wave.terminal.modes.bracketedPasteMode, { what: "a prompt that takes keys" });
    await wave.waitForText(READY);
    // A key that is drawn shows that the whole screen is there, and with it whoever hears of signals.
    wave.type("x");
    await wave.waitForText("> x");
    await wave.press("backspace");
    await wave.waitForText(READY);
    const before = wave.output.length;
    wave.signal("SIGTSTP");
    const isBack = () => /\?2004l[^]*\?2004h/.test(wave.output.slice(before));
    await wave.waitUntil(isBack, { what: "the terminal given back and taken again" });
    await session.say("first");
    await wave.waitForText("the first answer");
  });

  it("a window that closes while Wave is stopped ends the session in order (T65, G45)", async () => {
    await using session = await ScreenSession.open({
      scenario: SCENARIO,
      settings: hooksOf(["SessionEnd", "cat >ended"]),
    });
    const { wave } = session;
    await session.say("first");
    await wave.waitForText("the first answer");
    await session.idle();
    wave.signal("SIGSTOP");
    wave.hangUp();
    expect(await wave.exit).toEqual({ code: 129, signal: null });
    expect(sessionLinesOf(session.project).at(-1)).toMatchObject({ type: "ended", reason: "terminated" });
  });
});

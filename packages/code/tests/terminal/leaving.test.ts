import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { WAVE } from "../support/runWave.ts";
import { childrenOf, leftOver, processesWith } from "./support/processes.ts";
import { ALL_ALLOWED, bash, hooksOf, ScreenSession, sessionLinesOf } from "./support/screenSession.ts";
import { startOnTerminal, type TerminalOptions, type TerminalRun } from "./support/terminal.ts";

/** As from a person's shell: it looks at the terminal before and after, and has it back when Wave has ended. */
function fromShell({ args = [], ...options }: TerminalOptions): TerminalRun {
  const script = `stty -a >"$0/stty.before"; "$@"; echo "left with $?"; stty -a >"$0/stty.after"; echo "back in the shell"`;
  return startOnTerminal("sh", {
    ...options,
    args: ["-c", script, options.cwd, process.execPath, WAVE, ...args],
  });
}

/** The process of Wave, below the shell. */
function wavePid({ wave }: ScreenSession): number {
  const [pid] = childrenOf(wave.pid);
  if (pid === undefined) throw new Error("the shell runs nothing");
  return pid;
}

interface Way {
  by: string;
  status: number;
  reason: string;
  leave: (session: ScreenSession) => Promise<void>;
}

const WAYS: Way[] = [
  {
    by: "Ctrl-C twice",
    status: 0,
    reason: "prompt_input_exit",
    leave: async (session) => {
      await session.wave.press("ctrl-c");
      await session.wave.waitForText("interrupted");
      await session.idle();
      await session.wave.press("ctrl-c");
      await session.wave.waitForText("again to leave");
      await session.wave.press("ctrl-c");
    },
  },
  { by: "Ctrl-D", status: 0, reason: "prompt_input_exit", leave: ({ wave }) => wave.press("ctrl-d") },
  { by: "/exit", status: 0, reason: "prompt_input_exit", leave: (session) => session.say("/exit") },
  ...(["SIGTERM", "SIGHUP", "SIGINT"] as const).map((signal) => ({
    by: signal,
    status: { SIGTERM: 143, SIGHUP: 129, SIGINT: 130 }[signal],
    reason: "terminated",
    leave: async (session: ScreenSession) => void process.kill(wavePid(session), signal),
  })),
];

const SETUP = {
  args: ALL_ALLOWED,
  // One command that runs, and one that it left in the background.
  scenario: [bash("echo begun; sleep 300 & sleep 300"), { say: "never said" }],
  settings: hooksOf(
    ["SessionStart", "cat >>started; echo >>started"],
    ["SessionEnd", "cat >>ended; echo >>ended"],
  ),
};

describe("leaving while a command runs", () => {
  it.each(WAYS)(
    "by $by leaves no process, the terminal as it was, a complete session file, and SessionEnd ran once (T65, T154, G38, G45)",
    async ({ status, reason, leave }) => {
      await using session = await ScreenSession.open({ ...SETUP, start: fromShell });
      const { wave } = session;
      await session.say("go");
      await wave.waitForText("begun");
      // What would be found if it were left.
      const commands = () => processesWith(session.mark).filter((process) => process.endsWith("sleep 300"));
      await expect.poll(commands).toHaveLength(2);
      await leave(session);
      await wave.waitForText("back in the shell");
      await wave.exit;

      expect(wave.text()).toContain(`left with ${status}\n`);
      expect(await leftOver(session.mark)).toEqual([]);
      expect(fileIn(session, "stty.after")).toBe(fileIn(session, "stty.before"));
      expect(wave.terminal.modes.bracketedPasteMode).toBe(false);
      expect(wave.output.lastIndexOf("\u001b[?25h")).toBeGreaterThan(wave.output.lastIndexOf("\u001b[?25l"));
      expectEnded(session, reason);
    },
  );

  it("by closing the terminal leaves no process and a complete session file, and SessionEnd ran once (T65, G38, G45)", async () => {
    await using session = await ScreenSession.open(SETUP);
    await session.say("go");
    await session.wave.waitForText("begun");
    session.wave.hangUp();
    expect(await session.wave.exit).toEqual({ code: 129, signal: null });
    expect(await leftOver(session.mark)).toEqual([]);
    expectEnded(session, "terminated");
  });

  it("gives the terminal back with what was said above the next line of the shell (T154)", async () => {
    await using session = await ScreenSession.open({ scenario: [{ say: "An answer." }], start: fromShell });
    const { wave } = session;
    await session.say("a question");
    await wave.waitForText("An answer.");
    await session.idle();
    await wave.press("ctrl-d");
    await wave.waitForText("back in the shell");
    expect(wave.text().replaceAll(/\s+/g, " ")).toMatch(
      /> a question An answer\. .*left with 0 back in the shell$/,
    );
  });
});

function expectEnded(session: ScreenSession, reason: string): void {
  const lines = sessionLinesOf(session.project);
  expect(lines[0]).toMatchObject({ type: "header" });
  expect(lines.at(-1)).toMatchObject({ type: "ended", reason });
  expect(lines.filter(({ type }) => type === "ended")).toHaveLength(1);
  expect(JSON.stringify(lines)).toContain('"content":"go"');
  // The command that ran is accounted for: whoever resumes knows that it did not end by itself.
  const tool = lines.findLast(({ edit }) => isObject(edit) && edit["edit"] === "update-tool");
  expect(tool).toMatchObject({ edit: { changes: { stage: "ended" } } });

  expect(hookRuns(session, "started")).toHaveLength(1);
  expect(hookRuns(session, "ended")).toEqual([
    expect.objectContaining({ hook_event_name: "SessionEnd", reason }),
  ]);
}

function hookRuns(session: ScreenSession, file: string): unknown[] {
  return fileIn(session, file)
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));
}

const fileIn = ({ project }: ScreenSession, name: string) => readFileSync(join(project.folder, name), "utf8");

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

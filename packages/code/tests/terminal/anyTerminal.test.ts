import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { WAVE } from "../support/runWave.ts";
import { foreignBytes } from "./support/inkBytes.ts";
import { ALL_ALLOWED, bash, READY, ScreenSession, type ScreenSetup } from "./support/screenSession.ts";
import { startOnTerminal } from "./support/terminal.ts";

const ANSWER = "# Title\n\nSome **bold** text and `code`.\n\n```ts\nconst a = 1; // why\n```\n\nThe end.";
const SCENARIO = [
  { think: "hm", say: ANSWER, ...bash("echo one; echo two >&2; exit 1") },
  { call: { name: "Nothing", arguments: {} } },
  { say: "Done." },
];

/** The codes of all styles a program set. */
const stylesIn = (written: string) =>
  new Set(
    // oxlint-disable-next-line no-control-regex -- escape sequences are what is looked for
    [...written.matchAll(/\u001b\[([\d;]*)m/g)].flatMap(([, codes = ""]) => codes.split(";").map(Number)),
  );
const linesOf = (written: string) =>
  written
    // oxlint-disable-next-line no-control-regex -- as above
    .replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, "")
    .trimEnd()
    .split("\r\n");
const isColour = (code: number) => (code >= 30 && code <= 49) || code >= 90;

async function work(session: ScreenSession): Promise<void> {
  await session.say("go");
  await session.wave.waitForText("Done.");
  await session.idle();
}

describe("any terminal", () => {
  it("on a light and on a dark one, only colours of its own palette are used, none of them black or white", async () => {
    await using session = await ScreenSession.open({
      scenario: SCENARIO,
      args: ALL_ALLOWED,
      env: { COLORTERM: "truecolor" },
    });
    await work(session);
    expect([...stylesIn(session.wave.output)].some(isColour)).toBe(true);
    expect(foreignBytes(session.wave.output)).toEqual([]);
  });

  it("with NO_COLOR there is no colour, and everything else is said", async () => {
    await using session = await ScreenSession.open({
      scenario: SCENARIO,
      args: ALL_ALLOWED,
      env: { NO_COLOR: "1" },
    });
    await work(session);
    expect([...stylesIn(session.wave.output)].filter(isColour)).toEqual([]);
    for (const text of ["> go", "Title", "const a = 1; // why", "✗ Bash", "one", "Done."])
      expect(session.wave.text()).toContain(text);
  });

  it.each([
    ["WAVE_PLAIN=1", { WAVE_PLAIN: "1" }],
    ["TERM=dumb", { TERM: "dumb" }],
  ])(
    "with %s nothing moves by itself, nothing is framed, and words come when all are there",
    async (_name, env) => {
      const table = "Done.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> a quote\n";
      const scenario = [
        {
          say: "Half an answer, ",
          ...bash("touch mine; echo begun; until [ -e go-on ]; do sleep 0.1; done"),
        },
        { say: table },
      ];
      await using session = await ScreenSession.open({ scenario, env, model: { tokenDelayMs: 5 } });
      const { wave } = session;
      const [first = ""] = wave.output.split("\u001b[?2026l");
      await wave.waitForText(/\/help lists[^]*mode default/);
      const screen = wave.screen();
      expect(linesOf(first)).toEqual(screen.slice(screen.indexOf(`> ${READY}`)).filter((row) => row !== ""));

      await session.say("go");
      await wave.waitForText(/y  allow once[^]*Enter choose/);
      await wave.waitForText("waiting for your answer");
      wave.type("y");
      await wave.waitForText(/^\s+begun$/m);
      await session.quiet(1_300);
      expect(wave.screen().join("\n")).toContain("running Bash · Esc stops");
      session.project.write("go-on", "");
      await wave.waitForText("a quote");
      await session.idle();
      // Each answer was written once and whole.
      expect(wave.output.split("Half an")).toHaveLength(2);
      await session.say("/hooks");
      await wave.waitForText("Hooks, 0 on");
      await wave.press("esc");
      await wave.waitForText(READY);
      expect(wave.output).not.toMatch(/[\u2500-\u257f]|\?1049/);
      if ("TERM" in env) expect(stylesIn(wave.output)).toEqual(new Set());
    },
  );

  it("draws also where a variable called CI is set", async () => {
    await using session = await ScreenSession.open({
      scenario: SCENARIO,
      args: ALL_ALLOWED,
      env: { CI: "true" },
    });
    await work(session);
    expect(session.wave.text()).toContain("> go");
  });

  it("takes a paste of one megabyte as it is, and shows it as one line", async () => {
    await using session = await ScreenSession.open({ scenario: [{ say: "Got it." }] });
    const { wave } = session;
    const text = Array.from({ length: 16_384 }, (_, line) => `line ${line} é\t`.padEnd(63, "x")).join("\n");
    expect(Buffer.byteLength(text)).toBeGreaterThan(1024 * 1024);
    await wave.waitUntil(() => wave.terminal.modes.bracketedPasteMode, { what: "marks around pastes" });
    wave.paste(text);
    await wave.waitForText("[pasted text, 16,384 lines]");
    await wave.press("enter");
    await wave.waitForText("Got it.");
    expect(session.model.requests[0]?.body.messages.at(-1)?.content === text).toBe(true);
  });

  it.each([40, 80, 200])("draws first what stays on %i columns", async (cols) => {
    await using session = await ScreenSession.open({ scenario: [], cols });
    const { wave } = session;
    // Ink ends every frame with it.
    const [first = ""] = wave.output.split("\u001b[?2026l");
    await wave.waitForText(/\/help lists[^]*mode default/);
    const screen = wave.screen();
    const prompt = screen.slice(screen.findIndex((row) => row.startsWith("╭"))).filter((row) => row !== "");
    expect(linesOf(first)).toEqual(prompt);
  });

  it("takes what is typed at the first frame, while the rest of Wave is being loaded", async () => {
    await using session = await ScreenSession.open({ scenario: [{ say: "Early bird." }] });
    session.wave.type("hello\r");
    await session.wave.waitForText("Early bird.");
    expect(session.model.requests[0]?.body.messages.at(-1)?.content).toBe("hello");
  });

  it("in a window that changes between 40 and 200 columns while an answer streams in, loses nothing and draws the prompt once", async () => {
    const words = Array.from({ length: 400 }, (_, number) => `word${number}.`);
    await using session = await ScreenSession.open({
      scenario: [{ say: `${words.join(" ")}\n\nThe end.` }],
      model: { tokenDelayMs: 4 },
    });
    const { wave } = session;
    await session.say("go");
    await wave.waitForText("word20.");
    for (const [columns, rows] of [
      [40, 30],
      [200, 50],
      [57, 20],
      [120, 30],
      [40, 24],
      [80, 30],
    ] as const) {
      wave.resize(columns, rows);
      // As wide as the window is what tells that it was drawn for it.
      await wave.waitForText(`╭${"─".repeat(columns - 2)}╮`);
      expect(wave.screen().filter((row) => row.length > columns)).toEqual([]);
    }
    await wave.waitForText("The end.");
    await session.idle();
    await wave.waitForText(READY);
    const answer = wave.text().slice(wave.text().lastIndexOf("word0."));
    expect(answer.match(/word\d+\./g)).toEqual(words);
    // tmux would move a screen that is erased from its first cell into its history.
    // oxlint-disable-next-line no-control-regex -- escape sequences are what is looked for
    expect(wave.output).not.toMatch(/\u001b\[1(?:G|;1H)\u001b\[J/);
    expect(wave.screen().filter((row) => row.includes(READY))).toHaveLength(1);
    expect(wave.screen().filter((row) => row.startsWith("╭"))).toHaveLength(1);
  });
});

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

/** A tmux of its own, on a socket in the project. */
const tmux = (folder: string) => ["-S", `${folder}/tmux.socket`, "-f", "/dev/null"];

const inTmux: ScreenSetup["start"] = ({ args = [], ...options }) =>
  startOnTerminal("tmux", {
    ...options,
    args: [...tmux(options.cwd), "new-session", process.execPath, WAVE, ...args],
  });

/** A tmux lives on when its window is closed, with all that runs in it. */
const endOfTmux = ({ project }: ScreenSession): Disposable => ({
  [Symbol.dispose]: () => void spawnSync("tmux", [...tmux(project.folder), "kill-server"]),
});

/** Everything that tmux keeps of the window, its history first. */
function historyOf({ project }: ScreenSession): string[] {
  const shown = spawnSync("tmux", [...tmux(project.folder), "capture-pane", "-p", "-S", "-"], {
    encoding: "utf8",
  });
  return shown.stdout.trimEnd().split("\n");
}

describe.skipIf(!hasTmux)("tmux", () => {
  it("shows a session like any terminal, and gets its window back", async () => {
    await using session = await ScreenSession.open({
      scenario: SCENARIO,
      args: ALL_ALLOWED,
      start: inTmux,
    });
    using _server = endOfTmux(session);
    const { wave } = session;
    await work(session);
    for (const text of ["> go", "Title", "const a = 1; // why", "✗ Bash", "Done."])
      expect(wave.screen().join("\n")).toContain(text);
    await wave.press("ctrl-d");
    // Nothing else runs in it, so tmux ends with Wave.
    await wave.waitUntil(() => wave.output.includes("[exited]"), { what: "the end of tmux" });
  });

  it("keeps no dead frame in its history: not of a long answer, not of a question as high as the window, not after /clear", async () => {
    const answer = (name: string) => Array.from({ length: 40 }, (_, line) => `${name} ${line}.`).join("\n\n");
    const command = Array.from({ length: 40 }, (_, number) => `touch file${number}`).join("\n");
    await using session = await ScreenSession.open({
      scenario: [{ say: answer("First"), ...bash(command) }, { say: answer("Second") }],
      model: { tokenDelayMs: 2 },
      rows: 24,
      start: inTmux,
    });
    using _server = endOfTmux(session);
    const { wave } = session;
    await session.say("go");
    // Before the keys are named, one would go to the draft.
    await wave.waitForText(/y  allow once[^]*Enter choose[^]*waiting for your answer/);
    wave.type("y");
    await wave.waitForText("not seen yet");
    await wave.answer("c");
    await wave.waitForText(/Second \d+\./);
    // A draft of several lines: with it, what is live is as high as the window.
    wave.type(["a", "b", "c", "d", "e", "f", "g", "last"].join("\n"));
    await wave.waitForText(/Second 39\.[^]*last/);
    await session.idle();
    await wave.press("ctrl-c");
    await wave.waitForText(READY);
    await session.say("/clear");
    await wave.waitForText("new session, still with mode default");
    await wave.waitForText(READY);
    const history = historyOf(session);
    for (const [name, count] of Object.entries({ "First 0.": 1, "Second 39.": 1, "new session": 1 }))
      expect(history.filter((row) => row.includes(name))).toHaveLength(count);
    const drawn = (rows: readonly string[]) =>
      rows.filter((row) => /^[╭│╰]|stops|above|waiting for|^mode/.test(row));
    expect(drawn(history)).toEqual(drawn(wave.screen()));
    expect(drawn(history)).toHaveLength(4);
  });
});

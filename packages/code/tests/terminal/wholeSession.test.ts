import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ScriptedReply } from "wave-agent-sdk/testing";
import { listeningSockets, processesWith } from "./support/processes.ts";
import { startWave } from "./support/terminal.ts";
import { ALL_ALLOWED, bash, hooksOf, ScreenSession, type ScreenSetup } from "./support/screenSession.ts";

/** One pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==";

const ANSWER = [
  "## Findings",
  "The **first** thing is `code`.",
  "| name | size |\n|---|---:|\n| alpha | 1 |\n| beta | 22 |",
  "```ts\nconst answer = 42;\n```",
  "- one\n- two",
].join("\n\n");

const SCENARIO: readonly ScriptedReply[] = [
  {
    think: "I should look at the picture first.",
    say: ANSWER,
    calls: [
      { name: "Read", arguments: { file_path: "pixel.png" } },
      { name: "Read", arguments: { file_path: "greet.txt" } },
    ],
  },
  {
    call: { name: "Edit", arguments: { file_path: "greet.txt", old_string: "hello", new_string: "goodbye" } },
  },
  bash("echo broken >&2; exit 3"),
  { say: "That is all." },
];

const message = `{"systemMessage":"mind the gap"}`;
const context = `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"lint is happy"}}`;

/** Has no objection, and says a lot that nobody asked for. */
const NOISE = "echo NOISE; echo NOISE >&2";

const SETUP: ScreenSetup = {
  scenario: SCENARIO,
  args: ALL_ALLOWED,
  rows: 60,
  prepare: (project) => {
    project.write("greet.txt", "one\nhello world\nthree\n");
    writeFileSync(join(project.folder, "pixel.png"), Buffer.from(PNG, "base64"));
  },
  settings: hooksOf(
    ["UserPromptSubmit", "echo the branch is main", "branch"],
    ["UserPromptSubmit", "echo something broke >&2; exit 7", "flaky"],
    ["PreToolUse", `grep -q Edit && echo '${message}'; true`, "warner"],
    ["PreToolUse", NOISE, "noisy-before"],
    ["PostToolUse", NOISE, "noisy-after"],
    ["Stop", NOISE, "noisy-end"],
    ["PostToolUse", `grep -q Edit && echo '${context}'; true`, "linter"],
  ),
};

/** Every kind of block, in the order in which it has to stand on the screen; how lines are broken depends on the width. */
const IN_ORDER: [kind: string, looks: string][] = [
  ["a prompt", "> show me everything"],
  ["a hook's word to the model", "the branch is main"],
  ["an error of a hook", "something broke"],
  ["thoughts", "∴ I should look at the picture first."],
  ["a heading", "Findings"],
  ["a paragraph", "The first thing is code."],
  ["a table", "name │ size ──────┼───── alpha │ 1 beta │ 22"],
  ["code", "const answer = 42;"],
  ["a list", "• one • two"],
  ["a call", "✓ Read pixel.png"],
  ["a picture", "▣ image pixel.png (image/png"],
  ["an edit", "✓ Edit greet.txt"],
  ["what it removes", "2 - hello"],
  ["what it adds", "2 + goodbye"],
  ["a warning", "mind the gap"],
  ["a hook's context for the model", "lint is happy"],
  ["a call that failed", "✗ Bash echo broken"],
  ["the last word", "That is all."],
];

/** How often each stands there, and whether they stand in this order. */
function expectAllOnce(text: string): void {
  const flat = text.replaceAll(/\s+/g, " ");
  const counts = IN_ORDER.map(([kind, looks]) => [kind, flat.split(looks).length - 1]);
  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(IN_ORDER.map(([kind]) => [kind, 1])));
  const places = IN_ORDER.map(([, looks]) => flat.indexOf(looks));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
}

describe("a whole session", () => {
  it.each([40, 80, 200])(
    "shows every kind of block once and in order on %i columns, and nothing of a hook that had no objection (MB-3, T121, T123, T124)",
    async (cols) => {
      await using session = await ScreenSession.open({ ...SETUP, cols });
      await session.say("show me everything");
      await session.wave.waitForText("That is all.");
      await session.idle();
      expectAllOnce(session.wave.text());
      expect(session.wave.text()).not.toMatch(/NOISE|noisy/);
      expect(session.wave.text().replaceAll(/\s+/g, " ")).toContain("◆ hook linter (PostToolUse,");
      expect(linesTheTerminalBroke(session)).toEqual([]);
    },
  );

  it("looks the same when it is resumed (MB-3), and nothing of it ever listens on a socket (G67)", async () => {
    const blocks = (text: string) => /^> show me everything$[^]*^That is all\.$/m.exec(text)?.[0].split("\n");
    const seen: string[] = [];
    const look = () => {
      const ids = processesWith(session.mark).map((line) => Number.parseInt(line, 10));
      expect(ids.length).toBeGreaterThan(0);
      seen.push(...ids.flatMap(listeningSockets));
    };
    // In the middle of the turn as well: whenever the model is asked.
    const scenario = (_: unknown, n: number) => (look(), SCENARIO[n]);
    await using session = await ScreenSession.open({ ...SETUP, scenario });
    const { wave, project } = session;
    look();
    await session.say("show me everything");
    await wave.waitForText("That is all.");
    await session.idle();
    await wave.press("ctrl-d");
    await wave.exit;
    await using again = startWave({
      cwd: project.folder,
      cols: 80,
      rows: 60,
      args: ["--continue"],
      env: session.env,
    });
    await again.waitForText("That is all.");
    look();
    expect(seen).toEqual([]);
    // This program does, with the model: so it would have been seen.
    expect(listeningSockets(process.pid)).not.toEqual([]);
    expectAllOnce(again.text());
    expect(blocks(again.text())).toEqual(blocks(wave.text()));
  });
});

function linesTheTerminalBroke({ wave }: ScreenSession): string[] {
  const buffer = wave.terminal.buffer.active;
  return Array.from({ length: buffer.length }, (_, index) => buffer.getLine(index)).flatMap((line) =>
    line?.isWrapped ? [line.translateToString(true)] : [],
  );
}

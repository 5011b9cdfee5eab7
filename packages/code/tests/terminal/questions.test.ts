import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash } from "./support/screenSession.ts";
import { shareSession } from "./support/sharedSession.ts";

const failing = { type: "command", name: "judge", command: "! grep -q 'judge me'", onError: "ask" };

describe("a question", () => {
  const session = shareSession({
    scenario: [{ calls: ["made", "b", "c", "d", "e", "f"].map((file) => bash(`touch ${file}`).call) }],
    settings: {
      permissions: { ask: ["Bash(mv:*)"] },
      hooks: { UserPromptSubmit: [{ hooks: [failing] }] },
    },
    rows: 18,
  });

  const title = "Main agent wants to run a command";

  it("says how many calls come after it, and the one it is about is the last to make room above it (T70, T73)", async () => {
    const { wave } = session();
    await session().say("go");
    await wave.waitForText(/then 5 more calls, asked one by one[^]*› y {2}allow once[^]*Enter choose/);
    expect(wave.screen()).toContain("○ Bash touch made");
    expect(wave.screen()).not.toContain("○ Bash touch f");
  });

  it.each([
    [
      80,
      7,
      [
        "›y allow once · a all edits · s Bash(touch made) in session · p in project",
        " n deny · d deny, and say",
      ],
    ],
    [
      40,
      10,
      [
        "›y allow once · a all edits",
        " s Bash(touch made) in session",
        " p in project · n deny · d deny, and say",
      ],
    ],
  ])("has who asks, why and all keys on the screen at %i×%i (T73, T80)", async (cols, rows, keys) => {
    const { wave } = session();
    wave.resize(cols, rows);
    const wanted = [title, "│ touch made", "default mode asks before", ...keys];
    const isDrawn = () => {
      const screen = wave.screen();
      // Nothing below the keys: they are not what is cut.
      const isLast = screen.findLast((row) => row !== "") === keys.at(-1);
      return isLast && wanted.every((row) => screen.some((drawn) => drawn.startsWith(row)));
    };
    await wave.waitUntil(isDrawn, { what: "all of the question" });
  });

  it("is one line at 40×6, and y does not answer what cannot be seen but goes to the draft (PD-2, T71, T73)", async () => {
    const { wave, project } = session();
    wave.resize(40, 6);
    await wave.waitForText(/^make the terminal larger, or press n$/m);
    wave.type("y");
    wave.resize(80, 24);
    await wave.waitForText(/^│ › y {2}allow once/m);
    await wave.waitForText(/^draft kept: y$/m);
    expect(existsSync(join(project.folder, "made"))).toBe(false);
  });

  it("shows one line of the draft below it, cut at the width, and leaves it in the input (T72)", async () => {
    const { wave } = session();
    wave.paste(`${"long ".repeat(30)}END\nsecond`);
    const line = `draft kept: y${"long ".repeat(30)}`.slice(0, 79);
    await wave.waitForText(`${line}…`);
    await wave.waitForText("Enter choose");
    await wave.answer("n");
    await wave.waitForText("you said no: the turn has ended; your prompt is in the history");
    await wave.waitForText(/ylong long .*\n(?:.*\n)*.*END\s+│\n│ {3}second/);
    await wave.press("ctrl-c");
    await wave.waitForText("> Ask, or");
  });

  it("about a command that the person typed says so, and Enter pressed twice does not run it (PD-1, T23)", async () => {
    const { wave, project } = session();
    wave.type("!mv a b");
    await wave.waitForText("$ !mv a b");
    await wave.press("enter");
    await wave.waitForText(/You typed this with ![^]*› n {2}deny[^]*Enter choose/);
    expect(wave.screen().join("\n")).not.toMatch(/Main agent|timeout|600000|say what/);
    await wave.press("enter");
    await wave.waitForText(/^│ \$ !mv a b/m);
    expect(existsSync(join(project.folder, "b"))).toBe(false);
  });

  it("about the prompt itself gives it back with a no, above the draft and apart from it (PD-2, T72, T162)", async () => {
    const { wave } = session();
    await wave.press("ctrl-c");
    await wave.waitForText("> Ask, or");
    await session().say("judge me");
    await wave.waitForText(/Main agent is about to get your prompt[^]*› n {2}deny[^]*Enter choose/);
    wave.type("quick draft");
    await wave.waitForText(/^draft kept: quick draft$/m);
    await wave.waitForText("Enter choose");
    await wave.answer("n");
    await wave.waitForText("not sent: your prompt is back in the input, above your draft");
    await wave.waitForText(/^│ > judge me +│\n│ +│\n│ {3}quick draft +│$/m);
    expect(session().model.requests).toHaveLength(1);
  });
});

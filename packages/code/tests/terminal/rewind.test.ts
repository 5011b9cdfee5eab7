import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startScriptedModel, type ScriptedReply } from "wave-agent-sdk/testing";
import { describe, expect, it } from "vitest";
import { makeProject, type Project } from "../support/project.ts";
import { startWave, type TerminalRun } from "./support/terminal.ts";

const IDLE = "Ask, or / for commands";
const LINES = "one\ntwo\nthree\nfour\nfive\n";

const call = (name: string, input: Record<string, unknown>) => ({ call: { name, arguments: input } });
/** The file is read, and one of its lines changed. */
const changing = (old_string: string, new_string: string): ScriptedReply[] => [
  call("Read", { file_path: "notes.txt" }),
  call("Edit", { file_path: "notes.txt", old_string, new_string }),
];

/** The real program on a terminal of its own, with a model at its wire. */
async function onScreen(
  project: Project,
  scenario: readonly ScriptedReply[],
  use: (wave: TerminalRun, requests: () => string[]) => Promise<void>,
  args: readonly string[] = [],
): Promise<void> {
  await using model = await startScriptedModel(scenario);
  await using wave = startWave({
    cwd: project.folder,
    rows: 40,
    args: ["--permission-mode", "acceptEdits", ...args],
    env: {
      WAVE_HOME: project.home,
      WAVE_API_KEY: "key",
      WAVE_BASE_URL: model.baseUrl,
      WAVE_MODEL: "scripted",
    },
  });
  await wave.waitForText(IDLE);
  await use(wave, () => model.requests.map(({ text }) => text));
}

async function say(wave: TerminalRun, text: string): Promise<void> {
  wave.type(text);
  await wave.waitForText(`> ${text}`);
  await wave.press("enter");
}

const notes = ({ folder }: Project) => readFileSync(join(folder, "notes.txt"), "utf8");

describe("going back on the screen", () => {
  it("Esc Esc, Enter, Enter takes the last prompt and its file back, a person's edit stays, and /rewind undo undoes it", async () => {
    using project = makeProject();
    project.write("notes.txt", LINES);
    const scenario: ScriptedReply[] = [
      { say: "hello" },
      ...changing("three", "THREE"),
      { say: "changed it" },
      { say: "told again" },
    ];
    await onScreen(project, scenario, async (wave, requests) => {
      await say(wave, "greet me");
      await wave.waitForText("hello");
      await wave.waitForText(IDLE);
      await say(wave, "change the notes");
      await wave.waitForText("changed it");
      await wave.waitForText(IDLE);
      expect(notes(project)).toContain("THREE");
      writeFileSync(join(project.folder, "notes.txt"), `mine\n${notes(project)}`);

      await wave.press("esc");
      await wave.press("esc");
      await wave.waitForText("─ Rewind ─");
      await wave.waitForText(/› change the notes +1 file changed since/);
      await wave.press("enter");
      await wave.waitForText(/put back +notes\.txt +what others changed in it stays/);
      expect(notes(project)).toContain("THREE");
      await wave.answerKey("enter");
      await wave.waitForText("── back to before: change the notes ──");
      await wave.waitForText("put back, with what others changed in it: notes.txt");
      // The prompt is in the input again.
      await wave.waitForText(/│ > change the notes +│/);
      expect(notes(project)).toBe(`mine\n${LINES}`);

      await wave.press("ctrl-u");
      await wave.waitForText(IDLE);
      await say(wave, "/rewind undo");
      await wave.waitForText("── the rewind was undone ──");
      expect(notes(project)).toBe(`mine\n${LINES.replace("three", "THREE")}`);
      await wave.waitForText(IDLE);
      await say(wave, "and now?");
      await wave.waitForText("told again");
      expect(requests().at(-1)).toContain("change the notes");
    });
  });

  it("/rewind to an earlier prompt without the files shortens what is sent, and leaves the files", async () => {
    using project = makeProject();
    project.write("notes.txt", LINES);
    const scenario: ScriptedReply[] = [
      ...changing("three", "THREE"),
      { say: "changed it" },
      { say: "second answer" },
      { say: "fresh start" },
    ];
    await onScreen(project, scenario, async (wave, requests) => {
      await say(wave, "first prompt");
      await wave.waitForText("changed it");
      await wave.waitForText(IDLE);
      await say(wave, "second prompt");
      await wave.waitForText("second answer");
      await wave.waitForText(IDLE);
      await say(wave, "/rewind");
      await wave.waitForText("2 prompts");
      await wave.press("down");
      await wave.waitForText("› first prompt");
      await wave.press("enter");
      await wave.waitForText("notes.txt");
      await wave.press("down");
      await wave.waitForText("› go back: only the conversation");
      await wave.answerKey("enter");
      await wave.waitForText("── back to before: first prompt ──");
      await wave.waitForText(/│ > first prompt +│/);
      expect(notes(project)).toContain("THREE");
      wave.type(" once more");
      await wave.waitForText("> first prompt once more");
      await wave.press("enter");
      await wave.waitForText("fresh start");
      const last = requests().at(-1) ?? "";
      expect(last).toContain("first prompt once more");
      expect(last).not.toMatch(/second prompt|changed it/);
    });
  });

  it("does not begin with a draft in the input, and says when there is nothing to undo", async () => {
    using project = makeProject();
    await onScreen(project, [{ say: "hello" }], async (wave) => {
      await say(wave, "greet me");
      await wave.waitForText("hello");
      await wave.waitForText(IDLE);
      wave.type("draft");
      await wave.waitForText("> draft");
      await wave.press("esc");
      await wave.press("esc");
      await wave.press("ctrl-u");
      await wave.waitForText(IDLE);
      await say(wave, "/rewind undo");
      await wave.waitForText("there is no rewind to undo");
      expect(wave.text()).not.toContain("─ Rewind ─");
    });
  });
});

describe("finding a session again on the screen", () => {
  it("names it, finds it by a word inside, exports it, and shows what was said before the last screens", async () => {
    using project = makeProject();
    const answers = Array.from({ length: 40 }, (_, n) => ({ say: `answer ${n + 1}.` }));
    await using model = await startScriptedModel(answers);
    const { Agent } = await import("wave-agent-sdk");
    const agent = await Agent.create({
      workdir: project.folder,
      waveHome: project.home,
      baseUrl: model.baseUrl,
      apiKey: "key",
      model: "scripted",
    });
    for (let n = 1; n <= 40; n++) await agent.sendMessage(`question ${n}, ${n === 3 ? "needle" : "hay"}`);
    await agent.destroy();

    await onScreen(
      project,
      [],
      async (wave) => {
        await wave.waitForText("answer 40.");
        const hidden = Number(/(\d+) earlier messages are not drawn; Ctrl-T/.exec(wave.text())?.[1]);
        expect(hidden).toBeGreaterThan(0);
        expect(wave.text()).not.toContain("answer 10.");
        await wave.press("ctrl-t");
        await wave.waitForText("end of the earlier messages");
        expect(wave.text()).toMatch(new RegExp(`── messages \\d+ to ${hidden} of 80 ──`));
        for (let more = hidden; more > 0 && !wave.text().includes("nothing was said before"); more--) {
          const before = wave.text().split("end of the earlier").length;
          await wave.press("ctrl-t");
          await wave.waitUntil(() => wave.text().split("end of the earlier").length > before, {
            what: "more",
          });
        }
        for (let n = 1; n <= 40; n++) expect(wave.text().split(`answer ${n}.`)).toHaveLength(2);
        await say(wave, "/history");
        await wave.waitForText("there is nothing earlier");

        await say(wave, "/rename the hay stack");
        await wave.waitForText("the session has its name");
        await say(wave, "/export");
        await wave.waitForText("written to");
        expect(readdirSync(project.folder)).toContain("the-hay-stack.md");
        await say(wave, "/export");
        await wave.waitForText("exists already");
        // From a new session: the one that is open is not in the list.
        await say(wave, "/clear");
        await wave.waitUntil(() => wave.text().split("≋").length === 3, { what: "a new session" });
        await say(wave, "/resume");
        await wave.waitForText(/the hay stack +question 1, hay/);
        wave.type("/NEEDLE");
        await wave.waitForText("you: question 3, needle");
        await wave.press("esc");
        await wave.waitForText("1 session");
        await wave.press("esc");
        await wave.waitForText(IDLE);
      },
      ["-c"],
    );
    expect(readFileSync(join(project.folder, "the-hay-stack.md"), "utf8")).toMatch(
      /^# the hay stack\n[^]*## You\n\n> question 40, hay\n\n## Model\n\nanswer 40\.\n/,
    );
  });
});

import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionsDirFor } from "wave-agent-sdk";
import { askedIn } from "./support/asked.ts";
import { writeSession } from "./support/longSession.ts";
import { READY, type ScreenSession } from "./support/screenSession.ts";
import { shareSession } from "./support/sharedSession.ts";
import { startWave, type TerminalRun } from "./support/terminal.ts";

/** One more Wave in the same folder. */
function another({ project, env }: ScreenSession, ...args: string[]): TerminalRun {
  return startWave({ cwd: project.folder, cols: 80, rows: 30, args, env });
}

async function say(wave: TerminalRun, text: string): Promise<void> {
  wave.type(text);
  await wave.waitForText(`> ${text}`);
  await wave.press("enter");
}

function draftsIn({ project }: ScreenSession): string {
  const folder = join(project.home, "drafts");
  return existsSync(folder)
    ? readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), "utf8"))
        .join()
    : "";
}

/** The session is there, and not only its first frame. */
const HEADER = "≋";

const flat = (wave: TerminalRun) => wave.screen().join(" ").replaceAll(/\s+/g, " ");

describe("two Waves in one folder", () => {
  const shared = shareSession({ scenario: ({ body }) => ({ say: `heard: ${askedIn({ body })}.` }) });

  it("a session that another one has open is not lost on the way: -c says who has it, and opens a copy or another (G56)", async () => {
    const first = shared();
    await first.say("the first question");
    await first.wave.waitForText("heard: the first question.");
    await first.idle();

    await using second = another(first, "--continue", "and then");
    await second.waitForText("cannot be opened");
    expect(flat(second)).toMatch(new RegExp(`is open in process ${first.wave.pid} since \\d\\d:\\d\\d\\.`));
    await second.answerKey("esc");
    await second.waitForText(/the first question +open elsewhere · \d+ messages/);
    await second.answerKey("enter");
    await second.waitForText("cannot be opened");
    await second.answer("c");
    // The copy is what the prompt was given for.
    await second.waitForText("heard: and then.");
    expect(second.text()).toContain("heard: the first question.");
    await second.waitForText(READY);

    // From the list of a Wave that has a session of its own, which is not in the list.
    await say(second, "/resume");
    await second.waitForText("1 session");
    expect(flat(second)).toContain("the first question");
    await second.answerKey("enter");
    await second.waitForText("cannot be opened");
    await second.press("esc");
    await second.waitForText("1 session");
    await second.press("esc");
    await second.waitForText(READY);
    await say(second, "still here");
    await second.waitForText("heard: still here.");
    await say(second, "/resume first");
    await second.waitForText("Search: first");
    await second.answerKey("enter");
    await second.waitForText("cannot be opened");
    await second.answer("c");
    await second.waitForText(READY);
    await say(second, "in a copy");
    await second.waitForText("heard: in a copy.");

    // One that is gone in the moment in which it is chosen: the way back is open.
    const lost = writeSession(first.project, 4);
    await say(second, "/resume question 1");
    await second.waitForText("Search: question 1");
    await second.waitForText(/› question 1 /);
    rmSync(join(sessionsDirFor(first.project.home, first.project.folder), `${lost}.jsonl`));
    await second.answerKey("enter");
    await second.waitForText(`There is no session "${lost}"`);
    await second.answerKey("esc");
    await second.waitForText("3 sessions");
    await second.press("esc");
    await second.waitForText(READY);
    await say(second, "and back");
    await second.waitForText("heard: and back.");

    // Who wants neither a copy nor another is told the sentence in the shell.
    await using third = another(first, "--continue");
    await third.waitForText("cannot be opened");
    await third.press("ctrl-c");
    expect(await third.exit).toEqual({ code: 1, signal: null });
    expect(third.text().replaceAll(/\s+/g, " ")).toMatch(
      new RegExp(`wave: Session \\S+ is open in process ${second.pid} since .*--fork`),
    );
    await second.press("ctrl-d");
    expect(await second.exit).toEqual({ code: 0, signal: null });
  });

  it("what one is typing is not in the other; what a killed one was typing is back once, with a word about it (T166)", async () => {
    const first = shared();
    first.wave.type("mine alone");
    await first.wave.waitForText("> mine alone");
    await using second = another(first);
    await second.waitForText(READY);
    second.type("half a thought");
    await second.waitForText("> half a thought");
    await expect.poll(() => draftsIn(first), { timeout: 20_000 }).toContain("half a thought");
    second.signal("SIGKILL");
    await second.exit;

    await using third = another(first);
    await third.waitForText("> half a thought");
    await third.waitForText("unsent text of an earlier Wave is back");
    await using fourth = another(first);
    await fourth.waitForText(HEADER);
    expect(fourth.text()).not.toMatch(/half a thought|mine alone|unsent/);
    expect(flat(first.wave)).toContain("> mine alone");
  });
});

import { describe, expect, it } from "vitest";
import type { SettingsReview } from "wave-agent-sdk";
import type { Clock } from "../../src/asking/clock.ts";
import { textOf } from "../../src/asking/typed.ts";
import { SettingsReviewPanel } from "../../src/components/SettingsReviewPanel.tsx";
import { draw } from "../panels/drawn.tsx";

const REVIEW: SettingsReview = {
  about: "changes",
  id: "1",
  changes: [
    {
      file: "/home/me/project/.wave/settings.json",
      is: "settings",
      change: "changed",
      texts: { before: '{ "model": "a" }\n', after: '{ "model": "b" }\n' },
    },
    { file: "/home/me/guard", is: "script", change: "changed", texts: undefined },
  ],
  project: undefined,
  obstacle: undefined,
};

/** A clock on which time passes when a test says so. */
function handClock(): Clock & { pass(): void } {
  let due: (() => void) | undefined;
  return {
    now: () => 0,
    wall: () => 0,
    after: (_ms, run) => {
      due = run;
      return () => (due = undefined);
    },
    pass: () => due?.(),
  };
}

async function shownReview({ columns, rows } = { columns: 80, rows: 20 }) {
  const clock = handClock();
  const answers: string[] = [];
  const draft: string[] = [];
  const drawn = await draw(
    <SettingsReviewPanel
      review={REVIEW}
      folder="/home/me/project"
      columns={columns}
      rows={rows}
      clock={clock}
      onAnswer={(answer) => void answers.push(answer)}
      onEarly={(typed) => void draft.push(textOf(typed))}
    />,
  );
  return { clock, answers, draft, ...drawn };
}

describe("the question about changed settings", () => {
  it("shows what changed, and is answered by a letter; Enter is none (T83, G24)", async () => {
    const { clock, answers, draft, ...drawn } = await shownReview();
    await drawn.see("Changed on disk: take it over?");
    for (const text of [
      ".wave/settings.json   settings, changed",
      '- { "model": "a" }',
      '+ { "model": "b" }',
      "/home/me/guard   script, changed",
      "cannot be compared line by line",
      "n, Esc keep what is in force",
    ])
      expect(drawn.frame()).toContain(text);
    clock.pass();
    await expect.poll(() => drawn.frame()).not.toContain("a moment, then answer");
    drawn.press("enter");
    // A slow line delivers a word at once: it is no answer, and it is not lost.
    drawn.type("yes");
    await expect.poll(() => draft).toEqual(["yes"]);
    clock.pass();
    drawn.type("y");
    drawn.type("n");
    await expect.poll(() => answers).toEqual(["take"]);
  });

  it("takes no key of somebody who is typing: those go to the prompt (T71, T83)", async () => {
    const { clock, answers, draft, ...drawn } = await shownReview();
    await drawn.see("a moment, then answer");
    drawn.type("y");
    await expect.poll(() => draft).toEqual(["y"]);
    drawn.press("enter");
    await expect.poll(() => draft).toEqual(["y", "\n"]);
    expect(answers).toEqual([]);
    clock.pass();
    drawn.press("esc");
    await expect.poll(() => answers).toEqual(["keep"]);
  });

  it("is not answered by a yes before every line was on the screen: until then it shows the next ones (T83, G24)", async () => {
    const { clock, answers, ...drawn } = await shownReview({ columns: 40, rows: 11 });
    await drawn.see("Changed on disk: take it over?");
    clock.pass();
    await expect.poll(() => drawn.frame()).not.toContain("a moment, then answer");
    for (let left = Infinity; left > 0;) {
      const now = Number(/y read on: (\d+) lines? not seen yet/.exec(drawn.frame())?.[1] ?? 0);
      expect(now).toBeLessThan(left);
      left = now;
      expect(answers).toEqual([]);
      if (left > 0) drawn.type("y");
      await expect.poll(() => drawn.frame()).not.toContain(`read on: ${left} line`);
    }
    expect(drawn.frame()).toContain("y take all of it over");
    expect(drawn.frame()).toContain("the end");
    drawn.type("y");
    await expect.poll(() => answers).toEqual(["take"]);
  });

  it("is answered by a no at once, however long it is (T83)", async () => {
    const { clock, answers, ...drawn } = await shownReview({ columns: 40, rows: 11 });
    await drawn.see("not seen yet");
    clock.pass();
    await expect.poll(() => drawn.frame()).not.toContain("a moment, then answer");
    drawn.type("n");
    await expect.poll(() => answers).toEqual(["keep"]);
  });
});

import { describe, expect, it } from "vitest";
import type { SettingsReview } from "wave-agent-sdk";
import { SettingsReviewPanel } from "../../src/components/SettingsReviewPanel.tsx";
import { TYPING_GOES } from "../../src/keyboard/covers.ts";
import { HandClock, TestKeys } from "../support/keyboard.tsx";
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

async function shownReview({ columns, rows } = { columns: 80, rows: 20 }) {
  const clock = new HandClock();
  const keys = new TestKeys({ clock });
  const answers: string[] = [];
  const drawn = await draw(
    <SettingsReviewPanel
      review={REVIEW}
      folder="/home/me/project"
      columns={columns}
      rows={rows}
      came="by-itself"
      onAnswer={(answer) => void answers.push(answer)}
    />,
    keys,
  );
  /** Nobody types for a while: now it takes keys, and says so. */
  const pause = async () => {
    await expect.poll(() => (clock.pass(700), drawn.frame())).not.toContain(TYPING_GOES);
  };
  return { pause, answers, keys, ...drawn };
}

describe("the question about changed settings", () => {
  it("shows what changed, and is answered by a letter; Enter is none (T83, G24)", async () => {
    const { pause, answers, keys, ...drawn } = await shownReview();
    await drawn.see("Changed on disk: take it over?");
    await pause();
    for (const text of [
      ".wave/settings.json   settings, changed",
      '- { "model": "a" }',
      '+ { "model": "b" }',
      "/home/me/guard   script, changed",
      "cannot be compared line by line",
      "n, Esc keep the old settings",
    ])
      expect(drawn.frame()).toContain(text);
    drawn.press("enter");
    // A slow line delivers a word at once: it is no answer, and it is not lost.
    drawn.type("yes");
    await expect.poll(() => keys.draft).toBe("yes");
    await pause();
    drawn.type("y");
    drawn.type("n");
    await expect.poll(() => answers).toEqual(["take"]);
  });

  it("takes no key of somebody who is typing: those go to the prompt (T71, T83)", async () => {
    const { pause, answers, keys, ...drawn } = await shownReview();
    await drawn.see(TYPING_GOES);
    drawn.type("y");
    await expect.poll(() => keys.draft).toBe("y");
    drawn.press("enter");
    await expect.poll(() => keys.draft).toBe("y\n");
    expect(answers).toEqual([]);
    await pause();
    drawn.press("esc");
    await expect.poll(() => answers).toEqual(["keep"]);
  });

  it("is not answered by a yes before every line was on the screen: until then it shows the next ones (T83, G24)", async () => {
    const { pause, answers, keys, ...drawn } = await shownReview({ columns: 40, rows: 11 });
    await drawn.see("Changed on disk: take it over?");
    await pause();
    for (let left = Infinity; left > 0;) {
      const now = Number(/y read on: (\d+) lines? not seen yet/.exec(drawn.frame())?.[1] ?? 0);
      expect(now).toBeLessThan(left);
      left = now;
      expect(answers).toEqual([]);
      if (left === 0) continue;
      // Held down, it repeats: what it has just shown is not read yet.
      drawn.type("y");
      drawn.type("y");
      await pause();
      await expect.poll(() => drawn.frame()).not.toContain(`read on: ${left} line`);
    }
    expect(keys.draft).toMatch(/^y+$/);
    expect(drawn.frame()).toContain("y take all of it over");
    expect(drawn.frame()).toContain("the end");
    drawn.type("y");
    await expect.poll(() => answers).toEqual(["take"]);
  });

  it("is answered by a no at once, however long it is (T83)", async () => {
    const { pause, answers, ...drawn } = await shownReview({ columns: 40, rows: 11 });
    await drawn.see(TYPING_GOES);
    await pause();
    await drawn.see("not seen yet");
    drawn.type("n");
    await expect.poll(() => answers).toEqual(["keep"]);
  });
});

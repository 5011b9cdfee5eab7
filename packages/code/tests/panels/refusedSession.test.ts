import { describe, expect, it } from "vitest";
import { pressInRefused, refusedLines, type RefusedSession } from "../../src/panels/refusedSession.ts";
import type { PanelPress } from "../../src/panels/press.ts";
import { textOf } from "../../src/view/span.ts";

const held: RefusedSession = {
  because: "held",
  held: { sessionId: "0199", by: "process 7\u001b[2J since 14:32" },
};
const broken: RefusedSession = { because: "failed", why: "It cannot be read." };
const newer: RefusedSession = { because: "failed", why: "A newer Wave wrote it.", copyOf: "0199" };
const letter = (text: string): PanelPress => ({ key: "text", text });

describe("a session that cannot be opened", () => {
  it.each<[string, RefusedSession, PanelPress, object | undefined]>([
    ["c copies it", held, letter("c"), { do: "choose", session: { id: "0199", as: "copy" } }],
    ["Esc leads to the others", held, { key: "esc" }, { do: "back" }],
    ["Enter, pressed twice in the list, does nothing", held, { key: "enter" }, undefined],
    ["one that is broken has no copy", broken, letter("c"), undefined],
    [
      "one of a newer Wave has one",
      newer,
      letter("c"),
      { do: "choose", session: { id: "0199", as: "copy" } },
    ],
    ["one that is broken leads to the others", broken, { key: "esc" }, { do: "back" }],
  ])("%s (G56)", (_what, refused, press, step) => {
    expect(pressInRefused(refused, press)).toEqual(step);
  });

  it("is told in a sentence that names who has it, at every width (G56)", () => {
    expect(refusedLines(broken, 80).map(textOf)).toEqual(["It cannot be read."]);
    const [first = ""] = refusedLines(held, 200).map(textOf);
    expect(first).toMatch(/^Session 0199 is open in process 7.* since 14:32\.$/);
    expect(first).not.toContain("\u001b");
    for (const line of refusedLines(held, 20)) expect(textOf(line).length).toBeLessThanOrEqual(20);
  });
});

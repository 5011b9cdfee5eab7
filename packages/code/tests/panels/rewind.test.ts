import type { RewindPoint, Rewound } from "wave-agent-sdk";
import { describe, expect, it } from "vitest";
import {
  choicesFor,
  planLines,
  pointItem,
  pressInRewind,
  type RewindEffect,
  type RewindPlace,
  type RewindPlan,
} from "../../src/panels/rewind.ts";
import type { PanelPress } from "../../src/panels/press.ts";
import { lineWidth, textOf } from "../../src/view/span.ts";

const points: RewindPoint[] = [
  { messageId: "m3", firstLine: "newest", at: "2026-11-15T10:00:00.000Z", filesChanged: 1 },
  { messageId: "m2", firstLine: "without files", at: undefined, filesChanged: 0 },
  { messageId: "m1", firstLine: "oldest", at: "2026-11-15T08:00:00.000Z", filesChanged: 3 },
];
const would: Rewound = {
  prompt: "newest",
  messages: 4,
  files: [
    { path: "/p/src/a.ts", outcome: "restored" },
    { path: "/p/b.ts", outcome: "merged" },
    { path: "/p/new.ts", outcome: "removed" },
    { path: "/p/c.ts", outcome: "kept", why: "it was changed since, in the same lines" },
  ],
  note: "Shell commands ran since then.",
};
const known: RewindPlan = { is: "known", would };

type Pressed = Exclude<PanelPress["key"], "text">;

function pressed(plan: RewindPlan, ...keys: Pressed[]): { place: RewindPlace; effects: RewindEffect[] } {
  let place: RewindPlace = { at: "prompts", selected: 0 };
  const effects: RewindEffect[] = [];
  for (const key of keys) {
    const step = pressInRewind(place, { key }, { points, page: 2, scroll: () => 7 });
    // The plan arrives between two keys.
    place = step.now.at === "question" ? { ...step.now, plan } : step.now;
    if (step.effect) effects.push(step.effect);
  }
  return { place, effects };
}

describe("keys in the rewind panel", () => {
  const rewind = (index: number, files: boolean) => ({ do: "rewind", point: points[index], files });

  it.each<[what: string, plan: RewindPlan, keys: Pressed[], effects: object[]]>([
    ["Enter twice goes back with the files", known, ["enter", "enter"], [rewind(0, true)]],
    ["only the conversation", known, ["enter", "down", "enter"], [rewind(0, false)]],
    ["staying", known, ["enter", "down", "down", "down", "enter"], [{ do: "close" }]],
    ["an older prompt", known, ["end", "enter", "enter"], [rewind(2, true)]],
    ["a prompt without files", known, ["down", "enter", "enter"], [rewind(1, false)]],
    ["Esc closes", known, ["esc"], [{ do: "close" }]],
    ["Esc in the question leads back to the prompts", known, ["enter", "esc", "esc"], [{ do: "close" }]],
    // Nobody says yes to what is not on the screen.
    ["files that are still looked at", { is: "looked for" }, ["enter", "enter", "enter"], []],
    ["files that cannot be looked at", { is: "unknown", why: "no" }, ["enter", "enter"], []],
    [
      "the conversation, whatever the files",
      { is: "unknown", why: "no" },
      ["enter", "down", "enter"],
      [rewind(0, false)],
    ],
  ])("%s", (_what, plan, keys, effects) => {
    expect(pressed(plan, ...keys).effects).toEqual(effects);
  });

  it("keep the chosen prompt on the way back, and scroll a long plan", () => {
    expect(pressed(known, "down", "enter", "esc").place).toEqual({ at: "prompts", selected: 1 });
    expect(pressed(known, "enter", "pagedown").place).toMatchObject({ at: "question", from: 7 });
  });

  it("do nothing where there is no prompt", () => {
    const step = pressInRewind(
      { at: "prompts", selected: 0 },
      { key: "enter" },
      { points: [], page: 1, scroll: () => 0 },
    );
    expect(step).toEqual({ now: { at: "prompts", selected: 0 } });
  });

  it("offer files only where some were changed", () => {
    expect(points.map((point) => choicesFor(point).map(({ answer }) => answer))).toEqual([
      ["files", "conversation", "no"],
      ["conversation", "no"],
      ["files", "conversation", "no"],
    ]);
  });
});

describe("what the rewind panel says", () => {
  const now = Date.parse("2026-11-15T10:05:00.000Z");

  it("of a prompt: its first line, the files changed since, and when", () => {
    const [newest, without, oldest] = points.map((point) =>
      pointItem(point, { columns: 60, now }).map(textOf),
    );
    expect(newest).toEqual([expect.stringMatching(/^newest +1 file changed since · 5 minutes ago$/)]);
    expect(without).toEqual(["without files"]);
    expect(
      pointItem({ ...points[0], firstLine: "newest" } as RewindPoint, { columns: 38, now }).map(textOf),
    ).toEqual(["newest", "  1 file changed since · 5 minutes ago"]);
    expect(oldest).toEqual([expect.stringMatching(/^oldest +3 files changed since · 2 hours ago$/)]);
  });

  it("of a plan: each file and what becomes of it, and what is not undone", () => {
    expect(planLines(known, { folder: "/p", columns: 80 }).map(textOf)).toEqual([
      "4 messages leave the conversation; the prompt comes back into the input.",
      "  put back  src/a.ts",
      "  put back  b.ts  what others changed in it stays",
      "  remove    new.ts  Wave made it",
      "  leave     c.ts  it was changed since, in the same lines",
      "Shell commands ran since then.",
    ]);
    for (const line of planLines(known, { folder: "/p", columns: 40 }))
      expect(lineWidth(line)).toBeLessThanOrEqual(40);
  });

  it("nothing that could control the terminal", () => {
    const evil = "\u001b[2J";
    const plan: RewindPlan = {
      is: "known",
      would: { ...would, files: [{ path: `/p/${evil}`, outcome: "kept", why: evil }], note: undefined },
    };
    const lines = [
      ...planLines(plan, { folder: "/p", columns: 60 }),
      ...planLines({ is: "unknown", why: evil }, { folder: "/p", columns: 60 }),
      ...pointItem({ ...points[0], firstLine: evil } as RewindPoint, { columns: 60, now }),
    ];
    expect(lines.map(textOf).join("\n")).not.toContain("\u001b");
  });
});

import { describe, expect, it } from "vitest";
import { bodyHeight, footLines, headLine } from "../../src/panels/frame.ts";
import { HOOKS_KEYS } from "../../src/panels/hooksView.ts";
import { helpLines } from "../../src/panels/help.ts";
import { windowAround } from "../../src/panels/listWindow.ts";
import {
  ago,
  lengthOf,
  searchSessions,
  isWorthListing,
  marksOf,
  sessionItem,
  sessionItemHeight,
} from "../../src/panels/sessionList.ts";
import { lineWidth, textOf } from "../../src/view/span.ts";
import { session } from "./samples.ts";

describe("the frame of a panel", () => {
  it.each([
    [24, "─ Hooks ───────── 2 on ─"],
    [16, "─ Hooks ─ 2 on ─"],
    [15, "─ Hooks ──────…"],
    [5, "─ Ho…"],
  ])("has its title at %i columns", (columns, expected) => {
    expect(textOf(headLine("Hooks", "2 on", columns))).toBe(expected);
  });

  it.each([40, 80, 120])("has a key beside what it does at %i columns", (columns) => {
    for (const keys of Object.values(HOOKS_KEYS)) {
      const lines = footLines(keys, columns).map(textOf);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
      for (const { keys: key, does } of keys)
        expect(lines.some((line) => line.includes(`${key} ${does}`))).toBe(true);
    }
  });

  it("leaves the rest of the screen to what is in it", () => {
    const keys = [{ keys: "Esc", does: "close" }];
    expect(bodyHeight({ rows: 24, columns: 80, keys })).toBe(21);
    expect(bodyHeight({ rows: 2, columns: 80, keys })).toBe(3);
  });
});

describe("the part of a list that is drawn", () => {
  it.each([
    [
      { count: 3, selected: 0, itemHeight: 2, height: 6 },
      { from: 0, to: 3, above: 0, below: 0 },
    ],
    [
      { count: 4, selected: 0, itemHeight: 2, height: 6 },
      { from: 0, to: 2, above: 0, below: 2 },
    ],
    [
      { count: 10, selected: 5, itemHeight: 1, height: 5 },
      { from: 4, to: 7, above: 4, below: 3 },
    ],
    [
      { count: 10, selected: 9, itemHeight: 1, height: 5 },
      { from: 7, to: 10, above: 7, below: 0 },
    ],
    [
      { count: 10, selected: 99, itemHeight: 1, height: 5 },
      { from: 7, to: 10, above: 7, below: 0 },
    ],
    [
      { count: 3, selected: 1, itemHeight: 5, height: 3 },
      { from: 1, to: 2, above: 1, below: 1 },
    ],
    [
      { count: 0, selected: 0, itemHeight: 1, height: 5 },
      { from: 0, to: 0, above: 0, below: 0 },
    ],
  ])("of %j", (list, expected) => {
    expect(windowAround(list)).toEqual(expected);
  });

  it("always has the selected item and never more lines than there are", () => {
    for (let height = 3; height < 20; height++)
      for (let selected = 0; selected < 30; selected++) {
        const { from, to, above, below } = windowAround({ count: 30, selected, itemHeight: 1, height });
        expect(selected >= from && selected < to).toBe(true);
        expect(to - from + (above > 0 ? 1 : 0) + (below > 0 ? 1 : 0)).toBeLessThanOrEqual(height);
        expect(above + (to - from) + below).toBe(30);
      }
  });
});

describe("sessions", () => {
  const sessions = [
    session({ id: "3f0a", firstPrompt: "Make the tests pass" }),
    session({ id: "77bc", firstPrompt: "explain the hook" }),
    session({ id: "9d11", firstPrompt: undefined }),
  ];
  it.each([
    ["", ["3f0a", "77bc", "9d11"]],
    ["the", ["3f0a", "77bc"]],
    ["TESTS make", ["3f0a"]],
    ["77b", ["77bc"]],
    ["nothing", []],
  ])("are found by %j", (query, ids) => {
    expect(searchSessions(sessions, query).map(({ id }) => id)).toEqual(ids);
  });

  const now = 10 * 86_400_000;
  it.each([
    [now, "just now"],
    [now + 5_000, "just now"],
    [now - 60_000, "1 minute ago"],
    [now - 7_200_000, "2 hours ago"],
    [0, "10 days ago"],
  ])("of %i are that old", (then, words) => {
    expect(ago(then, now)).toBe(words);
  });

  it.each([
    [78, [`make the tests pass${" ".repeat(34)}12 messages · 10 days ago`]],
    [38, ["make the tests pass", "  12 messages · 10 days ago"]],
  ])("fit %i columns", (columns, expected) => {
    expect(sessionItem({ session: session() }, { columns, now }).map(textOf)).toEqual(expected);
    expect(expected).toHaveLength(sessionItemHeight(columns, ""));
  });

  it.each([
    [78, [`the fix  make the tests pass${" ".repeat(25)}12 messages · 10 days ago`, "  you: a line with it"]],
    [38, ["the fix  make the tests pass", "  12 messages · 10 days ago", "  you: a line with it"]],
  ])("have their name first, and below them what was found, in %i columns", (columns, expected) => {
    const found = { session: session({ name: "the fix" }), hit: { by: "you", line: "a line with it" } };
    expect(sessionItem(found, { columns, now }).map(textOf)).toEqual(expected);
    expect(expected).toHaveLength(sessionItemHeight(columns, "/it"));
  });

  it("are marked when they are a copy, or open elsewhere; those without a word are left out", () => {
    const parent = session({ id: "019a8b00-0000-7000-8000-000000000000", name: "the fix" });
    const copy = session({ id: "copy", parent: parent.id });
    const marks = (sessions: (typeof copy)[], ...open: string[]) =>
      marksOf(copy, { sessions, open: new Set(open) });
    expect(marks([parent, copy], "copy")).toEqual(["open elsewhere", "copy of the fix"]);
    expect(marks([copy])).toEqual([expect.stringMatching(/^copy of the one of 2025-11-\d\d \d\d:\d\d$/)]);
    expect(marksOf(parent, { sessions: [parent], open: new Set() })).toEqual([]);
    const [line = []] = sessionItem({ session: copy }, { columns: 78, now, marks: ["copy of the fix"] });
    expect(textOf(line)).toMatch(/ copy of the fix · 12 messages · 10 days ago$/);

    const empty = session({ firstPrompt: undefined, messageCount: 0 });
    expect(isWorthListing(empty)).toBe(false);
    const kept = [
      copy,
      { ...empty, name: "kept" },
      { ...empty, messageCount: 1 },
      { ...empty, counted: "head" as const },
    ];
    expect(kept.map(isWorthListing)).toEqual([true, true, true, true]);
  });

  it("say when only their beginning was counted, and when nothing was asked", () => {
    const text = textOf(
      sessionItem(
        { session: session({ counted: "head", firstPrompt: undefined }) },
        { columns: 78, now },
      )[0] ?? [],
    );
    expect(text).toMatch(/^\(nothing was asked\) +at least 12 messages, 2\.2 MB · 10 days ago$/);
  });

  it.each([
    ["all", 1, "1 message"],
    ["all", 17, "17 messages"],
    ["head", 17, "at least 17 messages, 2.2 MB"],
    ["head", 1, "at least 1 message, 2.2 MB"],
    ["head", 0, "2.2 MB"],
  ] as const)("of which %s was counted, up to %i, are %s long", (counted, messageCount, words) => {
    expect(lengthOf(session({ counted, messageCount }))).toBe(words);
  });
});

describe("the help", () => {
  const rows = [
    { keys: "Enter", does: "send", where: "Writing" },
    { keys: "Esc", does: "interrupt what the agent is doing now", where: "While it works" },
    { keys: "Ctrl+J", does: "a new line", where: "Writing" },
  ];
  it("is the table, under a title for each place", () => {
    expect(helpLines(rows, 80).map((line) => textOf(line).trimEnd())).toEqual([
      "Writing",
      "  Enter   send",
      "  Ctrl+J  a new line",
      "",
      "While it works",
      "  Esc     interrupt what the agent is doing now",
    ]);
  });

  it("stands in one column at 40 columns", () => {
    expect(helpLines(rows, 40).map(textOf).slice(-3)).toEqual([
      "  Esc",
      "    interrupt what the agent is doing",
      "    now",
    ]);
  });

  it.each([20, 40, 60, 100])("fits %i columns, with long keys too", (columns) => {
    const long = [...rows, { keys: "Ctrl+".repeat(8), does: "word ".repeat(30), where: "Writing" }];
    expect(Math.max(...helpLines(long, columns).map(lineWidth))).toBeLessThanOrEqual(Math.max(columns, 44));
  });
});

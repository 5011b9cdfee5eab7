import { describe, expect, it } from "vitest";
import { openedAt, openedKeys, openedRoom, placeAt, pressInOpened } from "../../src/panels/opened.ts";
import type { PanelPress } from "../../src/panels/press.ts";
import type { Item } from "../../src/view/items.ts";
import { isFolded } from "../../src/view/opened.ts";

const item = (id: string, block: Item["block"], rest: Partial<Item> = {}): Item => ({
  id,
  role: "assistant",
  block,
  spaced: false,
  ...rest,
});
const reasoning = (id: string) => item(id, { type: "reasoning", content: "why\nso" });
const running = { since: 0, output: { lines: ["a"], before: 0 } };
const bash = (stage: "pending" | "running" | "ended", result?: string): Item["block"] => ({
  type: "tool",
  id: "t",
  name: "Bash",
  parameters: '{"command":"ls"}',
  stage,
  ...(result === undefined ? {} : { result, success: true }),
});

describe("what Ctrl-O opens", () => {
  const rows: [string, Item, boolean][] = [
    ["what a call printed", item("1", bash("ended", "a\nb")), true],
    ["what a running call has printed so far", item("1", bash("running"), { running }), true],
    ["no call that has not begun", item("1", bash("pending")), false],
    ["reasoning of more than a line", reasoning("1"), true],
    ["no reasoning that is there in full", item("1", { type: "reasoning", content: "why" }), false],
    ["no answer", item("1", { type: "text", content: "a\n".repeat(99) }), false],
    ["a long prompt", item("1", { type: "text", content: "a\n".repeat(99) }, { role: "user" }), true],
    ["no short one", item("1", { type: "text", content: "a\nb" }, { role: "user" }), false],
    [
      "a command of the person's that is cut",
      item("1", bash("ended", "a\nb\n".repeat(99)), { role: "user" }),
      true,
    ],
    ["none that is not", item("1", bash("ended", "a\nb"), { role: "user" }), false],
    ["a long notice", item("1", { type: "notice", level: "info", content: "a\nb\n".repeat(40) }), true],
    ["no short one of those", item("1", { type: "notice", level: "info", content: "a" }), false],
  ];
  // A line that repeats is no other line: they are numbered.
  const numbered = (one: Item): Item => {
    const { block } = one;
    let n = 0;
    const count = (text: string) => text.replaceAll(/[ab]\n/g, (line) => `${n++} ${line}`);
    if (block.type === "tool" && block.result)
      return { ...one, block: { ...block, result: count(block.result) } };
    if ("content" in block) return { ...one, block: { ...block, content: count(block.content) } };
    return one;
  };
  it.each(rows)("is %s", (_what, one, expected) => {
    expect(isFolded(numbered(one), { width: 60, folder: "/p" })).toBe(expected);
  });
});

describe("in the panel of what is folded", () => {
  const items = [reasoning("a"), reasoning("b"), item("c", bash("running"), { running })];
  const known = { items, room: 10, lines: 30 };
  const after = (place: Parameters<typeof pressInOpened>[0], ...keys: PanelPress["key"][]) =>
    keys.reduce<ReturnType<typeof pressInOpened>>(
      (now, key) => (now === "close" || key === "text" ? now : pressInOpened(now, { key }, known)),
      place,
    );

  it("Left and Right lead to the block before and after, and stay at the ends", () => {
    expect(after({ id: "b", from: 4 }, "left")).toEqual({ id: "a", from: 0 });
    expect(after({ id: "b", from: 4 }, "left", "left")).toEqual({ id: "a", from: 0 });
    expect(after({ id: "b", from: 4 }, "right")).toEqual({ id: "c", from: "end" });
    expect(after({ id: "b", from: 4 }, "right", "right")).toEqual({ id: "c", from: "end" });
  });

  it("Esc, q and Ctrl-O close it", () => {
    for (const key of ["esc", "close", "expand"] as const)
      expect(after({ id: "b", from: 0 }, key)).toBe("close");
  });

  it("the end of a call that runs stays in sight until somebody scrolls", () => {
    const place = placeAt(items.at(-1));
    expect(place).toEqual({ id: "c", from: "end" });
    expect(after(place, "down")).toEqual({ id: "c", from: "end" });
    expect(after(place, "up")).toEqual({ id: "c", from: 20 });
  });

  it("a block that is gone gives way to the last one", () => {
    expect(openedAt(items, { id: "x", from: 0 })).toBe(2);
  });

  it("only keys are named that do something", () => {
    const keys = (at: number, count: number, scrolls: boolean) =>
      openedKeys(at, count, scrolls).map((one) => one.keys);
    expect(keys(0, 1, false)).toEqual(["Esc, Ctrl-O"]);
    expect(keys(1, 3, true)).toEqual(["↑↓", "←", "→", "Esc, Ctrl-O"]);
    expect(keys(2, 3, false)).toEqual(["←", "Esc, Ctrl-O"]);
    expect(openedRoom(0, 1, { lines: 5, columns: 80, rows: 10 })).toMatchObject({ room: 7 });
    expect(openedRoom(0, 1, { lines: 50, columns: 80, rows: 10 }).keys).toHaveLength(2);
  });
});

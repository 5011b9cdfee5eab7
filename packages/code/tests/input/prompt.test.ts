import { describe, expect, it } from "vitest";
import type { KeyAction } from "../../src/input/keys.ts";
import { newPrompt, promptStep, replayStep, restoreText } from "../../src/input/prompt.ts";
import type { PromptEffect, PromptState, PromptSurroundings } from "../../src/input/promptState.ts";
import { promptHints } from "../../src/input/promptHints.ts";
import type { KeyReading } from "../../src/input/readKey.ts";
import { marked } from "./marked.ts";

const around: PromptSurroundings = {
  width: 40,
  now: 0,
  commands: [
    { name: "help", description: "keys" },
    { name: "hooks", description: "hooks" },
  ],
  files: ["src/index.ts", "README.md", "abc/lib/index.ce"],
  history: ["oldest", "two\nlines", "newest"],
  waiting: "nothing",
  working: false,
};

const type = (text: string): KeyReading[] => Array.from(text, (letter) => ({ read: "text", text: letter }));
const press = (...actions: KeyAction[]): KeyReading[] =>
  actions.map((action) => ({ read: "action", action }));

function play(readings: KeyReading[], start: PromptState = newPrompt(), surroundings = around) {
  let state = start;
  const effects: PromptEffect[] = [];
  for (const reading of readings) {
    const step = promptStep(state, reading, surroundings);
    state = step.state;
    effects.push(...step.effects);
  }
  return {
    state,
    text: marked(state.editor),
    effects,
    told: effects.filter(({ tell }) => tell !== "change"),
  };
}

describe("an empty prompt while something waits", () => {
  const told = (waiting: PromptSurroundings["waiting"], readings: KeyReading[]) =>
    play(readings, newPrompt(), { ...around, waiting }).told;

  it("tells a waiting prompt with Enter, and only a prompt", () => {
    expect(told("prompt", press("submit"))).toEqual([{ tell: "action", action: "steer" }]);
    expect(told("something", press("submit"))).toEqual([]);
    expect(told("nothing", press("submit"))).toEqual([]);
    expect(told("prompt", [...type("hi"), ...press("submit")])).toEqual([{ tell: "submit", text: "hi" }]);
  });

  it("takes back what waits with Up, and goes through the history when nothing does", () => {
    expect(told("something", press("up"))).toEqual([{ tell: "action", action: "take-back" }]);
    expect(told("prompt", press("up"))).toEqual([{ tell: "action", action: "take-back" }]);
    expect(play(press("up")).text).toBe("newest|");
    expect(told("prompt", [...type("hi"), ...press("up")])).toEqual([]);
  });
});

describe("Enter", () => {
  it("sends the text as it is and empties the prompt", () => {
    const { text, told } = play([...type("  hi "), ...press("submit")]);
    expect(told).toEqual([{ tell: "submit", text: "  hi " }]);
    expect(text).toBe("|");
  });

  it("sends nothing when there are only blanks", () => {
    expect(play([...type("  "), ...press("submit")])).toMatchObject({ text: "  |", told: [] });
  });

  it("after a backslash is a line break instead", () => {
    expect(play([...type("a\\"), ...press("submit"), ...type("b")])).toMatchObject({
      text: "a\nb|",
      told: [],
    });
  });

  it("takes the marked command, and sends one that is complete", () => {
    expect(play([...type("/he"), ...press("submit")])).toMatchObject({ text: "/help |", told: [] });
    expect(play([...type("/help"), ...press("submit")]).told).toEqual([{ tell: "submit", text: "/help" }]);
  });

  it("takes a file whose name begins like that, but never one that only has the letters", () => {
    expect(play([...type("see @READ"), ...press("submit")])).toMatchObject({
      text: "see @README.md |",
      told: [],
    });
    expect(play([...type("hi @alice"), ...press("submit")]).told).toEqual([
      { tell: "submit", text: "hi @alice" },
    ]);
    expect(play([...type("hi @alice"), ...press("down", "submit")]).text).toBe("hi @abc/lib/index.ce |");
  });

  it("keeps what was cut for the next prompt, and nothing to undo", () => {
    const { state } = play([...type("ab"), ...press("kill-to-start"), ...type("c"), ...press("submit")]);
    expect(play(press("undo"), state).text).toBe("|");
    expect(play(press("yank"), state).text).toBe("ab|");
  });
});

describe("the list of candidates", () => {
  it("is gone through with the arrow keys and taken with Tab", () => {
    expect(play([...type("/h"), ...press("complete")]).text).toBe("/help |");
    expect(play([...type("/h"), ...press("down", "complete")]).text).toBe("/hooks |");
    expect(play([...type("/h"), ...press("up", "up", "complete")]).text).toBe("/help |");
  });

  it("of paths is opened by Tab behind !, and Enter still runs the command", () => {
    expect(play(type("!cat src")).state.menu.show).toBe("nothing");
    expect(play([...type("!cat src"), ...press("complete", "complete")]).text).toBe("!cat src/index.ts |");
    const open = play([...type("!cat s"), ...press("complete"), ...type("rc")]);
    expect(open.state.menu).toMatchObject({ show: "candidates", question: { asks: "path", typed: "src" } });
    expect(play(press("submit"), open.state).told).toEqual([{ tell: "submit", text: "!cat src" }]);
    expect(play(press("down", "submit"), open.state).text).not.toBe("|");
    expect(play([...type("cat src"), ...press("complete")]).state.menu.show).toBe("nothing");
  });

  it("is closed by Esc, which then interrupts nothing, and opened again by Tab", () => {
    const closed = play([...type("/h"), ...press("escape"), ...type("o")]);
    expect(closed).toMatchObject({ text: "/ho|", told: [], state: { menu: { show: "dismissed" } } });
    expect(play(press("complete", "complete"), closed.state).text).toBe("/hooks |");
  });

  it("replaces the whole name the cursor stands in", () => {
    expect(play([...type("@src/ind"), ...press("left", "left", "complete")]).text).toBe("@src/index.ts |");
  });
});

describe("earlier prompts", () => {
  it("come with Up on the first row, and the draft comes back with Down", () => {
    const drafted = play(type("draft")).state;
    expect(play(press("up"), drafted).text).toBe("newest|");
    expect(play(press("up", "up"), drafted).text).toBe("two|\nlines");
    expect(play(press("up", "up", "up"), drafted).text).toBe("oldest|");
    expect(play(press("up", "up", "up", "up"), drafted).text).toBe("oldest|");
    expect(play(press("up", "up", "down"), drafted).text).toBe("two\nlin|es");
    expect(play(press("up", "up", "down", "down"), drafted).text).toBe("newest|");
    expect(play(press("up", "up", "down", "down", "down"), drafted).text).toBe("draft|");
  });

  it("do not come while there is a row above", () => {
    expect(play([...type("a"), ...press("newline", "up")]).text).toBe("|a\n");
  });

  it("leave the draft one undo away when they are edited", () => {
    const { state } = play([...type("draft"), ...press("up"), ...type("!")]);
    expect(play(press("undo", "undo"), state).text).toBe("draft|");
    // What was edited is the draft now, and Up begins with the newest again.
    expect(play(press("up"), state).text).toBe("newest|");
    expect(play(press("up", "down"), state).text).toBe("newest!|");
  });

  it("are searched with Ctrl-R", () => {
    expect(play([...type("two"), ...press("search-history", "submit")])).toMatchObject({
      text: "two\nlines|",
      told: [],
    });
    expect(play([...press("search-history"), ...type("old"), ...press("complete")]).text).toBe("oldest|");
    expect(play([...type("x"), ...press("search-history", "escape")])).toMatchObject({
      text: "x|",
      told: [],
    });
  });
});

describe("keys that are not about the text", () => {
  it.each([
    ["escape", "interrupt"],
    ["back", "back"],
    ["delete-or-exit", "exit"],
    ["cycle-mode", "cycle-mode"],
    ["expand", "expand"],
    ["redraw", "redraw"],
    ["earlier", "earlier"],
  ] as const)("%s tells the app %s", (action, told) => {
    expect(play(press(action)).effects).toEqual([{ tell: "action", action: told }]);
  });

  it("Esc Esc goes back only from an empty prompt: nothing that was typed is lost", () => {
    expect(play([...type("draft"), ...press("escape", "escape")]).told).toEqual([
      { tell: "action", action: "interrupt" },
      { tell: "action", action: "interrupt" },
    ]);
    expect(play([...type("draft"), ...press("back")]).told).toEqual([
      { tell: "action", action: "interrupt" },
    ]);
  });

  it("Ctrl-D deletes when there is something to delete", () => {
    expect(play([...type("ab"), ...press("left", "delete-or-exit")])).toMatchObject({ text: "a|", told: [] });
  });

  it.each([
    [600, "back"],
    [601, "interrupt"],
  ])("Esc %i ms after Esc means %s", (now, told) => {
    const once = play(press("escape")).state;
    expect(play(press("escape"), once, { ...around, now }).told).toEqual([{ tell: "action", action: told }]);
  });

  it("Esc, a letter, Esc is twice an interrupt", () => {
    const { told } = play([...press("escape"), ...type("a"), ...press("escape")]);
    expect(told).toEqual([
      { tell: "action", action: "interrupt" },
      { tell: "action", action: "interrupt" },
    ]);
  });
});

describe("changes", () => {
  it("are told when the text changes and not when the cursor moves", () => {
    expect(play([...type("ab"), ...press("left", "home", "end")]).effects).toEqual([
      { tell: "change", text: "a" },
      { tell: "change", text: "ab" },
    ]);
  });

  it("do not come from a text that is put back, unchanged, before what was typed since (T72, T162)", () => {
    const back = (text: string) => ({ text, beforeDraft: text, byItself: true });
    const empty = restoreText(newPrompt(), back(" blocked\nprompt "));
    expect(marked(empty.state.editor)).toBe(" blocked\nprompt |");
    const { state, went } = restoreText(play(type("typed since")).state, back("blocked prompt"));
    expect([empty.went, went]).toEqual(["input", "above-draft"]);
    expect(marked(state.editor)).toBe("blocked prompt\n\ntyped since|");
    expect(play(press("undo"), state).text).toBe("typed since|");
  });
});

describe("a prompt that was answered with no", () => {
  const refused = { text: "refused", beforeDraft: undefined, byItself: true };

  it("is back in an empty input, and leaves a draft and its cursor as they are (PD-2, T72)", () => {
    const empty = restoreText(newPrompt(), refused);
    expect([marked(empty.state.editor), empty.went]).toEqual(["refused|", "input"]);
    const { state } = play([...type(" a  draft "), ...press("left")]);
    expect(restoreText(state, refused)).toEqual({ state, went: "history" });
  });

  const back = restoreText(newPrompt(), refused).state;
  it.each<[what: string, keys: ReturnType<typeof press>, text: string]>([
    ["typing starts a new one", type("new"), "new|"],
    ["the cut one comes back with a key", [...type("new"), ...press("yank")], "newrefused|"],
    ["the new one can be undone", [...type("n"), ...press("undo", "undo")], "refused|"],
    ["a key that moves means to edit it", [...press("end"), ...type("!")], "refused!|"],
    ["so does one that deletes", [...press("backspace"), ...type("!")], "refuse!|"],
  ])("does not grow together with the next one: %s", (_what, keys, text) => {
    expect(play(keys, back).text).toBe(text);
  });

  it("is edited at once where the person asked for it", () => {
    const asked = restoreText(newPrompt(), { ...refused, byItself: false }).state;
    expect(play(type("!"), asked).text).toBe("refused!|");
  });

  it("goes to the history also where another text goes before the draft", () => {
    const both = { text: "refused\nwaited", beforeDraft: "waited", byItself: true };
    const { state, went } = restoreText(play(type("draft")).state, both);
    expect([marked(state.editor), went]).toEqual(["waited\n\ndraft|", "history"]);
  });
});

describe("Ctrl-C", () => {
  const cancel = press("cancel");
  const hints = (state: PromptState) =>
    promptHints({ kind: "prompt", hasFolds: false, waiting: "nothing", ...state }, 80);

  it("clears what was typed; Ctrl-Y and undo bring it back, and the hint says so", () => {
    const cleared = play([...type("a long thought"), ...press("home", "kill-to-end", "yank"), ...cancel]);
    expect(cleared).toMatchObject({ text: "|", told: [] });
    expect(cleared.effects.at(-1)).toEqual({ tell: "change", text: "" });
    expect(hints(cleared.state)).toBe("cleared: Ctrl-Y brings it back");
    expect(play(press("yank"), cleared.state)).toMatchObject({ text: "a long thought|" });
    expect(play(press("undo"), cleared.state).text).toBe("a long thought|");
    expect(hints(play(press("yank"), cleared.state).state)).toContain("Enter sends");
  });

  it("comes back as it stood there, also right after another cut", () => {
    const { state } = play([...type("one two"), ...press("delete-word-left", "cancel", "yank")]);
    expect(state.editor.text).toBe("one ");
  });

  it("in an empty prompt says that one more leaves, and one more does", () => {
    const once = play(cancel);
    expect(once.told).toEqual([]);
    expect(hints(once.state)).toBe("Ctrl-C again to leave");
    expect(play(cancel, once.state).told).toEqual([{ tell: "action", action: "exit" }]);
  });

  it("after another key begins anew: clear, ask, leave", () => {
    const { state, told } = play([...cancel, ...type("x"), ...cancel, ...cancel]);
    expect(told).toEqual([]);
    expect(hints(state)).toBe("Ctrl-C again to leave");
    expect(play(press("left"), state).state.cancelled).toBeUndefined();
  });

  it("while work runs interrupts it and leaves the text alone (G45)", () => {
    const { text, told } = play([...type("next"), ...cancel, ...cancel], newPrompt(), {
      ...around,
      working: true,
    });
    expect(text).toBe("next|");
    expect(told).toEqual([
      { tell: "action", action: "interrupt" },
      { tell: "action", action: "interrupt" },
    ]);
  });

  it("closes a search and a list", () => {
    expect(play([...press("search-history"), ...cancel]).state).toMatchObject({
      searching: false,
      menu: { show: "nothing" },
    });
    expect(play([...type("/h"), ...cancel]).state.menu).toEqual({ show: "nothing" });
  });
});

describe("keys that a dialog had no use for", () => {
  it("are typed, but send nothing and decide nothing (T71)", () => {
    let state = play(type("dr")).state;
    const effects: PromptEffect[] = [];
    for (const reading of [...type("aft"), ...press("submit", "cancel", "cycle-mode"), ...type("x")]) {
      const step = replayStep(state, reading, around);
      state = step.state;
      effects.push(...step.effects);
    }
    expect(marked(state.editor)).toBe("draft\nx|");
    expect(effects.every(({ tell }) => tell === "change")).toBe(true);
  });
});

import { describe, expect, it } from "vitest";
import {
  asksOf,
  countOf,
  emptyQueue,
  inputHashOf,
  nextTick,
  openRequests,
  QUEUE_LIMIT,
  type KeepRule,
  type Queue,
  type QueueEffect,
} from "../../src/asking/openRequests.ts";
import { updateQueue } from "../../src/asking/queue.ts";
import type { View } from "../../src/asking/shown.ts";
import type { Typed } from "../../src/asking/typed.ts";
import {
  BACKSPACE,
  bash,
  DOWN,
  ENTER,
  ESC,
  ESC_ESC,
  key,
  PAGE_DOWN,
  paste,
  pending,
  PUSH_RULE,
  SHIFT_TAB,
  UP,
  view,
} from "./requests.ts";

type Request = ReturnType<typeof pending>;

/** A queue with these requests, the first on the screen. */
function asked(...requests: Request[]): Queue {
  let queue = emptyQueue();
  for (const request of requests) [queue] = updateQueue(queue, { event: "arrived", request, at: 0 });
  return updateQueue(queue, { event: "tick", at: 200 })[0];
}

/** Presses keys one after the other at the same moment, looking at what is visible. */
function press(
  queue: Queue,
  keys: Typed[],
  at = 5_000,
  rows: Partial<View> = {},
): { queue: Queue; effects: QueueEffect[] } {
  const effects: QueueEffect[] = [];
  let now = queue;
  for (const typed of keys) {
    const { visible } = now;
    const { top = 0 } = visible?.dialog ?? {};
    const seen = visible && {
      id: visible.request.id,
      inputHash: visible.inputHash,
      ...view({ lastTop: 9, ...rows, top }),
    };
    const [next, more] = updateQueue(now, { event: "typed", typed, seen, at });
    now = next;
    effects.push(...more);
  }
  return { queue: now, effects };
}

const brief = (effects: QueueEffect[]) =>
  effects.map((effect) => {
    if (effect.do === "answer")
      return `${effect.answer.decision} ${effect.id}: ${"reason" in effect.answer ? effect.answer.reason : ""}`;
    if (effect.do === "to-draft") return `draft ${effect.text}`;
    return effect.do === "keep-rule"
      ? `keep ${effect.kept.rules.join("+")} for the ${effect.kept.scope}`
      : effect.do;
  });

describe("the key for the other rule", () => {
  const build = bash("npm run build --watch", {
    rule: {
      ...PUSH_RULE,
      choices: [{ rules: ["Bash(npm run build --watch)"] }, { rules: ["Bash(npm run build:*)"] }],
    },
  });
  it.each<[string, Typed[], string[]]>([
    ["allows nothing by itself, nor by Enter on it", [key("w"), ENTER, ENTER], []],
    [
      "shows the rule that s then keeps",
      [key("w"), key("s")],
      ["keep Bash(npm run build:*) for the session"],
    ],
    [
      "shows the rule that p then keeps",
      [key("w"), key("p")],
      ["keep Bash(npm run build:*) for the project"],
    ],
    ["goes back", [key("w"), key("w"), key("s")], ["keep Bash(npm run build --watch) for the session"]],
  ])("%s (T80)", (_what, keys, expected) => {
    expect(brief(press(asked(build), keys).effects)).toEqual(expected);
  });

  it("is text where there is no other rule", () => {
    expect(brief(press(asked(pending()), [key("w")]).effects)).toEqual(["draft w"]);
  });
});

describe("a key in the dialog", () => {
  const rows: [string, Typed[], string[]][] = [
    ["y allows once", [key("y")], ["allow r1: "]],
    ["Y is the same key with caps lock", [key("Y")], ["allow r1: "]],
    ["s keeps the rule for the session first (T80)", [key("s")], ["keep Bash(git push:*) for the session"]],
    ["p keeps the rule for the project first (T80)", [key("p")], ["keep Bash(git push:*) for the project"]],
    [
      "while the rule is being kept, keys go to the draft",
      [key("s"), key("y"), ENTER],
      ["keep Bash(git push:*) for the session", "draft y", "draft \n"],
    ],
    ["n denies", [key("n")], ["deny r1: "]],
    ["Enter takes the first choice", [ENTER], ["allow r1: "]],
    ["down and Enter take the second", [DOWN, ENTER], ["keep Bash(git push:*) for the session"]],
    ["up goes round to the last, which opens a line for words", [UP, ENTER, key("x"), ENTER], ["deny r1: x"]],
    ["d denies with words (T74)", [key("d"), ..."use rm".split("").map(key), ENTER], ["deny r1: use rm"]],
    ["the words can be mended", [key("d"), key("a"), key("b"), BACKSPACE, key("c"), ENTER], ["deny r1: ac"]],
    ["words and Enter that arrive together are words and Enter", [key("d"), key("no\r")], ["deny r1: no"]],
    [
      "a paste ends nothing, and its line breaks stay",
      [key("d"), paste("a\r\nb\r"), ENTER],
      ["deny r1: a\nb\n"],
    ],
    ["blank words are no words", [key("d"), key(" "), ENTER], ["deny r1: "]],
    ["Esc leaves the line for words, and y then allows", [key("d"), ESC, key("y")], ["allow r1: "]],
    [
      "words that are not sent go to the draft",
      [key("d"), key("w"), ESC, key("n")],
      ["deny r1: ", "draft w"],
    ],
    ["several letters at once are a text, not an answer", [key("yes")], ["draft yes"]],
    ["a paste is a text, not an answer", [paste("y")], ["draft y"]],
    ["a letter without a meaning goes to the draft", [key("x")], ["draft x"]],
    ["Ctrl+C belongs to the program", [{ by: "key", input: "c", key: { ctrl: true } }], []],
    ["the release of a key is none", [{ by: "key", input: "y", key: { eventType: "release" } }], []],
    ["Alt+y is not y", [{ by: "key", input: "y", key: { meta: true } }], ["draft "]],
    [
      "Shift+Enter chooses nothing",
      [{ by: "key", input: "", key: { return: true, shift: true } }],
      ["draft "],
    ],
  ];
  it.each(rows)("%s (PD-2)", (_what, keys, expected) => {
    expect(brief(press(asked(pending()), keys).effects)).toEqual(expected);
  });

  it("answers with the id and the hash of the input that was shown (PD-2, T70)", () => {
    const queue = asked(pending());
    const [effect] = press(queue, [key("y")]).effects;
    expect(effect).toMatchObject({ do: "answer", id: "r1", inputHash: queue.visible?.inputHash });
  });

  it("goes to the draft when the screen showed another request (T70)", () => {
    const queue = asked(pending());
    const seen = { id: "r0", inputHash: "other", ...view() };
    const [, effects] = updateQueue(queue, { event: "typed", typed: key("y"), seen, at: 5_000 });
    expect(brief(effects)).toEqual(["draft y"]);
  });
});

describe("Esc", () => {
  it("denies only the visible request, and a second one within a second ends the turn (T75)", () => {
    const first = press(asked(pending(), pending({ id: "r2" })), [ESC], 5_000);
    expect(brief(first.effects)).toEqual(["deny r1: "]);
    expect(openRequests(first.queue).map(({ request }) => request.id)).toEqual(["r2"]);
    expect(brief(press(first.queue, [ESC], 5_900).effects)).toEqual(["interrupt"]);
    expect(brief(press(first.queue, [ESC], 6_100).effects)).toEqual(["deny r2: "]);
  });

  it("twice in one breath ends the turn, whether or not the dialog takes keys yet (T75)", () => {
    expect(brief(press(asked(pending()), [ESC_ESC]).effects)).toEqual(["interrupt"]);
    const early = (queue: Queue, typed: Typed, at: number) =>
      updateQueue(queue, { event: "early", typed, at });
    expect(brief(early(asked(pending()), ESC_ESC, 5_000)[1])).toEqual(["interrupt"]);
    const [once, none] = early(asked(pending()), ESC, 5_000);
    expect([brief(none), brief(early(once, ESC, 5_900)[1])]).toEqual([[], ["interrupt"]]);
    expect(brief(early(once, ESC, 6_100)[1])).toEqual([]);
  });
});

describe("an input with hidden characters", () => {
  const hidden = bash("echo \u202eoops");
  const rows: [string, Typed[], string[]][] = [
    ["y alone allows nothing", [key("y")], []],
    ["y twice allows nothing", [key("y"), key("y")], []],
    ["y and Enter allow nothing", [key("y"), ENTER], []],
    ["y and c allow", [key("y"), key("c")], ["allow r1: "]],
    ["Enter denies, because deny is the first to be chosen", [ENTER], ["deny r1: "]],
    ["n after y denies", [key("y"), key("n")], ["deny r1: "]],
    ["Esc after y denies", [key("y"), ESC], ["deny r1: "]],
    ["c alone is a letter for the draft", [key("c")], ["draft c"]],
  ];
  it.each(rows)("%s (G36)", (_what, keys, expected) => {
    expect(brief(press(asked(hidden), keys).effects)).toEqual(expected);
  });
});

describe("an input that is longer than the screen", () => {
  // Five rows at a time of twelve.
  const rows = { page: 5, lastTop: 9, mustSee: 12 };
  const end: Typed = { by: "key", input: "", key: { end: true } };
  it.each<[string, Typed[], string[]]>([
    ["y alone allows nothing", [key("y")], []],
    ["Enter alone allows nothing", [ENTER], []],
    ["nor is a rule kept by one key", [key("s")], []],
    ["y goes on until all of it was there, and allows then", [key("y"), key("y"), key("y")], ["allow r1: "]],
    ["Enter goes on like y", [ENTER, ENTER, ENTER], ["allow r1: "]],
    ["y and c allow unseen", [key("y"), key("c")], ["allow r1: "]],
    ["s and c keep a rule unseen", [key("s"), key("c")], ["keep Bash(git push:*) for the session"]],
    ["c alone is a letter for the draft", [key("c")], ["draft c"]],
    ["who scrolled through it says y once", [PAGE_DOWN, PAGE_DOWN, key("y")], ["allow r1: "]],
    ["who jumped to the end is shown the middle first", [end, key("y")], []],
    ["and then says y once", [end, key("y"), key("y")], ["allow r1: "]],
    ["n denies at once", [key("n")], ["deny r1: "]],
    ["n denies after y", [key("y"), key("n")], ["deny r1: "]],
  ])("%s (PD-2, T73)", (_what, keys, expected) => {
    expect(brief(press(asked(pending()), keys, 5_000, rows).effects)).toEqual(expected);
  });

  it("with hidden characters needs c as well, when all of it was there (G36)", () => {
    const yes = [key("y"), key("y"), key("y"), key("y"), ENTER];
    const { queue, effects } = press(asked(bash("echo \u202eoops")), yes, 5_000, rows);
    expect(brief(effects)).toEqual([]);
    expect(brief(press(queue, [key("c")], 5_000, rows).effects)).toEqual(["allow r1: "]);
  });

  it("is to be seen again in other lines, unless it was seen whole (T73)", () => {
    const half = press(asked(pending()), [PAGE_DOWN, PAGE_DOWN, UP], 5_000, {
      ...rows,
      mustSee: 20,
      lastTop: 15,
    });
    const narrow = { ...rows, mustSee: 30, lastTop: 25, width: 40 };
    expect(brief(press(half.queue, [key("y")], 5_000, narrow).effects)).toEqual([]);
    const whole = press(asked(pending()), [PAGE_DOWN, PAGE_DOWN, PAGE_DOWN], 5_000, rows);
    expect(brief(press(whole.queue, [key("y")], 5_000, narrow).effects)).toEqual(["allow r1: "]);
  });
});

describe("a rule that is kept", () => {
  const [first, second] = [bash("git push", { id: "r1" }), bash("git push", { id: "r2" })];
  const kept = (request = first): KeepRule => ({
    rules: ["Bash(git push:*)"],
    file: "/home/me/project/.wave/settings.local.json",
    scope: "session",
    id: request.id,
    inputHash: inputHashOf(request.input),
  });

  it("is in force before the call is allowed, and the person is told (T80)", () => {
    const { queue } = press(asked(first), [key("s")]);
    expect(queue.visible?.dialog.mode).toEqual({ is: "keeping" });
    const [after, effects] = updateQueue(queue, { event: "rule-kept", kept: kept(), at: 900 });
    expect(effects).toMatchObject([
      { do: "notice", text: "allowed from now on in this session: Bash(git push:*)" },
      { do: "answer", id: "r1", answer: { decision: "allow" } },
    ]);
    expect(after.visible).toBeUndefined();
  });

  it("and is not: the question stays with the reason, and every choice again (T80)", () => {
    const { queue } = press(asked(first), [key("p")]);
    const why = "the disk is full";
    const [after, effects] = updateQueue(queue, { event: "rule-not-kept", kept: kept(), why, at: 900 });
    expect(effects).toEqual([]);
    expect(after.visible?.dialog).toMatchObject({ mode: { is: "choosing" }, selected: 0, notKept: why });
    expect(brief(press(after, [key("y")]).effects)).toEqual(["allow r1: "]);
    const again = press(after, [key("s")]);
    expect(brief(again.effects)).toEqual(["keep Bash(git push:*) for the session"]);
    expect(again.queue.visible?.dialog.notKept).toBeUndefined();
  });

  it("answers no other question than the one it was chosen at (T76, T80)", () => {
    const alone = press(asked(first), [key("s")]).queue;
    const [gone] = updateQueue(alone, { event: "gone", id: "r1", at: 800 });
    const [next] = updateQueue(press(asked(first, second), [key("s")]).queue, {
      event: "gone",
      id: "r1",
      at: 800,
    });
    const other = next;
    for (const queue of [gone, other, press(other, [key("s")]).queue]) {
      const [after, effects] = updateQueue(queue, { event: "rule-kept", kept: kept(), at: 900 });
      expect(after).toBe(queue);
      expect(effects.map((effect) => effect.do)).toEqual(["notice"]);
      const [same, told] = updateQueue(queue, { event: "rule-not-kept", kept: kept(), why: "no", at: 900 });
      expect(same).toBe(queue);
      expect(told).toEqual([{ do: "notice", text: "Bash(git push:*) is not kept: no" }]);
    }
  });

  it("answers nothing while the loop is paused (PD-4)", () => {
    const { queue } = press(asked(first), [key("s")]);
    const [paused] = updateQueue(queue, { event: "paused", at: 800 });
    const [after, effects] = updateQueue(paused, { event: "rule-kept", kept: kept(), at: 900 });
    expect(effects.map((effect) => effect.do)).toEqual(["notice"]);
    expect(after.visible?.dialog.mode).toEqual({ is: "choosing" });
  });
});

describe("time", () => {
  it("shows nothing for a request that is gone within 150 ms (T78)", () => {
    let [queue] = updateQueue(emptyQueue(), {
      event: "arrived",
      request: pending(),
      at: 0,
    });
    expect(nextTick(queue)).toBe(150);
    [queue] = updateQueue(queue, { event: "tick", at: 149 });
    expect(queue.visible).toBeUndefined();
    [queue] = updateQueue(queue, { event: "gone", id: "r1", at: 149 });
    [queue] = updateQueue(queue, { event: "tick", at: 300 });
    expect(queue).toEqual(emptyQueue());
    expect(nextTick(queue)).toBeUndefined();
  });

  it.each<[string, Typed[], boolean]>([
    ["an arrow and a page change nothing that a key would answer", [DOWN, PAGE_DOWN, UP], false],
    ["nor does the line for words", [key("d"), key("a"), ESC], false],
    ["another rule does", [key("w")], true],
    ["so does an answer", [key("n")], true],
  ])("tells when something else is asked: %s (T71)", (_what, keys, isOther) => {
    const rule = { ...PUSH_RULE, choices: [...PUSH_RULE.choices, { rules: ["Bash(git:*)"] }] };
    const before = asked(bash("git push", { rule }), pending({ id: "r2" }));
    expect(asksOf(press(before, keys).queue) !== asksOf(before)).toBe(isOther);
  });

  it("tells that something else is asked when a yes shows more, or wants a confirmation (T71, G36)", () => {
    const long = press(asked(pending()), [key("y")], 5_000, { page: 5, lastTop: 9, mustSee: 12 });
    expect(asksOf(long.queue)).not.toBe(asksOf(asked(pending())));
    const hidden = asked(bash("echo \u202eoops"));
    expect(asksOf(press(hidden, [key("y")]).queue)).not.toBe(asksOf(hidden));
  });
});

describe("several requests", () => {
  it("are counted, and the visible one stays until it is answered (PD-1, T70)", () => {
    let queue = asked(pending(), pending({ id: "r2" }), pending({ id: "r3" }));
    expect(countOf(queue)).toEqual({ at: 1, of: 3 });
    [queue] = updateQueue(queue, { event: "arrived", request: pending({ id: "r4" }), at: 5_000 });
    expect([queue.visible?.request.id, countOf(queue)]).toEqual(["r1", { at: 1, of: 4 }]);
    ({ queue } = press(queue, [key("y")], 6_000));
    expect([queue.visible?.request.id, countOf(queue)]).toEqual(["r2", { at: 2, of: 4 }]);
    [queue] = updateQueue(queue, { event: "gone", id: "r3", at: 6_100 });
    expect([queue.visible?.request.id, countOf(queue)]).toEqual(["r2", { at: 2, of: 3 }]);
  });

  it("are at most 64; the next one is denied aloud and without words (PD-1)", () => {
    const requests = Array.from({ length: QUEUE_LIMIT }, (_, index) => pending({ id: `r${index}` }));
    const request = pending({ id: "too many" });
    const [queue, effects] = updateQueue(asked(...requests), { event: "arrived", request, at: 5_000 });
    expect(openRequests(queue)).toHaveLength(64);
    expect(brief(effects)).toEqual(["notice", "deny too many: "]);
  });
});

describe("a request that is cancelled elsewhere", () => {
  it("takes its dialog away; a late answer is ignored and unsent words go to the draft (T76)", () => {
    const { queue } = press(asked(pending()), [key("d"), key("h"), key("i")]);
    const [gone, effects] = updateQueue(queue, { event: "gone", id: "r1", at: 6_000 });
    expect(gone.visible).toBeUndefined();
    expect(brief(effects)).toEqual(["draft hi"]);
    const late = updateQueue(gone, { event: "answered", id: "r1", answer: { decision: "allow" }, at: 6_001 });
    expect(late).toEqual([gone, []]);
  });

  it("and asked again with another input is another request (T70)", () => {
    const [queue] = updateQueue(asked(pending()), { event: "arrived", request: bash("rm -rf /"), at: 5_000 });
    expect(queue.visible).toBeUndefined();
    expect(openRequests(queue).map(({ request }) => request.input)).toEqual([{ command: "rm -rf /" }]);
  });
});

it("what is shown cannot be changed by whoever holds the request (PD-2, G8)", () => {
  const request = pending();
  const queue = asked(request);
  Reflect.set(request.input, "command", "rm -rf /");
  expect(queue.visible?.request.input).toEqual({ command: "git push origin main" });
});

it("a paused queue shows nothing new and answers nothing until it is resumed (PD-4)", () => {
  const [paused] = updateQueue(asked(pending()), { event: "paused", at: 4_000 });
  expect(brief(press(paused, [key("y")]).effects)).toEqual(["draft y"]);
  const answered = { event: "answered", id: "r1", answer: { decision: "allow" }, at: 4_100 } as const;
  expect(updateQueue(paused, answered)[1]).toEqual([]);
  const [queue] = updateQueue(paused, { event: "resumed", at: 6_000 });
  // Whoever comes back to a question gets the same moment to see it as with a new one.
  expect(asksOf(queue)).not.toBe(asksOf(paused));
  expect(brief(press(queue, [key("y")], 6_400).effects)).toEqual(["allow r1: "]);
});

it("a question about the prompt itself offers yes and no, and no words for a call that does not exist (PD-2)", () => {
  const prompt = pending({ toolName: "prompt", input: { prompt: "hi" }, askedBy: ["hook judge (x)"] });
  expect(brief(press(asked(prompt), [key("d")]).effects)).toEqual(["draft d"]);
  expect(brief(press(asked(prompt), [key("n")]).effects)).toEqual(["deny r1: "]);
});

it.each([
  ["a command that the person typed", pending({ origin: "person", askedBy: ["hook judge (x)"] })],
  ["their own prompt", pending({ toolName: "prompt", input: { prompt: "hi" }, askedBy: ["hook judge (x)"] })],
])(
  "after %s, the Enter that sent it does not let it pass when it is pressed twice (PD-1, T23)",
  (_what, request) => {
    expect(brief(press(asked(request), [ENTER]).effects)).toEqual(["deny r1: "]);
    expect(brief(press(asked(request), [key("y")]).effects)).toEqual(["allow r1: "]);
    expect(brief(press(asked(request), [key("d")]).effects)).toEqual(["draft d"]);
  },
);

describe("Shift+Tab and all edits", () => {
  const edit = pending({
    toolName: "Write",
    input: { file_path: "/a", content: "x" },
    rule: { ...PUSH_RULE, mode: "acceptEdits" },
  });
  const done = (effects: QueueEffect[]) =>
    effects.map((effect) =>
      effect.do === "set-mode"
        ? `mode ${effect.mode}`
        : effect.do === "answer"
          ? `${effect.answer.decision} ${effect.id}`
          : effect.do,
    );
  const all = ["mode acceptEdits", "notice", "allow r1"];

  it.each<[what: string, keys: Typed[], effects: string[]]>([
    ["a allows it and sets the mode first", [key("a")], all],
    ["Shift+Tab, which leads to that mode, does the same", [SHIFT_TAB], all],
    ["with words begun, Shift+Tab only changes the mode", [key("d"), SHIFT_TAB], ["mode next"]],
  ])("of a question about an edit: %s", (_what, keys, effects) => {
    expect(done(press(asked(edit), keys).effects)).toEqual(effects);
  });

  it("of any other question change the mode and answer nothing", () => {
    const { queue, effects } = press(asked(pending()), [SHIFT_TAB]);
    expect(done(effects)).toEqual(["mode next"]);
    expect(queue.visible?.request.id).toBe("r1");
    expect(done(press(asked(pending()), [key("a")]).effects)).toEqual(["to-draft"]);
  });

  it("allow no edit that was not on the screen: its next rows come first (PD-2)", () => {
    const { effects } = press(asked(edit), [SHIFT_TAB], 5_000, { page: 2, mustSee: 9 });
    expect(done(effects)).toEqual([]);
  });
});

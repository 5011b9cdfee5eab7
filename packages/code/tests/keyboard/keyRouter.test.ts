import { describe, expect, it } from "vitest";
import type { Typed } from "../../src/asking/typed.ts";
import { typedText } from "../../src/input/typedText.ts";
import type { Came } from "../../src/keyboard/guard.ts";
import { KeyRouter, type Cover } from "../../src/keyboard/keyRouter.ts";
import { ENTER, ESC, key, paste, UP } from "../asking/requests.ts";
import { HandClock, TestKeys } from "../support/keyboard.tsx";

const CTRL_C: Typed = { by: "key", input: "c", key: { ctrl: true } };

/** Something on the screen that writes down its keys. */
function cover(log: string[], came: Came, more: Partial<Cover> = {}): Cover {
  return {
    asks: "q",
    came,
    onKey: (typed, may) => {
      log.push(`${may} ${typed.by === "key" ? typed.input : typed.text}`);
      return "q";
    },
    ...more,
  };
}

describe("Ctrl-C", () => {
  /** What it does over a question of this kind, before it listens and after. */
  function pressed(came: Came, more: Partial<Cover>, isListening: boolean): string[] {
    const clock = new HandClock();
    const router = new KeyRouter({ clock, onCancel: () => void log.push("leave") });
    const log: string[] = [];
    router.ownDraft({ onKey: () => void log.push("prompt"), onReplay: () => void log.push("draft") });
    const place = {};
    router.cover(
      place,
      cover(log, came, { ...more, ...(more.onCancel ? { onCancel: () => void log.push("stop") } : {}) }),
    );
    router.drawn(place, "q");
    if (isListening) clock.pass(700);
    router.typed(CTRL_C);
    return log;
  }
  const stops = { onCancel: () => {} };
  it.each<[string, Came, Partial<Cover>, boolean, string[]]>([
    ["stops the work that a question belongs to, before it listens", "by-itself", stops, false, ["stop"]],
    ["and after", "by-itself", stops, true, ["stop"]],
    ["does what it does in the prompt before a review listens", "by-itself", {}, false, ["prompt"]],
    ["closes the review after that", "by-itself", {}, true, ["answer c"]],
    ["closes a panel that somebody opened, at once", "opened", {}, false, ["look c"]],
  ])("%s", (_what, came, more, isListening, expected) => {
    expect(pressed(came, more, isListening)).toEqual(expected);
  });

  it("leaves where there is neither a prompt nor a question", () => {
    let left = 0;
    new KeyRouter({ onCancel: () => left++ }).typed(CTRL_C);
    expect(left).toBe(1);
  });
});

it("a question that was read before Wave was stopped waits for a pause again when Wave is continued (T71)", () => {
  const clock = new HandClock();
  const router = new KeyRouter({ clock });
  const log: string[] = [];
  router.ownDraft({ onKey: () => {}, onReplay: () => void log.push("draft") });
  const place = {};
  router.cover(place, cover(log, "by-itself"));
  router.drawn(place, "q");
  clock.pass(700);
  router.cameBack();
  router.typed(key("y"));
  clock.pass(700);
  router.typed(key("y"));
  expect(log).toEqual(["draft", "answer y"]);
});

describe("a key that is held down to answer", () => {
  /** Answers a question with it, and repeats it as a keyboard does. What the prompt got. */
  function held(answer: Typed, repeatsMs: number[]): string[] {
    const clock = new HandClock();
    const router = new KeyRouter({ clock });
    const got: string[] = [];
    router.ownDraft({ onKey: () => void got.push("typed"), onReplay: () => void got.push("edits") });
    const place = {};
    const answered = () => {
      router.uncover(place);
      return undefined;
    };
    router.cover(place, cover([], "by-itself", { onKey: answered }));
    router.drawn(place, "q");
    clock.pass(700);
    router.typed(answer);
    for (const ms of repeatsMs) {
      clock.pass(ms);
      router.typed(answer);
    }
    return got;
  }
  it.each<[string, Typed, number[], string[]]>([
    ["Enter sends no draft", ENTER, [660, 33, 33], []],
    ["Enter sends it when it is pressed again after a pause", ENTER, [660, 33, 700], ["typed"]],
    ["a letter is written", key("y"), [33, 33], ["typed", "typed"]],
    ["Esc stops", ESC, [33], ["typed"]],
  ])("%s (T71)", (_what, answer, repeats, got) => {
    expect(held(answer, repeats)).toEqual(got);
  });
});

describe("what is typed before there is a prompt", () => {
  const own = async (router: KeyRouter) => {
    const got: string[] = [];
    const name = (typed: Typed) => (typed.by === "paste" ? typed.text : typed.input || "Enter");
    router.ownDraft({
      onKey: (typed) => void got.push(`typed ${name(typed)}`),
      onReplay: (typed) => void got.push(`edits ${name(typed)}`),
    });
    await Promise.resolve();
    return got;
  };

  it("is typed into it, Enter and all, when nothing was asked in between", async () => {
    const router = new KeyRouter();
    for (const typed of [key("h"), ENTER]) router.typed(typed);
    expect(router.early).toEqual([]);
    expect(await own(router)).toEqual(["typed h", "typed Enter"]);
  });

  it("only edits it when there was a question, so that nothing is sent unseen (T71)", async () => {
    const router = new KeyRouter({ clock: new HandClock() });
    router.typed(key("h"));
    const place = {};
    router.cover(place, cover([], "by-itself"));
    for (const typed of [ENTER, paste("i")]) router.typed(typed);
    expect(typedText(router.early)).toBe("h\ni");
    router.uncover(place);
    router.typed(key("!"));
    expect(await own(router)).toEqual(["edits h", "edits Enter", "edits i", "edits !"]);
    expect(router.early).toEqual([]);
  });

  it("is told to whoever keeps it on disk, from the question on (T166)", () => {
    const router = new KeyRouter({ clock: new HandClock() });
    const kept: string[] = [];
    router.watchEarly(() => void kept.push(typedText(router.early)));
    router.typed(key("h"));
    router.cover({}, cover([], "by-itself"));
    router.typed(key("i"));
    expect(kept).toEqual(["", "h", "hi"]);
  });
});

describe("the text of keys without a prompt", () => {
  it.each<[string, Typed[], string]>([
    ["letters, a line break and a paste", [key("a"), ENTER, paste("b\r\nc")], "a\nb\nc"],
    ["Enter in an empty one is nothing", [ENTER, ENTER, key("a")], "a"],
    ["keys that edit do", [key("ab"), { by: "key", input: "", key: { leftArrow: true } }, key("x")], "axb"],
    ["nothing is taken from the history, nothing is sent", [UP, ESC, key("a")], "a"],
    ["Ctrl-C empties nothing", [key("a"), CTRL_C], "a"],
  ])("%s (T72)", (_what, typed, text) => {
    expect(typedText(typed)).toBe(text);
  });
});

describe("the hint", () => {
  it.each<[string, Came, (router: KeyRouter) => void, string | undefined]>([
    ["stands over what came by itself from the first moment", "by-itself", () => {}, "typing-goes"],
    ["is not needed in what somebody opened", "opened", () => {}, undefined],
    ["says there what to do about a key that was refused", "opened", (router) => router.refused(), "again"],
    ["says there where a text went", "opened", (router) => router.toDraft(key("x")), "typing-goes"],
  ])("%s", (_what, came, happens, says) => {
    const clock = new HandClock();
    const router = new KeyRouter({ clock });
    const place = {};
    router.cover(place, cover([], came));
    happens(router);
    expect(router.listening()).toEqual({ listens: false, says, asks: "q" });
    router.drawn(place, "q");
    clock.pass(700);
    expect(router.listening()).toEqual({ listens: true, says: undefined, asks: "q" });
  });
});

describe("two covers", () => {
  it("have the keys one after the other; the one below waits for a pause of its own when it is back (T71)", () => {
    const clock = new HandClock();
    const keys = new TestKeys({ clock });
    keys.router.ownDraft(keys.prompt);
    const [log, below, above] = [[] as string[], {}, {}];
    keys.router.cover(below, cover(log, "by-itself", { asks: "below" }));
    keys.router.drawn(below, "below");
    clock.pass(700);
    keys.router.cover(above, cover(log, "by-itself", { asks: "above" }));
    keys.router.drawn(below, "below");
    keys.router.typed(key("a"));
    keys.router.drawn(above, "above");
    clock.pass(700);
    keys.router.typed(key("b"));
    keys.router.uncover(above);
    keys.router.typed(key("c"));
    keys.router.drawn(below, "below");
    clock.pass(699);
    keys.router.typed(key("d"));
    clock.pass(700);
    keys.router.typed(key("e"));
    expect([log, keys.draft]).toEqual([["answer b", "answer e"], "acd"]);
  });
});

import assert from "node:assert/strict";
import fc from "fast-check";
import type { PendingPermission } from "wave-agent-sdk";
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
  type VisibleRequest,
} from "../../src/asking/openRequests.ts";
import { updateQueue, type QueueEvent, type Seen } from "../../src/asking/queue.ts";
import { readKey, textOf, type Pressed, type Typed } from "../../src/asking/typed.ts";
import { kindOf, nameOfActing } from "../../src/keyboard/keyKind.ts";
import { KeyRouter } from "../../src/keyboard/keyRouter.ts";
import { HandClock } from "../support/keyboard.tsx";
import {
  BACKSPACE,
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

/** What can happen next. Indexes choose among whatever is there at that moment. */
type Happening =
  | { what: "request"; command: string; askedBy: string }
  | { what: "request-again"; which: number; command: string }
  | { what: "cancel"; which: number }
  | { what: "answer-elsewhere"; which: number; decision: "allow" | "deny" }
  /** `lag`: the person still sees the screen of that many screens ago. */
  | { what: "key"; typed: Typed; lag: number }
  | { what: "rule-kept" | "rule-not-kept" }
  | { what: "pause" | "resume" };

/** What a key may do, and what the person who presses it has in front of them. */
interface About {
  mayClose?: string | undefined;
  early?: boolean;
  seen?: Seen | undefined;
}

const letters = ["y", "a", "s", "p", "n", "d", "c", "x", "Y", " ", "é", "yes, do it", "no\r"];
const named = [
  ENTER,
  ESC,
  ESC_ESC,
  UP,
  DOWN,
  PAGE_DOWN,
  BACKSPACE,
  SHIFT_TAB,
  paste("two\r\nlines"),
  paste("y"),
];
const keys: Typed[] = letters.map(key).concat(named);

const commands = [
  "git push origin main",
  "rm -rf build",
  "echo a\u202eb",
  "cd x && make",
  "echo hi",
  "make\n".repeat(6),
];

const PAGE = 5;
const rowsOf = (command: string) => command.split("\n").length;

/** A screen of a few rows; every request has more to scroll through than what would run. */
function screenOf({ request, inputHash, dialog }: VisibleRequest): Seen {
  const mustSee = rowsOf(String(request.input["command"]));
  return { id: request.id, inputHash, ...view({ top: dialog.top, page: PAGE, lastTop: 10, mustSee }) };
}

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant("request" as const),
      command: fc.constantFrom(...commands),
      askedBy: fc.constantFrom("mode default", "hook guard"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant("request-again" as const),
      which: fc.nat(3),
      command: fc.constantFrom(...commands),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("cancel" as const), which: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant("answer-elsewhere" as const),
      which: fc.nat(3),
      decision: fc.constantFrom("allow" as const, "deny" as const),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      what: fc.constant("key" as const),
      typed: fc.constantFrom(...keys),
      lag: fc.constantFrom(0, 0, 0, 0, 1, 2),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constantFrom("rule-kept" as const, "rule-not-kept" as const) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom("pause" as const, "resume" as const) }) },
);

/** What happens to a queue, with time in between, and a clock that may be late. */
export const life = fc.array(
  fc.record({
    wait: fc.constantFrom(0, 1, 40, 120, 160, 299, 300, 399, 401, 500, 699, 701, 900, 1100),
    tickLate: fc.constantFrom(0, 0, 30),
    next: happening,
  }),
  { minLength: 5, maxLength: 60 },
);

/** Plays a life and keeps books of its own, from the requirements and not from the queue. */
export class Bystander {
  queue: Queue = emptyQueue();
  now = 0;
  draft = "draft before";
  /** The draft as it has to be: what was not for the dialog, and words that were never sent. */
  expectedDraft = "draft before";
  words = "";
  typed = 0;
  inDraft = 0;
  used = 0;
  readonly open = new Map<string, { request: PendingPermission; arrived: number }>();
  readonly answers: string[] = [];
  readonly keeping: KeepRule[] = [];
  readonly screens: (Seen | undefined)[] = [undefined];
  /** From then on a key may answer, if nobody types before. */
  listensFrom = Infinity;
  drawnAt: number | undefined;
  /** Long inputs that were allowed after all of their rows. */
  readWhole = 0;
  /** Rows that were on a screen, by request and input. */
  readonly shown = new Map<string, Set<number>>();
  lastTyped = -Infinity;
  /** The key that the dialog took last: held down, it goes on coming when nothing is asked any more. */
  taken: { key: string; at: number } | undefined;
  lastEscape: number | undefined;
  readonly #clock = new HandClock();
  readonly #router = new KeyRouter({ clock: this.#clock });
  readonly #place = {};
  /** About the key that is being pressed, and what came of it. */
  #looksAt: About = {};
  #effects: QueueEffect[] = [];
  #asks: string | undefined;
  #ids = 0;

  play(steps: { wait: number; tickLate: number; next: Happening }[]): void {
    for (const { wait, tickLate, next } of steps) {
      this.#passTime(wait, tickLate);
      this.#happen(next);
      assert(openRequests(this.queue).length <= QUEUE_LIMIT, "more requests than the limit");
      const open = openRequests(this.queue).map(({ request }) => request.id);
      assert.deepEqual(open.sort(), [...this.open.keys()].sort());
      if (open.length > 0) assert(countOf(this.queue).of >= open.length, "the count forgets a request");
    }
    assert.equal(this.inDraft + this.used, this.typed, "a key is lost or used twice");
    assert.equal(this.draft, this.expectedDraft);
  }

  #passTime(wait: number, tickLate: number): void {
    const until = this.now + wait;
    for (
      let due = nextTick(this.queue);
      due !== undefined && due + tickLate <= until;
      due = nextTick(this.queue)
    ) {
      this.#passTo(Math.max(this.now, due + tickLate));
      this.#send({ event: "tick", at: this.now });
    }
    this.#passTo(until);
  }

  #passTo(at: number): void {
    this.now = at;
    this.#clock.pass(at - this.#clock.now());
  }

  #happen(next: Happening): void {
    const at = this.now;
    const chosen = (which: number) => [...this.open.keys()][which % Math.max(1, this.open.size)] ?? "nobody";
    switch (next.what) {
      case "request": {
        const request = pending({
          id: `r${++this.#ids}`,
          input: { command: next.command },
          askedBy: [next.askedBy],
          ...(next.command === "echo hi" ? { rule: { ...PUSH_RULE, mode: "acceptEdits" as const } } : {}),
        });
        this.open.set(request.id, { request, arrived: at });
        this.#send({ event: "arrived", request, at });
        return;
      }
      case "request-again": {
        const old = this.open.get(chosen(next.which));
        if (!old) return;
        const request = { ...old.request, input: { command: next.command } };
        const same = inputHashOf(old.request.input) === inputHashOf(request.input);
        this.open.set(request.id, { request, arrived: same ? old.arrived : at });
        this.#send({ event: "arrived", request, at }, { mayClose: same ? undefined : request.id });
        return;
      }
      case "cancel": {
        const id = chosen(next.which);
        this.open.delete(id);
        this.#send({ event: "gone", id, at }, { mayClose: id });
        return;
      }
      case "answer-elsewhere": {
        const id = chosen(next.which);
        const taken = this.open.has(id) && !this.queue.paused;
        const { decision } = next;
        const effects = this.#send({ event: "answered", id, answer: { decision }, at }, { mayClose: id });
        assert.equal(effects.filter((effect) => effect.do === "answer").length, taken ? 1 : 0);
        return;
      }
      case "rule-kept":
      case "rule-not-kept":
        return this.#settleRule(next.what);
      case "key":
        return this.#press(next.typed, this.screens.at(-1 - next.lag) ?? this.screens[0]);
      default:
        this.#send({ event: next.what === "pause" ? "paused" : "resumed", at });
    }
  }

  /** The oldest rule that is on its way reaches the disk, or does not. */
  #settleRule(event: "rule-kept" | "rule-not-kept"): void {
    const kept = this.keeping.shift();
    if (!kept) return;
    const before = this.queue;
    const isAsked = before.visible?.dialog.mode.is === "keeping" && before.visible.request.id === kept.id;
    const sameInput = before.visible?.inputHash === kept.inputHash;
    const effects = this.#send(
      event === "rule-kept"
        ? { event, kept, at: this.now }
        : { event, kept, why: "the disk is full", at: this.now },
      { mayClose: kept.id },
    );
    const answers = effects.filter((effect) => effect.do === "answer");
    const answered = event === "rule-kept" && isAsked && sameInput && !before.paused;
    assert.deepEqual(
      answers.map(({ id, answer }) => `${id} ${answer.decision}`),
      answered ? [`${kept.id} allow`] : [],
    );
  }

  #press(typed: Typed, seen: Seen | undefined): void {
    const at = this.now;
    const before = this.queue;
    const wasVisible = before.visible;
    const pressed = readKey(typed);
    const onScreen =
      wasVisible !== undefined &&
      seen?.id === wasVisible.request.id &&
      seen.inputHash === wasVisible.inputHash;
    const moves = kindOf(typed) === "moves";
    const looks = moves && this.drawnAt !== undefined && at - this.lastTyped >= 700;
    const early = !onScreen || before.paused || (at < this.listensFrom && !looks);
    const secondEscape =
      pressed.is === "escape" &&
      wasVisible !== undefined &&
      (pressed.times === 2 || (this.lastEscape !== undefined && at - this.lastEscape <= 1000));
    if (!moves) this.lastTyped = at;
    const acts = nameOfActing(typed);
    const isHeld = acts !== undefined && acts === this.taken?.key && at - this.taken.at < 700;
    const effects = this.#type(typed, { mayClose: wasVisible?.request.id, early, seen });

    this.typed += 1;
    const answers = effects.filter((effect) => effect.do === "answer");
    const interrupts = effects.filter((effect) => effect.do === "interrupt");
    const drafts = effects.filter((effect) => effect.do === "to-draft");
    // Words that were typed for the request and never sent come along when it closes; they are not this key.
    const thisKey = drafts.filter((effect) => effect.typed === typed);
    if (thisKey.length > 0) this.lastTyped = at;
    const modes = effects.filter((effect) => effect.do === "set-mode");
    assert(modes.length === 0 || !early, "an early key changed the mode");
    const changed =
      this.queue.visible?.dialog !== wasVisible?.dialog || answers.length > 0 || modes.length > 0;
    assert.equal(interrupts.length, secondEscape ? 1 : 0, "only a second Esc ends the turn");
    if (thisKey.length > 0) {
      assert.deepEqual(thisKey, [{ do: "to-draft", text: textOf(typed), typed }]);
      assert.equal(answers.length + interrupts.length, 0, "a key went to the draft and did something");
      assert.equal(this.queue.visible?.dialog, wasVisible?.dialog);
      this.inDraft += 1;
      this.listensFrom = Math.max((this.drawnAt ?? Infinity) + 400, at + 700);
      this.expectedDraft += textOf(typed);
      this.taken = isHeld && early ? { key: acts, at } : undefined;
    } else if (isHeld && wasVisible === undefined) {
      assert.equal(effects.length, 0, "a key that is held down did something in the prompt");
      this.taken = { key: acts, at };
      this.used += 1;
    } else {
      this.taken = acts === undefined ? undefined : { key: acts, at };
      assert(!early || secondEscape, "an early key did not go to the draft");
      assert(changed || interrupts.length > 0 || isHasty(before), "a key did nothing");
      this.used += 1;
      const sent = answers.map(({ answer }) => ("reason" in answer ? answer.reason : undefined))[0];
      if (wasVisible?.dialog.mode.is === "writing" && interrupts.length === 0) this.#write(pressed, sent);
      this.#closeWords(wasVisible?.request.id);
    }
    const leftTheWords = wasVisible?.dialog.mode.is === "writing" && thisKey.length === 0;
    if (pressed.is === "escape" && wasVisible)
      this.lastEscape = secondEscape ? undefined : leftTheWords ? this.lastEscape : at;
  }

  /** Through the keyboard, as on the screen: what it keeps from the queue goes to the draft like what the queue sends there. */
  #type(typed: Typed, about: About): QueueEffect[] {
    this.#looksAt = about;
    this.#effects = [];
    this.#router.typed(typed);
    for (const one of this.#router.takeEarly()) {
      const effect: QueueEffect = { do: "to-draft", text: textOf(one), typed: one };
      this.#check(effect, about);
      this.#effects.push(effect);
    }
    return this.#effects;
  }

  #write(pressed: Pressed, sent: string | undefined): void {
    if (pressed.is === "character") this.words += pressed.character;
    // Only a key can send; a line that was pasted waits for Enter.
    if (pressed.is === "text") this.words += pressed.text.replace(/\r$/, "");
    if (pressed.is === "key" && pressed.name === "backspace") this.words = this.words.slice(0, -1);
    if (sent === undefined) return;
    assert.equal(sent, this.words);
    this.words = "";
  }

  #closeWords(id: string | undefined): void {
    if (this.queue.visible?.request.id === id) return;
    if (this.words.trim() !== "") this.expectedDraft += this.words;
    this.words = "";
  }

  #send(event: QueueEvent, about: About = {}): QueueEffect[] {
    const before = this.queue.visible;
    const [queue, effects] = updateQueue(this.queue, event);
    this.queue = queue;
    for (const effect of effects) {
      if (effect.do === "to-draft") this.#sendToDraft(effect.typed);
      if (event.event === "typed") this.#checkSeen(effect, readKey(event.typed));
      this.#check(effect, about);
    }
    const after = queue.visible;
    if (event.event !== "typed") this.#closeWords(before?.request.id);
    if (before && after?.request.id !== before.request.id) assert.equal(about.mayClose, before.request.id);
    if (after && after.request.id !== before?.request.id) {
      const { arrived = Infinity } = this.open.get(after.request.id) ?? {};
      assert(event.at - arrived >= 150, "a request was shown too soon");
    }
    this.#draw();
    return effects;
  }

  /** The keyboard hands it on, and waits for a pause again. */
  #sendToDraft(typed: Typed): void {
    this.#router.toDraft(typed);
    assert.deepEqual(this.#router.takeEarly(), [typed]);
    this.lastTyped = this.now;
    this.listensFrom = Math.max((this.drawnAt ?? Infinity) + 400, this.now + 700);
  }

  #check(effect: QueueEffect, about: { early?: boolean; seen?: Seen | undefined }): void {
    if (effect.do === "to-draft") this.draft += effect.text;
    if (effect.do === "keep-rule") {
      assert.equal(about.early, false, "an early key kept a rule");
      this.keeping.push(effect.kept);
    }
    if (effect.do !== "answer") return;
    const asked = this.open.get(effect.id);
    assert(asked, "an answer to a request that is not open");
    assert.equal(effect.inputHash, inputHashOf(asked.request.input));
    assert(!this.answers.includes(`${effect.id} ${effect.inputHash}`), "answered twice");
    if ("early" in about) {
      assert.equal(about.early, false, "an early key answered");
      const { id, inputHash } = about.seen ?? {};
      assert.deepEqual({ id, inputHash }, { id: effect.id, inputHash: effect.inputHash });
    }
    this.answers.push(`${effect.id} ${effect.inputHash}`);
    this.open.delete(effect.id);
  }

  /** What a key lets run was on the screen before, every row of it, unless the key was the one for "unseen". */
  #checkSeen(effect: QueueEffect, pressed: Pressed): void {
    const allows = effect.do === "answer" && effect.answer.decision === "allow";
    if (!allows && effect.do !== "keep-rule") return;
    if (pressed.is === "character" && pressed.character === "c") return;
    const { id, inputHash } = effect.do === "keep-rule" ? effect.kept : effect;
    const rows = this.shown.get(`${id} ${inputHash}`) ?? new Set();
    const command = String(this.open.get(id)?.request.input["command"]);
    for (let row = 0; row < rowsOf(command); row++) assert(rows.has(row), `row ${row} was never shown`);
    if (rowsOf(command) > PAGE) this.readWhole += 1;
  }

  /** The screen follows the queue at once; people look at it later. */
  #draw(): void {
    const { visible } = this.queue;
    const seen = visible && screenOf(visible);
    if (seen) {
      const name = `${seen.id} ${seen.inputHash}`;
      const rows = this.shown.get(name) ?? new Set();
      for (let row = seen.top; row < seen.top + seen.page; row++) rows.add(row);
      this.shown.set(name, rows);
    }
    const last = this.screens.at(-1);
    if (last?.id !== seen?.id || last?.inputHash !== seen?.inputHash || last?.top !== seen?.top)
      this.screens.push(seen);
    this.#cover(asksOf(this.queue));
  }

  #cover(asks: string | undefined): void {
    const isAnother = asks !== this.#asks;
    this.#asks = asks;
    if (asks === undefined) {
      this.drawnAt = undefined;
      return this.#router.uncover(this.#place);
    }
    this.#router.cover(this.#place, {
      asks,
      came: "by-itself",
      onKey: (typed) => {
        const { seen } = this.#looksAt;
        this.#effects.push(...this.#send({ event: "typed", typed, seen, at: this.now }, this.#looksAt));
        return asksOf(this.queue);
      },
      onEarly: (typed) => {
        const effects = this.#send({ event: "early", typed, at: this.now }, this.#looksAt);
        this.#effects.push(...effects);
        return effects.length > 0;
      },
    });
    this.#router.drawn(this.#place, asks);
    if (!isAnother) return;
    this.drawnAt = this.now;
    this.listensFrom = Math.max(this.now + 400, this.lastTyped + 700);
  }
}

/** The one thing a dialog takes without doing anything: a hasty yes where a confirmation is wanted. */
function isHasty({ visible }: Queue): boolean {
  return visible?.dialog.mode.is === "confirming";
}

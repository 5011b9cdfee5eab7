import { setTimeout as sleep } from "node:timers/promises";
import { cleanup, render } from "ink-testing-library";
import { useState, type ReactNode } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { ALL_CHOICES, choicesFor } from "../../src/asking/choices.ts";
import type { Typed } from "../../src/asking/typed.ts";
import { typedText } from "../../src/input/typedText.ts";
import { COVERS } from "../../src/keyboard/covers.ts";
import { searchFor } from "../../src/panels/searchList.ts";
import { HandClock, TestKeys } from "../support/keyboard.tsx";
import { randomFrom } from "../support/random.ts";
import { sequenceOf } from "../terminal/support/keys.ts";
import { QUESTIONS, SAMPLES, type CoverSample } from "./samples.tsx";

afterEach(() => cleanup());

const SEED = Number(process.env["WAVE_SEED"]) || Date.now() % 1_000_000;
const RATES = [2, 9, 30];
/** Until a frame is on the terminal. */
const DRAWING_MS = 60;

/** A key as a terminal sends it and as Ink hands it over, and whether it is text. */
interface Piece {
  bytes: string;
  typed: Typed;
  isText: boolean;
}

const key = (bytes: string, flags: Extract<Typed, { by: "key" }>["key"]): Piece => ({
  bytes,
  typed: { by: "key", input: "", key: flags },
  isText: false,
});
const text = (bytes: string): Piece => ({ bytes, typed: { by: "key", input: bytes, key: {} }, isText: true });

/** Every letter, whatever it may answer one day; those that answer something today more often. */
const LETTERS = [
  ...Array.from("ynspdrwchtq YN ynspdrwchtq abcdefghijklmnopqrstuvwxyz 0é漢😀"),
  "e\u0301",
].map(text);
const OTHERS: Piece[] = [
  { bytes: "\u001b[200~pasted\ry\u001b[201~", typed: { by: "paste", text: "pasted\ry" }, isText: true },
  key("\r", { return: true }),
  key("\u001b[Z", { tab: true, shift: true }),
  key("\u001b[B", { downArrow: true }),
  key("\u001b[6~", { pageDown: true }),
  key("\u007f", { backspace: true }),
];

/** Somebody at a keyboard, with a prompt that something comes over when the test says so. */
class Typist {
  readonly clock = new HandClock();
  readonly keys = new TestKeys({ clock: this.clock, drawingMs: DRAWING_MS });
  readonly acts: string[] = [];
  readonly #screen: ReturnType<typeof render>;
  #show: (isShown: boolean) => void = () => {};

  constructor(sample: CoverSample) {
    const node = sample.draw((what) => this.acts.push(what), this.clock);
    const Later = (): ReactNode => {
      const [isShown, show] = useState(false);
      this.#show = show;
      return isShown ? node : null;
    };
    this.#screen = render(this.keys.around(<Later />));
  }

  async appear(): Promise<void> {
    this.#show(true);
    await this.#settled();
  }

  async press(bytes: string): Promise<void> {
    this.#screen.stdin.write(bytes);
    // Ink holds it back: it may be the beginning of something longer.
    if (bytes === "\u001b") await sleep(40);
    await this.#settled();
  }

  async wait(ms: number): Promise<void> {
    this.clock.pass(ms);
    await this.#settled();
  }

  frame = () => this.#screen.lastFrame() ?? "";

  /** What was typed is drawn, and so is what comes of that. */
  async #settled(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

const runs = Object.entries(SAMPLES).flatMap(([name, all]) =>
  all.flatMap((sample) => RATES.map((rate) => ({ name, rate, ...sample }))),
);

describe(`typing over what covers the prompt (seed ${SEED})`, () => {
  it("is tried with everything that takes keys", () => {
    expect(Object.keys(SAMPLES).sort()).toEqual(Object.keys(COVERS).sort());
    for (const [name, all] of Object.entries(SAMPLES)) expect(all, name).not.toEqual([]);
  });

  it("is tried with every choice that a question offers", () => {
    const offered = QUESTIONS.flatMap(({ request: { origin, rule, failedHooks, wants } }) =>
      choicesFor({ origin, rule, failedHooks, wants }).map(({ choice }) => choice),
    );
    expect([...new Set(offered)].sort()).toEqual(ALL_CHOICES.map(({ choice }) => choice).sort());
  });

  it.each(runs)(
    "$rate keys a second answer nothing and lose nothing: $name, $what (T71, T72)",
    async ({ rate, ...sample }) => {
      const typist = new Typist(sample);
      const random = randomFrom(SEED + rate);
      const hasLine = sample.letters === "are-typed";
      const others = hasLine ? OTHERS.slice(0, 2) : OTHERS;
      const typed: Piece[] = [];
      const appearsAt = random(8);
      for (let number = 0; number < 12 + rate / 2; number++) {
        if (number === appearsAt) await typist.appear();
        // Whoever begins with an arrow in a panel of their own does not type over it.
        const from = random(4) === 0 && number !== appearsAt ? others : LETTERS;
        const piece = from[random(from.length)] ?? text("y");
        typed.push(piece);
        await typist.press(piece.bytes);
        // A third faster or slower, as hands are.
        await typist.wait((1_000 / rate) * (0.7 + random(60) / 100));
      }
      const { acts, keys } = typist;
      expect(acts.filter((what) => what !== "close")).toEqual([]);

      const [before, over] = [typed.slice(0, appearsAt), typed.slice(appearsAt)];
      // Over what came by itself every key is one of the text; in what somebody opened only text is.
      const meant = sample.came === "by-itself" ? over : hasLine ? [] : over.filter(({ isText }) => isText);
      expect(typedText(keys.received)).toBe(textIn([...before, ...meant]));
      if (hasLine) expect(typist.frame()).toContain(`${lineOf(over).slice(-30)}▏`);

      // It is not deaf, and a key that is held down answers nothing more.
      for (const name of sample.answer) {
        await typist.wait(DRAWING_MS);
        await typist.wait(700);
        await typist.press(bytesOf(name));
      }
      expect(acts.length).toBeGreaterThan(0);
      const answered = acts.length;
      for (const repeat of [660, 33, 33, 33, 33, 33]) {
        await typist.wait(repeat);
        await typist.press(bytesOf(sample.answer.at(-1) ?? "enter"));
      }
      if (sample.came === "by-itself") expect(acts).toHaveLength(answered);
    },
  );
});

const textIn = (pieces: readonly Piece[]) => typedText(pieces.map(({ typed }) => typed));

/** What a line to search in makes of it. */
const lineOf = (pieces: readonly Piece[]) =>
  pieces
    .filter(({ isText }) => isText)
    .reduce(
      (line, { typed }) => searchFor(line + (typed.by === "paste" ? typed.text : typed.input)).query,
      "",
    );

/** A letter sends itself. */
const bytesOf = (name: CoverSample["answer"][number]) => (name.length === 1 ? name : sequenceOf(name));

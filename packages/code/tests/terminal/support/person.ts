import { setTimeout as sleep } from "node:timers/promises";
import type { ScreenSession } from "./screenSession.ts";

/** What is on the screen, for somebody who is asked. */
export type Sight =
  | { sees: "nothing" }
  /** `about`: the file in the question. `takesKeys`: it says what keys it takes, instead of where they go. */
  | { sees: "question"; about: string; takesKeys: boolean };

/** What a person did, as far as it can be checked afterwards. */
export interface Deeds {
  /** To which question, and how. An answer that came too late, because the question was gone by then, changes nothing. */
  answers: { about: string; decision: "allow" | "deny" }[];
  /**
   * What went to the keyboard, in its order. The key of an answer is no part of the text, unless the question was gone or somebody
   * was still typing: then it is one more letter.
   */
  typed: { text: string; is: "text" | "answer" }[];
}

/** No key of a question, and nothing that a prompt takes for a command at its beginning. */
const NOISE = ["q", "z", "0", "7", "é", "漢", "😀", "x q", "zz\u00a0z", "Q9"];

/** A second Ctrl-C within two seconds leaves Wave, and that is not what this is about. */
const INTERRUPT_AGAIN_MS = 3_000;

const MANY_STEPS = 200;

/** Types, answers and gives up at random, but like somebody who looks: an answer is pressed only when a question asks for one. */
export class Person {
  readonly #session: ScreenSession;
  readonly #random: (below: number) => number;
  #interruptedAt = -Infinity;

  constructor(session: ScreenSession, random: (below: number) => number) {
    this.#session = session;
    this.#random = random;
  }

  /** Until `isOver`. */
  async act(isOver: () => boolean): Promise<Deeds> {
    const deeds: Deeds = { answers: [], typed: [] };
    for (let steps = 0; !isOver(); steps++) {
      if (steps > MANY_STEPS) throw new Error(`it never ends:\n${this.#session.wave.screen().join("\n")}`);
      const sight = this.look();
      const asked = sight.sees === "question" && sight.takesKeys;
      if (asked && this.#random(3) > 0) await this.#answer(sight.about, deeds);
      else if (this.#random(25) === 0) await this.#interrupt();
      else if (this.#random(3) === 0) await this.#type(sight, deeds);
      else await sleep(this.#random(250));
    }
    return deeds;
  }

  look(): Sight {
    const screen = this.#session.wave.screen().join("\n");
    const about = /^│ │ \S*\/(\S+\.txt)\s+│$/m.exec(screen)?.[1];
    if (about === undefined || !screen.includes("wants to read a file")) return { sees: "nothing" };
    return { sees: "question", about, takesKeys: screen.includes("Enter choose") };
  }

  async #answer(about: string, deeds: Deeds): Promise<void> {
    const { wave } = this.#session;
    const way = this.#random(10);
    const key = way < 6 ? "y" : way < 8 ? "n" : "esc";
    deeds.answers.push({ about, decision: key === "y" ? "allow" : "deny" });
    if (key === "esc") await wave.press("esc");
    else {
      deeds.typed.push({ text: key, is: "answer" });
      wave.type(key);
    }
    await this.#until((sight) => sight.sees === "nothing" || sight.about !== about);
  }

  async #interrupt(): Promise<void> {
    if (performance.now() - this.#interruptedAt < INTERRUPT_AGAIN_MS) return;
    this.#interruptedAt = performance.now();
    await this.#session.wave.press("ctrl-c");
    await sleep(50);
  }

  /** In one piece, key by key, or pasted. */
  async #type(sight: Sight, deeds: Deeds): Promise<void> {
    const { wave } = this.#session;
    const words = Array.from({ length: 1 + this.#random(4) }, () => NOISE[this.#random(NOISE.length)] ?? "q");
    const way = this.#random(3);
    const text = way === 2 ? words.join("\n") : words.join("");
    deeds.typed.push({ text, is: "text" });
    if (way === 2) wave.paste(text);
    else if (way === 1) wave.type(text);
    else {
      for (const word of words) {
        wave.type(word);
        await sleep(this.#random(60));
      }
    }
    // Whoever types while a question takes keys sees that it stops taking them.
    if (sight.sees === "question" && sight.takesKeys)
      await this.#until((now) => now.sees === "nothing" || now.about !== sight.about || !now.takesKeys);
  }

  /** Does not wait for ever: what was pressed may have gone elsewhere, and then there is nothing to see. */
  async #until(holds: (sight: Sight) => boolean): Promise<void> {
    for (let looks = 0; looks < 20 && !holds(this.look()); looks++) await sleep(50);
  }
}

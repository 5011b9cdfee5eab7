import { setTimeout as sleep } from "node:timers/promises";
import type { Sink } from "../../output/sink.ts";
import type { Colour, Paint } from "../../output/paint.ts";
import { printable } from "../../utils/printable.ts";
import { wrapText } from "../../utils/wrapText.ts";

/** One paragraph of the demo: who speaks, and what. */
export interface Line {
  who: string;
  colour: Colour;
  text: string;
}

const MARGIN = 9;
const NARROW = 50;
/** About as fast as people read, so that the whole demo takes a minute. */
const MS_PER_CHARACTER = 14;
const LONGEST_PAUSE_MS = 2500;

/** Shows paragraphs one after the other: paced on a terminal, at once in a pipe. */
export class Stage {
  readonly #sink: Sink;
  readonly #paint: Paint;
  readonly #signal: AbortSignal;
  #shown: Promise<void> = Promise.resolve();

  constructor(options: { sink: Sink; paint: Paint; signal: AbortSignal }) {
    this.#sink = options.sink;
    this.#paint = options.paint;
    this.#signal = options.signal;
  }

  heading(text: string): void {
    const width = Math.min(this.#sink.columns, 80);
    const lines = wrapText(text, width);
    this.#show(`\n${lines.map((line) => this.#paint("bold", line)).join("\n")}\n`, text.length);
  }

  say({ who, colour, text }: Line): void {
    const safe = printable(text);
    // On a narrow terminal a margin would leave no room for words: the speaker gets a line of its own.
    const narrow = this.#sink.columns < NARROW;
    const margin = narrow ? 2 : MARGIN;
    const lines = wrapText(safe, Math.min(this.#sink.columns, 80) - margin);
    const label = this.#paint(colour, narrow ? who : who.padEnd(margin));
    const body = lines.map((line) => " ".repeat(margin) + line);
    const shown = narrow ? [label, ...body] : [label + (lines[0] ?? ""), ...body.slice(1)];
    this.#show(`${shown.map((line) => line.trimEnd()).join("\n")}\n`, safe.length);
  }

  plain(text: string): void {
    const lines = wrapText(text, Math.min(this.#sink.columns, 80));
    this.#show(`${lines.join("\n")}\n`, text.length);
  }

  /** Resolves when everything said so far has been shown. */
  async caughtUp(): Promise<void> {
    await this.#shown;
  }

  #show(text: string, length: number): void {
    this.#shown = this.#shown.then(async () => {
      if (this.#signal.aborted) return;
      this.#sink.write(text);
      if (this.#sink.isTTY) await this.#pause(Math.min(length * MS_PER_CHARACTER, LONGEST_PAUSE_MS));
    });
  }

  async #pause(ms: number): Promise<void> {
    try {
      await sleep(ms, undefined, { signal: this.#signal });
    } catch {
      // The viewer left: nothing more is shown.
    }
  }
}

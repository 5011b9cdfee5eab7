import { finishedRows, withoutEndOfCode } from "./finishedRows.ts";
import { renderMarkdown } from "./markdown.ts";

/** A part of an answer that is printed. */
export interface PrintedPart {
  text: string;
  number: number;
  /** Whether a blank row stands before it; undefined for the first part, which stands like any other text. */
  gap: boolean | undefined;
}

/** An item of a list, or a row of a paragraph; a table is longer. */
const SHORT_ROWS = 4;

/** An answer while it streams in: its rows are printed as soon as they cannot change any more. */
export class GrowingText {
  /** What of the answer has been printed. */
  #printed = "";
  /** Stands before what has not: the line that opens a block of code again. */
  #opening = "";
  #gap: boolean | undefined;
  #parts = 0;
  #isTooSlow = false;
  #triedAt = -1;
  #isShort = true;
  #isStuck = false;

  /**
   * What is left is a few rows. They are drawn when they are whole: in a window that changes, live rows may stay there twice. When
   * nothing comes for a while, what there is of them is shown all the same.
   */
  get isToCome(): boolean {
    return this.#isShort && !this.#isStuck;
  }

  /** No word came for a while. */
  stuck(): void {
    this.#isStuck = true;
  }

  /** The rows that are new, of the answer as far as it is there. */
  grow(whole: string, columns: number): PrintedPart[] {
    // The answer began anew.
    if (!whole.startsWith(this.#printed)) this.#begin();
    const parts: PrintedPart[] = [];
    if (!this.#isWorthTrying(whole)) return parts;
    const text = whole.slice(this.#printed.length);
    if (this.#opening === "" && text.length <= columns && !text.includes("\n")) return parts;
    for (;;) {
      const { text: unprinted, gap } = this.rest(whole);
      const split = finishedRows(unprinted, columns);
      if (split === "too-slow") this.#isTooSlow = true;
      if (typeof split === "string") break;
      parts.push({ text: split.finished, number: ++this.#parts, gap });
      this.#printed = whole.slice(0, whole.length - split.rest.length);
      this.#opening = split.opening;
      this.#gap = split.gap;
    }
    this.#triedAt = whole.length;
    const left = this.rest(whole).text;
    const rows = renderMarkdown(left, { width: columns, streaming: true }).length;
    this.#isShort = !this.#isTooSlow && rows <= SHORT_ROWS;
    if (parts.length > 0) this.#isStuck = false;
    return parts;
  }

  /** What has not been printed of it. */
  rest(whole: string): { text: string; gap: boolean | undefined } {
    if (!whole.startsWith(this.#printed)) return { text: whole, gap: undefined };
    const text = this.#opening + whole.slice(this.#printed.length);
    const behindCode = this.#opening === "" ? text : withoutEndOfCode(text);
    return { text: behindCode, gap: this.#gap === undefined ? undefined : this.#gap || behindCode !== text };
  }

  #begin(): void {
    this.#printed = "";
    this.#opening = "";
    this.#gap = undefined;
    this.#triedAt = -1;
  }

  /** A long rest, such as a table, is not read again for every word. */
  #isWorthTrying(whole: string): boolean {
    const grown = whole.length - this.#triedAt;
    return !this.#isTooSlow && grown >= Math.max(1, (whole.length - this.#printed.length) / 50);
  }
}

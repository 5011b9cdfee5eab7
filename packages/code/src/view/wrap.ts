import { headOf, lineWidth, splitLines, widthOf, type Line, type Span } from "./span.ts";

/** Breaks at blanks so that no line is wider than `width`; a longer word is cut. Line breaks of the text stay. */
export function wrapSpans(spans: readonly Span[], width: number): Line[] {
  const room = Math.max(1, width);
  return splitLines(spans).flatMap((line) => (lineWidth(line) <= room ? [line] : fill(wordsOf(line), room)));
}

/** Breaks exactly at the edge: for code, where every blank counts. */
export function hardWrap(spans: readonly Span[], width: number): Line[] {
  const room = Math.max(1, width);
  return splitLines(spans).flatMap((line) => {
    if (lineWidth(line) <= room) return [line];
    const rows = new Rows(room);
    for (const one of line) rows.pour(one);
    return rows.lines;
  });
}

/** Blanks, or what stands between them; a word may change its look in the middle. */
interface Word {
  blank: boolean;
  spans: Span[];
}

function wordsOf(line: Line): Word[] {
  const words: Word[] = [];
  for (const one of line) {
    for (const [text] of one.text.matchAll(/ +|[^ ]+/g)) {
      const blank = text.startsWith(" ");
      const last = words.at(-1);
      if (last?.blank === blank) last.spans.push({ ...one, text });
      else words.push({ blank, spans: [{ ...one, text }] });
    }
  }
  return words;
}

function fill(words: readonly Word[], width: number): Line[] {
  const rows = new Rows(width);
  let gap: Word | undefined;
  for (const word of words) {
    if (word.blank) {
      gap = word;
      continue;
    }
    const size = lineWidth(word.spans);
    const before = gap ? lineWidth(gap.spans) : 0;
    const fits = rows.used + before + size <= width;
    // A word that fits on no line begins on this one, unless hardly anything of it would.
    const begins = size > width && rows.used + before + 8 <= width;
    // At the beginning there is nothing to break off: the blanks are an indentation.
    if (gap && (fits || begins || (rows.used === 0 && before < width)))
      for (const one of gap.spans) rows.pour(one);
    else if (rows.used > 0) rows.next();
    for (const one of word.spans) rows.pour(one);
    gap = undefined;
  }
  return rows.lines;
}

class Rows {
  readonly lines: Span[][] = [[]];
  used = 0;
  readonly #width: number;

  constructor(width: number) {
    this.#width = width;
  }

  next(): void {
    this.lines.push([]);
    this.used = 0;
  }

  /** Adds text, going to a new row wherever this one is full. */
  pour(one: Span): void {
    let rest = one.text;
    while (rest !== "") {
      let head = headOf(rest, this.#width - this.used);
      if (head === "" && this.used > 0) {
        this.next();
        continue;
      }
      // A character wider than the whole row: it has to go somewhere.
      if (head === "") head = String.fromCodePoint(rest.codePointAt(0) ?? 0);
      this.lines.at(-1)?.push({ ...one, text: head });
      this.used += widthOf(head);
      rest = rest.slice(head.length);
    }
  }
}

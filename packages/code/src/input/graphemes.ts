const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** A word that is longer than this is crossed in several steps. */
const WORD_REACH = 2_000;

/** The boundary at or after `index`. Only the line around it is looked at: a line break always ends a grapheme. */
export function boundaryAfter(text: string, index: number): number {
  return boundaries(text, index).after;
}

/** The boundary at or before `index`. */
export function boundaryBefore(text: string, index: number): number {
  return boundaries(text, index).before;
}

export function nextGrapheme(text: string, index: number): number {
  return index >= text.length ? text.length : boundaryAfter(text, index + 1);
}

export function previousGrapheme(text: string, index: number): number {
  return index <= 0 ? 0 : boundaryBefore(text, index - 1);
}

export function graphemesOf(text: string): Iterable<{ segment: string; index: number }> {
  return graphemes.segment(text);
}

/** Where the word before `index` begins. `floor`: no further than this. */
export function wordStart(text: string, index: number, floor: number): number {
  const from = boundaryBefore(text, Math.max(floor, index - WORD_REACH));
  let start = from;
  for (const word of words.segment(text.slice(from, index))) {
    if (word.isWordLike) start = from + word.index;
  }
  return boundaryBefore(text, start);
}

/** Where the word at or after `index` ends. `ceiling`: no further than this. */
export function wordEnd(text: string, index: number, ceiling: number): number {
  const to = boundaryAfter(text, Math.min(ceiling, index + WORD_REACH));
  for (const word of words.segment(text.slice(index, to))) {
    if (word.isWordLike) return boundaryAfter(text, index + word.index + word.segment.length);
  }
  return to;
}

function boundaries(text: string, index: number): { before: number; after: number } {
  if (index <= 0) return { before: 0, after: 0 };
  if (index >= text.length) return { before: text.length, after: text.length };
  const lineStart = text.lastIndexOf("\n", index - 1) + 1;
  if (lineStart === index) return { before: index, after: index };
  const lineBreak = text.indexOf("\n", index);
  if (lineBreak === index) return { before: index, after: index };
  const line = text.slice(lineStart, lineBreak === -1 ? text.length : lineBreak);
  const inside = graphemes.segment(line).containing(index - lineStart);
  if (inside === undefined) return { before: index, after: index };
  const before = lineStart + inside.index;
  return before === index ? { before, after: index } : { before, after: before + inside.segment.length };
}

import { isUnknown } from "./unknownText.ts";

/** What separates the name of a file from the rest of a word: `--file=x`, `@x`, `src:dst`, `type=bind,src=x`. */
const SEPARATORS = /[=:,;@+%|&<>(){}[\]$*?!#\\'"`]+/;
/** In text that a program reads as code of its own, names stand between whatever its language has. */
const BETWEEN_NAMES = /[^\w./~@+\uE000-\uE003-]+/;
const QUOTED = /(["'`])((?:(?!\1)[^\n\\])+)\1/g;

/** As many letters may stand before a value in one word: `-aFx` is `-a -F x`. */
const MOST_LETTERS = 24;
const MOST_CUTS = 24;
/** No name of a file is longer; a path may be. */
const LONGEST = 1_024;

/**
 * What in a word of a program that nobody can see through may be the name of a file: all of it, what stands behind an option or a
 * sign, and in text what stands in quotes. Whether there is such a file is for the disk to say: the words of a commit's message
 * are no names, and `git commit -m secrets` may be one.
 */
export function possibleFiles(text: string, asCode: boolean): string[] {
  const quotes = [...text.matchAll(QUOTED)].map(([, , inside = ""]) => inside);
  const isWord = !/\s/.test(text);
  const pieces = [...(asCode ? text.split(BETWEEN_NAMES) : []), ...(isWord ? text.split(SEPARATORS) : [])];
  const all = [text, ...behindSigns(text), ...behindLetters(text), ...quotes, ...pieces];
  return [...new Set(all)].filter(isName);
}

/** `--file=a=b` may name `a=b`, and `b`. */
function behindSigns(text: string): string[] {
  const signs = [...text.slice(0, LONGEST).matchAll(/[=:,@+]/g)].slice(0, MOST_CUTS);
  return signs.map(({ index }) => text.slice(index + 1));
}

function behindLetters(text: string): string[] {
  const letters = /^-[A-Za-z0-9]+/.exec(text)?.[0].length ?? 0;
  const most = Math.min(letters, MOST_LETTERS, text.length - 1);
  return Array.from({ length: Math.max(most - 1, 0) }, (_, at) => text.slice(at + 2));
}

const isName = (text: string) =>
  text.length <= LONGEST && !/^(-.*|\.{0,2}|\/+)$/s.test(text) && !isUnknown(text) && !text.includes("\0");

/** What in a text could be a path: names with a slash or a dot in them, between quotes, colons and the like. */
export function pathsIn(text: string): string[] {
  const pieces = text.split(/[\s'"`=:,;|&<>(){}[\]$*?!#\\\uE000-\uE003]+/);
  // `-o.envrc`: the value of an option of one letter may stand in the same word.
  const values = pieces.flatMap((piece) => /^-\w(.+)$/s.exec(piece)?.[1] ?? []);
  return [
    ...new Set(
      [...pieces, ...values].filter(
        (piece) => /[./~]/.test(piece) && !/^(\.|\.\.|-.*|\d[\d.]*)$/.test(piece),
      ),
    ),
  ];
}

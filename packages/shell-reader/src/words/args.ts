import type { Arg } from "./expand.ts";
import { GAP, isLiteral, piecesOf, shown } from "./unknownText.ts";
import type { ShellWord } from "./words.ts";

/** A word that is known to be this text. */
export const plainArg = (text: string): Arg => ({
  source: shown(text),
  texts: [text],
  many: !isLiteral(text),
});

/** A word of which nothing is known. */
export const anyArg = (source: string): Arg => ({ source, texts: [GAP.any], many: true });

/** What a program reads that another one makes while the line runs. */
export const unseenArg = (source: string): Arg => ({ ...anyArg(source), from: "input" });

/** A name in a folder. */
export function inside(folder: Arg, name: Arg): Arg {
  const texts = folder.texts.flatMap((outer) => name.texts.map((inner) => `${outer}/${inner}`));
  return { source: `${folder.source}/${name.source}`, texts, many: folder.many || name.many };
}

/** The last name of each path; undefined in place of one that has none, such as `..` or `a/.`. */
export function lastName({ source, texts, many }: Arg): Arg | undefined {
  // Of one that ends in a slash there is none either.
  const names = texts.map((text) => text.slice(text.lastIndexOf("/") + 1));
  if (names.some((name) => name === "" || name === "." || name === "..")) return undefined;
  return { source, texts: names, many };
}

/** A word as rules see it. */
export function asWord(arg: Arg): ShellWord {
  const [only, ...others] = arg.texts;
  const isOne = only !== undefined && others.length === 0;
  return { text: arg.source, known: isOne && !(arg.many && isLiteral(only)) ? piecesOf(only) : ["", ""] };
}

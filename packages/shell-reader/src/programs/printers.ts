import { plainArg } from "../words/args.ts";
import type { Program } from "../walk/programCall.ts";
import { literalOf, type Arg } from "../words/expand.ts";
import { GAP, isUnknown } from "../words/unknownText.ts";

/** They print their words, whatever these look like: `echo "--- a ---"`. */
export const PRINTERS: Readonly<Record<string, Program>> = {
  echo: (call) => {
    call.prints = echoed(call.args);
    for (const arg of call.args) call.lists(arg);
  },
  // `-v` is no matter of printing, and looked at before.
  printf: (call) => {
    const [first, ...others] = call.args;
    call.prints = formatted(literalOf(first) === "--" ? others : call.args);
    for (const arg of call.args) call.lists(arg);
  },
};

/** What `echo` prints, for a program behind a pipe. Its options end at the first word that is none. */
function echoed(args: readonly Arg[]): readonly Arg[] {
  const begins = args.findIndex((arg) => !/^-[neE]+$/.test(literalOf(arg) ?? ""));
  const words = begins < 0 ? [] : args.slice(begins);
  // With -e, or because the shell is set so, a backslash begins another letter.
  const rewritten = words.some(({ texts }) => texts.some((text) => text.includes("\\")));
  return rewritten ? words.map(somehow) : words;
}

/** What `printf` prints, where its format is one of those that people use. */
function formatted(words: readonly Arg[]): readonly Arg[] {
  const [format, ...values] = words;
  const pattern = literalOf(format);
  const texts = values.map(literalOf);
  if (pattern !== undefined && texts.every((text) => text !== undefined)) {
    const output = printfOutput(pattern, texts);
    if (output !== undefined) return [plainArg(output)];
  }
  // One value a line, of which not all is known: `printf '%s\n' src/*.ts`.
  return /^%s(\\n|\\0| )$/.test(pattern ?? "") ? values : words.map(somehow);
}

/** No person prints more than this for another program to read. */
const LONGEST_OUTPUT = 131_072;

const MEANS: Readonly<Record<string, string>> = { "\\n": "\n", "\\t": "\t", "\\\\": "\\", "%%": "%" };

function printfOutput(format: string, values: readonly string[]): string | undefined {
  if (/%(?![s%])|\\(?![nt\\])/.test(format.replace(/%%|\\\\/g, ""))) return undefined;
  let next = 0;
  const round = () => format.replace(/%%|%s|\\./g, (found) => MEANS[found] ?? values[next++] ?? "");
  let output = round();
  // The format is used again until no value is left.
  while (next > 0 && next < values.length) {
    output += round();
    if (output.length > LONGEST_OUTPUT) return undefined;
  }
  return output;
}

/** The words are in it, in a form that only the program knows. */
const somehow = (arg: Arg): Arg => ({
  ...arg,
  texts: [...arg.texts, GAP.any],
  many: true,
  from: "input",
});

/** Where xargs cuts what it reads: at blanks, taking quotes and backslashes away; at whole lines as well; or only at these. */
export type Cuts = "blanks" | "lines and blanks" | "lines" | "nothing" | "elsewhere";

/** The words that xargs makes of a text. */
export function itemsOf(text: string, cuts: Cuts): string[] {
  if (isUnknown(text) || cuts === "nothing") return [text];
  if (cuts === "elsewhere") return [GAP.any];
  const lines = text.split("\n").filter((line) => line !== "");
  if (cuts === "lines") return lines;
  if (/['"\\]/.test(text)) return [GAP.any];
  const words = text.split(/\s+/).filter((word) => word !== "");
  return cuts === "blanks" ? words : [...new Set([...lines.map((line) => line.trim()), ...words])];
}

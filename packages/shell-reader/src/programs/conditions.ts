import type { ProgramCall } from "../walk/programCall.ts";
import { literalOf, type Arg } from "../words/expand.ts";
import { isLiteral } from "../words/unknownText.ts";

/**
 * `test` and `[`. With `-v` and `-R` they evaluate their operand, and an operand may run a command: `[ -v 'a[$(x)]' ]`. So it has to
 * be certain where the operators are: no word may become several, and no word that is not known may stand in the place of one.
 */
export function condition(call: ProgramCall): void {
  const why = whyEvaluates(call.name, call.args);
  if (why !== undefined) call.unclear(why);
  const words = call.args.map(literalOf);
  words.forEach((operator, at) => {
    if (!LOOKS_AT_FILES.test(operator ?? "")) return;
    const isBetween = COMPARES_FILES.test(operator ?? "");
    for (const operand of [isBetween ? call.args[at - 1] : undefined, call.args[at + 1]])
      if (operand) call.looksAt(operand);
  });
}

const COMPARES_FILES = /^-(nt|ot|ef)$/;
/** Operators that look at what is on the disk: with them one finds out which files there are. */
export const LOOKS_AT_FILES = /^-([a-hkprsuwxLNOGS]|nt|ot|ef)$/;

/** Why a test may evaluate an operand. */
export function whyEvaluates(name: string, args: readonly Arg[]): string | undefined {
  if (name !== "test" && name !== "[") return undefined;
  const words = name === "[" ? args.slice(0, -1) : args;
  if (words.some((arg) => arg.texts.some((text) => /^-[vR]$/.test(text))))
    return "test -v evaluates its operand";
  const several = words.find((arg) => arg.many && !arg.texts.every(isLiteral));
  if (several) return `${several.source} may be more than one word of a test`;
  return partsOf(words).every(hasKnownOperator) ? undefined : "a test may have an operator that is not known";
}

/** What stands between `-a` and `-o`. */
function partsOf(words: readonly Arg[]): Arg[][] {
  const parts: Arg[][] = [[]];
  for (const word of words)
    if (/^-[ao]$/.test(literalOf(word) ?? "")) parts.push([]);
    else if (!/^[()!]$/.test(literalOf(word) ?? "")) parts.at(-1)?.push(word);
  return parts;
}

/** One word is text, of two the first is the operator, of three the second. */
function hasKnownOperator(words: readonly Arg[]): boolean {
  if (words.every((word) => literalOf(word) !== undefined)) return true;
  return words.length < 2 || (words.length < 4 && literalOf(words[words.length - 2]) !== undefined);
}

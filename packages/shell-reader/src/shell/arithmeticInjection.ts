import type { Silent } from "../grammar/grammar.ts";
import type { SyntaxNode } from "unbash";
import { isCountedByBash } from "./bashVariables.ts";
import type { Beginning } from "./rebinding.ts";
import { readWord } from "../words/words.ts";

/**
 * bash takes an index, an offset and a number for a sum, a name in a sum for what the variable of that name holds, and that for a
 * sum again, in which an index may run a command: with `y='b[$(x)]'`, `a[y]=1` runs x. So two things are looked for: text that
 * would run something if it ever came into a sum, and anything that counts.
 */

/** `b[$(x)]`, also the second half of it; with what may stand in an index, and no more. */
function hasCommandInIndex(text: string): boolean {
  const closing = text.lastIndexOf("`");
  let from = 0;
  // Up to each bracket that closes an index, or to the end.
  for (const inside of text.split("]")) {
    const opens = (from === 0 ? /(?:^|\w)\[/ : /\w\[/).exec(inside);
    const index = opens ? inside.slice(opens.index + opens[0].length) : "";
    if (/\$\(|\$\{\w+@P/.test(index)) return true;
    const quote = index.indexOf("`");
    if (quote >= 0 && from + inside.length - index.length + quote < closing) return true;
    from += inside.length + 1;
  }
  return false;
}

/** Whether there is text in a node that runs a command as soon as somebody counts with it. */
export const holdsCommandInIndex = (node: SyntaxNode) => textsOf(node).some(hasCommandInIndex);

/** What stands there as it is, in quotes or not. */
function textsOf(node: SyntaxNode): readonly string[] {
  if (node.type === "Word") return readWord(node).known;
  if (node.type === "HereDocBody" && !node.parts) return [node.text];
  // `a[\$\(x\)]` is a pattern to bash, and its text where nothing is found.
  if (node.type === "Glob") return [node.text.replaceAll(/[\\'"]/g, "")];
  return node.type === "Literal" || node.type === "SingleQuoted" || node.type === "AnsiCQuoted"
    ? [node.value]
    : [];
}

export const EVALUATING_TESTS: ReadonlySet<string> = new Set([
  "-eq",
  "-ne",
  "-lt",
  "-le",
  "-gt",
  "-ge",
  "-v",
  "-R",
]);

/** `a[0]`, `a[@]`: there is nothing to count. */
const PLAIN_INDEX = /^(\d+|[@*])$/;

/** Whether bash counts where this stands. */
export function countsIn(node: SyntaxNode): boolean {
  switch (node.type) {
    case "ArithmeticExpansion":
    case "ArithmeticCommand":
    case "ArithmeticFor":
      return true;
    case "TestUnary":
    case "TestBinary":
      return EVALUATING_TESTS.has(node.operator);
    case "Assignment":
      return isCountedByBash(node.name) || (node.index !== undefined && !PLAIN_INDEX.test(node.index.text));
    case "For":
    case "Select":
      return isCountedByBash(node.name.value);
    case "Coproc":
      return isCountedByBash(node.name?.value ?? "");
    case "ArrayValue":
      return node.elements.some(({ text }) => text.startsWith("["));
    case "ParameterExpansion":
      return (
        (node.index !== undefined && !PLAIN_INDEX.test(node.index.text)) ||
        node.operation?.type === "Slice" ||
        (node.operation?.type === "Default" &&
          node.operation.operator.endsWith("=") &&
          isCountedByBash(node.parameter))
      );
    case "FileDescriptorVariable":
      return node.name.includes("[") || isCountedByBash(node.name);
    default:
      node satisfies Silent<
        "Script" | "Command" | "Function" | "Redirect" | "HereString" | "HereDoc" | "ExtendedGlob"
      >;
      return false;
  }
}

/** A name, and whether it is set: `RANDOM=x`, `-vRANDOM`, `RANDOM`. */
const NAMED = /^(?:-[vp])?([A-Za-z_]\w*)(?:\[|\+?=|$)/;

const DECLARING = new Set(["declare", "typeset", "local", "readonly", "export"]);
const NAMING = new Set(["read", "mapfile", "readarray", "getopts", "printf", "unset", "wait", "test", "["]);

/** Whether a builtin counts with its words: a whole number as the kind of a variable, or one with an index. */
export function countsByCall(name: string, args: readonly Beginning[]): boolean {
  if (name === "let") return true;
  if (!DECLARING.has(name) && !NAMING.has(name)) return false;
  return args.some(
    ({ begins, whole }) =>
      /^(-[vp])?\w+\[/.test(begins) ||
      isCountedByBash(NAMED.exec(begins)?.[1] ?? "") ||
      (DECLARING.has(name) && (/^[-+]\w*i/.test(begins) || (!whole && /^-?$/.test(begins)))),
  );
}

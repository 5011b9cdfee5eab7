import type { SyntaxNode } from "unbash";
import { childrenOf } from "../grammar/grammar.ts";

/** Where bash cuts a value that stands without quotes, and what it takes for a pattern in it. */
export const CUT_BY_BASH = /[\s*?[\\]/;

/** Whether some variable stands without quotes: `for f in *; do cat $f; done` makes two words of a name with a blank in it. */
export function cutsValues(root: SyntaxNode): boolean {
  const waiting = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === "SimpleExpansion" || node.type === "ParameterExpansion") return true;
    const isQuoted = node.type === "DoubleQuoted" || node.type === "LocaleString";
    for (const { node: child } of childrenOf(node))
      // Within quotes only what a command in them has without any counts.
      if (!isQuoted || child.type === "CommandExpansion") waiting.push(child);
  }
  return false;
}

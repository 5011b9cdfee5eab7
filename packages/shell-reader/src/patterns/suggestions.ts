import { lookInside } from "../programs/wrappers.ts";
import type { Suggestion } from "../reading.ts";
import { usefulRules } from "../ruleTable/beginnings.ts";
import { commandText, literal, type SimpleCommand } from "../words/words.ts";

/** Patterns that would be useful for a command. Of a wrapper that adds nothing, the command in it counts. */
export function suggestionFor(command: SimpleCommand): Omit<Suggestion, "doings"> {
  const words = command.map(literal);
  const text = commandText(command);
  // In a pattern a star stands for anything, and several blanks for one.
  const isPlain = !words.includes(undefined) && !/[*\p{Cc}]| {2}/u.test(text);
  return { command: text, exactly: isPlain ? text : undefined, wider: widerRules(command) };
}

function widerRules(command: SimpleCommand): string[] {
  const inside = lookInside(command);
  if (inside.holds === "command" && inside.transparent) return widerRules(inside.command);
  if (inside.holds !== "nothing") return [];
  // The words of a rule are known; those behind them need not be.
  const known = command.findIndex((word) => literal(word) === undefined);
  const words = command.slice(0, known < 0 ? undefined : known).map((word) => literal(word) ?? "");
  return usefulRules(words);
}

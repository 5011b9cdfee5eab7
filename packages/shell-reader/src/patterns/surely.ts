import { escapingWord, type RulePlace } from "../programs/escapes.ts";
import { lookInside } from "../programs/wrappers.ts";
import type { Need } from "../reading.ts";
import { pay } from "../steps.ts";
import { fits } from "../words/pieces.ts";
import { commandText, sameWord, type SimpleCommand } from "../words/words.ts";
import { reachOf, type Pattern } from "./pattern.ts";

/**
 * Whether a pattern that lets through covers a need: it is about the command, or it names what a command around it runs. `sudo
 * apt:*` names what is inside; `sudo:*` does not, and then the inside needs a pattern of its own.
 */
export function surelyCovers(
  pattern: Pattern,
  { command, inside, sealedAt }: Need,
  place: RulePlace,
): boolean {
  pay(command.length);
  const names = (words: SimpleCommand, at: number) =>
    reachOf(pattern) > at && surelyMatches(pattern, words, place);
  return (
    (surelyMatches(pattern, command, place) && (sealedAt === undefined || reachOf(pattern) > sealedAt)) ||
    inside.some((around) => names(around.command, around.at))
  );
}

function surelyMatches(pattern: Pattern, command: SimpleCommand, place: RulePlace): boolean {
  switch (pattern.covers) {
    case "everything":
      return true;
    case "exactly":
      return pattern.words.length === command.length && beginsWith(command, pattern.words);
    case "beginning":
      return beginsWith(command, pattern.words) && !escapes(command, pattern.words.length, place);
    case "text":
      return (
        spellingsOf(commandText(command)).some((text) => fits(pattern.pieces, text)) &&
        !escapes(command, reachOf(pattern), place)
      );
  }
}

/** With a blank at the end `git * main *` also covers `git push main`, as `git push *` covers `git push`. */
function spellingsOf(text: string): string[] {
  return [text, `${text} `];
}

function beginsWith(command: SimpleCommand, words: SimpleCommand): boolean {
  return words.every((word, at) => sameWord(word, command[at]));
}

function escapes(command: SimpleCommand, from: number, place: RulePlace): boolean {
  if (escapingWord(command, from, place) !== undefined) return true;
  const inside = lookInside(command);
  return inside.holds === "command" && escapes(inside.command, Math.max(0, from - inside.at), place);
}

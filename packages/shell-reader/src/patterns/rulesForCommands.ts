import type { CommandReading } from "../walk/readCommands.ts";
import { lookInside } from "../programs/wrappers.ts";
import { usefulRules } from "../ruleTable/beginnings.ts";
import { commandText, literal, type SimpleCommand } from "../words/words.ts";

/** What could stand in `Bash(…)` for one command of a line. */
export interface CommandRules {
  command: string;
  /** The command word by word; undefined where no rule can spell it out. */
  exactly: string | undefined;
  /** With other arguments, too: the narrowest first. */
  wider: readonly string[];
}

/** For each command of a line the rules that would be useful for it. Of a wrapper that adds nothing, the command in it counts. */
export function rulesForCommands({ commands }: CommandReading): CommandRules[] {
  const all = commands.map((command) => {
    const words = command.map(literal);
    const text = commandText(command);
    // In a rule a star stands for anything, and several blanks for one.
    const isPlain = !words.includes(undefined) && !/[*\p{Cc}]| {2}/u.test(text);
    return { command: text, exactly: isPlain ? text : undefined, wider: widerRules(command) };
  });
  return all.filter(({ command }, at) => all.findIndex((one) => one.command === command) === at);
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

import type { Reading, Suggestion } from "wave-shell-reader";
import type { ToolEffect } from "./effect.ts";
import { HOST_RULE_TOOL, hostRule } from "./hostRules.ts";
import { namesBelow } from "./paths.ts";
import type { RuleCall } from "./rules.ts";

/** Rules that might cover a call and little else; or why nobody should keep one. */
export type UsefulChoices =
  | {
      /** The narrowest first; the rules of one choice belong together. */
      choices: readonly (readonly string[])[];
      /** For when none of them is enough: the call word by word. */
      exactly?: readonly string[];
      /** What to say when that is not enough either. */
      otherwise: string;
    }
  | { why: string };

export function usefulChoices(call: RuleCall, base: string): UsefulChoices {
  const { toolName, effect, elsewhere } = call;
  switch (effect.does) {
    case "run":
      if (elsewhere !== undefined)
        return {
          why: `it works in ${elsewhere}, outside the project, where no rule for single commands counts`,
        };
      return choicesForLine(effect.reading, call);
    case "read":
    case "edit":
      return choiceForPath(effect, base);
    case "reach":
      // A tool of somebody else's may do more than fetch from the hosts it names.
      return toolName === HOST_RULE_TOOL
        ? { choices: [effect.hosts.map(hostRule)], otherwise: NONE_COVERS }
        : choiceForTool(toolName);
    case "unknown":
      return choiceForTool(toolName);
    case "ask-person":
      return { why: "each question is answered by itself" };
    case "leave-plan":
      return { why: "each plan is looked at by itself" };
    case "nothing":
      return { why: "a rule for this tool would allow all it can do" };
  }
}

/** Nothing smaller than the tool can be named, and its name must not mean more in a rule. */
function choiceForTool(toolName: string): UsefulChoices {
  return /^[\w-]+$/.test(toolName)
    ? { choices: [[toolName]], otherwise: NONE_COVERS }
    : { why: "its name has characters that mean more in a rule" };
}

const NONE_COVERS = "no rule covers it";

/** More than so many rules nobody reads before keeping them. */
const MOST_RULES = 3;

/**
 * Beginnings after which nothing can be written that changes, runs or sends anything, the options apart that no rule covers
 * silently. They are offered in place of the exact command.
 */
const HARMLESS: ReadonlySet<string> = new Set(
  ["status", "log", "show", "rev-parse", "ls-files", "describe"].map((word) => `git ${word}:*`),
);

/** One rule for each command that needs one: each line by line, then each with other arguments. */
function choicesForLine(reading: Reading, { onlyReads }: RuleCall): UsefulChoices {
  if (reading.commands.length === 0) return { why: reading.why ?? "it runs no program" };
  const needing = reading
    .suggestions()
    .filter(
      ({ doings, exactly, wider }) =>
        (exactly !== undefined || wider.length > 0) && !(doings && onlyReads?.(doings)),
    );
  if (needing.length === 0) return { why: reading.why ?? "only the shell knows what it will be" };
  const widths = 1 + Math.max(...needing.map(({ wider }) => wider.length));
  const choices = Array.from({ length: widths }, (_, width) => [
    ...new Set(needing.map((command) => `Bash(${ruleOf(command, width)})`)),
  ]);
  const few = choices.filter(({ length }) => length <= MOST_RULES);
  if (few.length === 0) return { why: `more than ${MOST_RULES} of its commands need a rule` };
  const exactly = needing.map((command) => `Bash(${command.exactly ?? command.wider[0]})`);
  return { choices: few, exactly, otherwise: reading.why ?? NONE_COVERS };
}

function ruleOf({ exactly, wider }: Suggestion, width: number): string {
  const [narrowest = ""] = wider;
  if (HARMLESS.has(narrowest)) return narrowest;
  return (width === 0 ? exactly : wider[Math.min(width, wider.length) - 1]) ?? exactly ?? narrowest;
}

const RULE_FOR = { read: "Read", edit: "Edit" } as const;

function choiceForPath(effect: ToolEffect & { does: "read" | "edit" }, base: string): UsefulChoices {
  const [path] = effect.paths;
  if (!path?.startsWith("/")) return { why: "there is no whole path to make a rule of" };
  // In a rule these are patterns, and a rule that fits more than this file is not the one that was asked about.
  if (/[*?[\]{}\\\p{Cc}]|^\s|\s$/u.test(path))
    return { why: "its path has characters that mean more in a rule" };
  const below = namesBelow(base, path) ?? [];
  const written = below.length > 0 ? `./${below.join("/")}` : `/${path}`;
  return { choices: [[`${RULE_FOR[effect.does]}(${written})`]], otherwise: "no single rule covers it" };
}

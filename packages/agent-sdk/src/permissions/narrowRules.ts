import { literal, readCommands } from "wave-shell-reader";
import type { ToolEffect } from "./effect.ts";
import { namesBelow } from "./paths.ts";
import type { RuleCall } from "./rules.ts";

/** Rules that might cover a call and little else, the one that says most first; or why nobody should keep one. */
export type NarrowRules =
  | {
      rules: string[];
      /** One that covers the command with other arguments, too. Nobody gets it without having chosen it. */
      wider?: string;
    }
  | { why: string };

export function narrowRules({ toolName, effect, elsewhere }: RuleCall, base: string): NarrowRules {
  switch (effect.does) {
    case "run":
      if (elsewhere !== undefined)
        return {
          why: `it works in ${elsewhere}, outside the project, where no rule for single commands counts`,
        };
      return rulesForCommand(effect.command);
    case "read":
    case "edit":
      return ruleForPath(effect, base);
    case "reach":
    case "unknown":
      // Nothing smaller than the tool can be named, and its name must not mean more in a rule.
      return /^[\w-]+$/.test(toolName) ? { rules: [toolName] } : { why: ODD_NAME };
    case "nothing":
      return { why: NO_PART };
  }
}

const ODD_NAME = "its name has characters that mean more in a rule";
const NO_PART = "a rule for this tool would allow all it can do";

/**
 * Beginnings after which nothing can be written that changes, runs or sends anything, the options apart that no rule covers
 * silently (`escapes.ts`). `git diff` is not among them, since outside of a repository it reads any file; nor is anything
 * that builds, installs or tests, since options choose what it runs.
 */
const HARMLESS_BEGINNINGS: readonly (readonly string[])[] = [
  ["git", "status"],
  ["git", "log"],
  ["git", "show"],
  ["git", "rev-parse"],
  ["git", "ls-files"],
  ["git", "describe"],
];

/** Stands for the name of a script: a word that is neither an option nor a path. */
const NAME = /^\w[\w:.-]*$/;

/**
 * Beginnings that say what is done; what follows them says how. They run what the project says, or change its repository, so
 * they are offered beside the exact command and never in its place. Nothing is here that runs a program named in its
 * arguments (`npx`, `node`, `sudo`, `xargs`), installs what is named there, or has no word that says what it does (`rm`, `cp`).
 * Options that choose another program or another project are no part of it (`escapes.ts`).
 */
const TELLING_BEGINNINGS: readonly (readonly (string | RegExp)[])[] = [
  ["npm", "run", NAME],
  ["npm", "run-script", NAME],
  ["npm", "test"],
  ["cargo", /^(build|check|clippy|doc|fmt|test)$/],
  ["git", /^(add|commit)$/],
];

function rulesForCommand(line: string): NarrowRules {
  const reading = readCommands(line);
  const [words, ...others] = reading.commands;
  if (others.length > 0) return { why: "it is more than one plain command" };
  if (!reading.complete) return { why: reading.why };
  if (!words) return { why: "it runs no program" };
  const plain = words.map(literal);
  if (plain.includes(undefined)) return { why: "only the shell knows what it will be" };
  // In a rule a star stands for anything, and several blanks for one.
  if (line.includes("*")) return { why: "a star in it would mean anything at all in a rule" };
  if (/[\p{Cc}]| {2}/u.test(line.trim())) return { why: "its blanks and line breaks do not fit a rule" };
  const beginning = HARMLESS_BEGINNINGS.find((start) => start.every((word, at) => plain[at] === word));
  // Variables before it, which are plain ones here (`CI=1`), are no part of what a rule covers.
  const exactly = `Bash(${line.trim().replace(/^(?:\w+=\S*\s+)+/, "")})`;
  if (beginning) return { rules: [`Bash(${beginning.join(" ")}:*)`, exactly] };
  const telling = TELLING_BEGINNINGS.find((start) => start.every((word, at) => isWord(word, plain[at])));
  if (!telling) return { rules: [exactly] };
  return { rules: [exactly], wider: `Bash(${plain.slice(0, telling.length).join(" ")}:*)` };
}

function isWord(wanted: string | RegExp, word: string | undefined): boolean {
  return typeof wanted === "string" ? wanted === word : word !== undefined && wanted.test(word);
}

const RULE_FOR = { read: "Read", edit: "Edit" } as const;

function ruleForPath(effect: ToolEffect & { does: "read" | "edit" }, base: string): NarrowRules {
  const [path] = effect.paths;
  if (!path?.startsWith("/")) return { why: "there is no whole path to make a rule of" };
  // In a rule these are patterns, and a rule that fits more than this file is not the one that was asked about.
  if (/[*?[\]{}\\\p{Cc}]|^\s|\s$/u.test(path))
    return { why: "its path has characters that mean more in a rule" };
  const below = namesBelow(base, path) ?? [];
  const written = below.length > 0 ? `./${below.join("/")}` : `/${path}`;
  return { rules: [`${RULE_FOR[effect.does]}(${written})`] };
}

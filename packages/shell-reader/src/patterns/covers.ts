import { shortened } from "../text.ts";
import { pay } from "../steps.ts";
import { escapingWord, type RulePlace } from "../programs/escapes.ts";
import { readCommands, readOneCommand, type CommandReading } from "../walk/readCommands.ts";
import {
  commandText,
  couldBeSame,
  gappedText,
  literal,
  sameWord,
  type SimpleCommand,
} from "../words/words.ts";
import { canMeet, fits, type Gapped } from "../words/pieces.ts";
import { bareCommand, lookInside, programName } from "../programs/wrappers.ts";

/** What stands in `Bash(…)`. */
export type CommandPattern =
  | { covers: "everything" }
  /** `git status:*`, `git status *`: these words, then anything. */
  | { covers: "beginning"; words: SimpleCommand }
  /** `npm run test`: these words and no others. */
  | { covers: "exactly"; words: SimpleCommand }
  /** `git * main`: the whole command as text. */
  | { covers: "text"; pieces: Gapped };

export function parseCommandPattern(content: string): CommandPattern | { problem: string } {
  const text = content.trim().replace(/\s+/g, " ");
  if (text === "*") return { covers: "everything" };
  const beginning = /^(.*?)(?::\*| \*)$/.exec(text)?.[1];
  const spelled = beginning ?? text;
  if (spelled === "") return { problem: "it names no command before the star" };
  if (spelled.includes("*"))
    return { covers: "text", pieces: (beginning === undefined ? text : `${beginning} *`).split("*") };
  const words = readOneCommand(spelled);
  if (!words) {
    return {
      problem:
        "it has to be one plain command; write a rule of its own for each command, without redirections",
    };
  }
  return { covers: beginning === undefined ? "exactly" : "beginning", words };
}

/**
 * Whether a rule that holds back speaks about a line: one of its commands matches or might match once bash has expanded it,
 * or the line was not understood and the rule's program is named somewhere in it. The answer says which.
 */
export function heldBackBy(
  pattern: CommandPattern,
  line: { command: string; reading: CommandReading; called?: readonly SimpleCommand[] | undefined },
): string | undefined {
  if (pattern.covers === "everything") return "it is about every command";
  const { reading, called = [] } = line;
  const isAbout = (command: SimpleCommand) => mightMatch(pattern, command);
  pay(reading.commands.length + reading.hidden.length + called.length);
  const found = reading.commands.find(isAbout) ?? reading.hidden.find(isAbout) ?? called.find(isAbout);
  if (found) return `the line runs ${shortened(commandText(found), 80)}`;
  if (reading.foreign.some((code) => namesCommand(pattern, code)))
    return `the line runs code of another language that names ${shortened(programOf(pattern).join("*"), 80)}`;
  if (reading.complete || reading.programs === "known" || !namesProgram(pattern, line.command))
    return undefined;
  return `the line cannot be understood completely (${reading.why}) and names ${shortened(programOf(pattern).join("*"), 80)}`;
}

/** Whether allow rules cover a line: everything in it is understood, and each command has a rule of its own. */
export function coveredBy<Named extends { pattern: CommandPattern }>(
  rules: readonly Named[],
  reading: CommandReading,
  place: RulePlace = {},
): Named[] | undefined {
  const everything = rules.find(({ pattern }) => pattern.covers === "everything");
  if (everything) return [everything];
  if (!reading.complete || reading.commands.length === 0 || reading.assigned.length > 0) return undefined;
  const used = new Set<Named>();
  for (const command of reading.commands) {
    const by = coverOf(rules, command, place);
    if (!by) return undefined;
    by.forEach((rule) => used.add(rule));
  }
  return [...used];
}

/** The rules that cover one command, also inside of a wrapper that adds nothing of its own. */
export function coverOf<Named extends { pattern: CommandPattern }>(
  rules: readonly Named[],
  command: SimpleCommand,
  place: RulePlace = {},
): Named[] | undefined {
  pay(command.length * (1 + rules.length));
  const inside = lookInside(command);
  const direct = rules.filter(({ pattern }) => surelyMatches(pattern, command, place));
  if (inside.holds === "nothing") return direct.length > 0 ? direct.slice(0, 1) : undefined;
  // A rule such as `sudo apt:*` names what is inside; `sudo:*` does not, and then the inside needs a rule of its own.
  const naming = direct.find(({ pattern }) => reachOf(pattern) > inside.at);
  if (naming) return [naming];
  if (inside.holds === "something" || (!inside.transparent && direct.length === 0)) return undefined;
  if (inside.holds === "command") return coverOf(rules, inside.command, place);
  return coveredBy(rules, readCommands(inside.script), place);
}

function surelyMatches(pattern: CommandPattern, command: SimpleCommand, place: RulePlace): boolean {
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

/** How many leading words a pattern spells out. */
function reachOf(pattern: CommandPattern): number {
  switch (pattern.covers) {
    case "everything":
      return Number.POSITIVE_INFINITY;
    case "text":
      return (pattern.pieces[0] ?? "").split(" ").length - 1;
    default:
      return pattern.words.length;
  }
}

function mightMatch(pattern: CommandPattern, command: SimpleCommand): boolean {
  // A program of which nothing is known would match every rule there is; the words of the line decide then.
  if (command[0]?.known.every((piece) => piece === "") && !/[*?[]/.test(command[0].text)) return false;
  const bare = bareCommand(command);
  switch (pattern.covers) {
    case "everything":
      return true;
    case "text":
      return [command, bare].some((words) => mightFit(pattern.pieces, gappedText(words)));
    case "beginning":
      return mightBeginWith(bare, bareCommand(pattern.words));
    case "exactly": {
      const words = bareCommand(pattern.words);
      // An unknown word may become several or none, so after it the number of words says nothing.
      const counts = bare.every((word) => literal(word) !== undefined);
      return (!counts || bare.length === words.length) && mightBeginWith(bare, words);
    }
  }
}

function mightFit(pieces: Gapped, text: Gapped): boolean {
  return canMeet(pieces, text) || canMeet(pieces, [...text.slice(0, -1), `${text.at(-1) ?? ""} `]);
}

function mightBeginWith(command: SimpleCommand, words: SimpleCommand): boolean {
  for (const [at, word] of words.entries()) {
    if (!couldBeSame(word, command[at])) return false;
    if (literal(command[at]) === undefined) return true;
  }
  return true;
}

/** Code that names all words of a rule may run it: `["git", "push"]`. */
function namesCommand(pattern: CommandPattern, code: string): boolean {
  if (!namesProgram(pattern, code)) return false;
  if (pattern.covers !== "beginning" && pattern.covers !== "exactly") return true;
  return pattern.words.slice(1).every((word) => word.known.every((piece) => code.includes(piece)));
}

/** A dash may be part of a name (`apt-get`) and may stand before one (`${x:-rm}`). */
function namesProgram(pattern: CommandPattern, line: string): boolean {
  const program = programOf(pattern);
  pay(line.length);
  const words = [...line.split(/[^\w.+@-]+/), ...line.split(/[^\w.+@]+/)];
  return words.some((word) => word !== "" && fits(program, word));
}

function programOf(pattern: CommandPattern): Gapped {
  switch (pattern.covers) {
    case "everything":
      return ["", ""];
    case "text":
      return pattern.pieces.join("*").split(" ")[0]?.split("*") ?? ["", ""];
    default:
      return [programName(pattern.words) ?? ""];
  }
}

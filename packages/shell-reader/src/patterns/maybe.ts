import { bareCommand, programName } from "../programs/wrappers.ts";
import type { Reading } from "../reading.ts";
import { pay } from "../steps.ts";
import { shortened } from "../text.ts";
import { canMeet, fits, type Pieces } from "../words/pieces.ts";
import { commandPieces, commandText, couldBeSame, literal, type SimpleCommand } from "../words/words.ts";
import type { Pattern } from "./pattern.ts";

/**
 * Why a pattern that holds back speaks about a line: one of its commands matches or might match once bash has expanded it, or the
 * line was not understood and the pattern's program is named somewhere in it.
 */
export function whyAbout(pattern: Pattern, reading: Reading): string | undefined {
  if (pattern.covers === "everything") return "it is about every command";
  const { line, commands, embedded, code, understood, why } = reading;
  pay(commands.length + embedded.length);
  const isAbout = (command: SimpleCommand) => mightMatch(pattern, command);
  const found = commands.find(isAbout) ?? embedded.find(isAbout);
  if (found) return `the line runs ${shortened(commandText(found), 80)}`;
  const program = shortened(programOf(pattern).join("*"), 80);
  if (code.some((one) => namesCommand(pattern, one)))
    return `the line runs code of another language that names ${program}`;
  if (understood === "all" || understood === "programs" || !namesProgram(pattern, line)) return undefined;
  return `the line cannot be understood completely (${why}) and names ${program}`;
}

/** Why a program that nobody knows may run what a pattern is about: it stands among its words. */
export function whyPerhaps(pattern: Pattern, reading: Reading): string | undefined {
  const possible = reading.possible();
  pay(possible.length);
  const found = possible.find(({ command }) => mightMatch(pattern, command));
  return found && `${shortened(found.program, 80)} may run ${shortened(commandText(found.command), 80)}`;
}

function mightMatch(pattern: Pattern, command: SimpleCommand): boolean {
  // A program of which nothing is known would match every rule there is; the words of the line decide then.
  if (command[0]?.known.every((piece) => piece === "") && !/[*?[]/.test(command[0].text)) return false;
  const bare = bareCommand(command);
  switch (pattern.covers) {
    case "everything":
      return true;
    case "text":
      return [command, bare].some((words) => mightFit(pattern.pieces, commandPieces(words)));
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

function mightFit(pieces: Pieces, text: Pieces): boolean {
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
function namesCommand(pattern: Pattern, code: string): boolean {
  if (!namesProgram(pattern, code)) return false;
  if (pattern.covers !== "beginning" && pattern.covers !== "exactly") return true;
  return pattern.words.slice(1).every((word) => word.known.every((piece) => code.includes(piece)));
}

/** A dash may be part of a name (`apt-get`) and may stand before one (`${x:-rm}`). */
function namesProgram(pattern: Pattern, line: string): boolean {
  const program = programOf(pattern);
  pay(line.length);
  const words = [...line.split(/[^\w.+@-]+/), ...line.split(/[^\w.+@]+/)];
  return words.some((word) => word !== "" && fits(program, word));
}

function programOf(pattern: Pattern): Pieces {
  switch (pattern.covers) {
    case "everything":
      return ["", ""];
    case "text":
      return pattern.pieces.join("*").split(" ")[0]?.split("*") ?? ["", ""];
    default:
      return [programName(pattern.words) ?? ""];
  }
}

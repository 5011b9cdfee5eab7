import type { Assignment, Word, WordPart } from "unbash";
import { fixedText } from "./fixedText.ts";
import { canMeet, type Pieces } from "./pieces.ts";

/** One word of a command: as written, and as far as it is known before bash has expanded it. */
export interface ShellWord {
  text: string;
  known: Pieces;
}

/** One program with its arguments, the program first. */
export type SimpleCommand = readonly ShellWord[];

/** The word without its quotes, or undefined when only bash knows what will stand there. */
export function literal(word: ShellWord | undefined): string | undefined {
  return word?.known.length === 1 ? word.known[0] : undefined;
}

/** Whether bash is certain to make the same of both: the same plain text, or the same unexpanded spelling. */
export function sameWord(one: ShellWord, other: ShellWord | undefined): boolean {
  if (!other) return false;
  const text = literal(one);
  return text === undefined ? one.text === other.text : text === literal(other);
}

/** Whether bash could make the same of both. */
export function couldBeSame(one: ShellWord, other: ShellWord | undefined): boolean {
  return other !== undefined && canMeet(one.known, other.known);
}

export function plainWord(text: string): ShellWord {
  return { text, known: [text] };
}

export function readWord(word: Word | Assignment): ShellWord {
  if (word.type === "Assignment") return readAssignment(word);
  return { text: word.text, known: word.parts ? knownOf(word.parts) : [word.value] };
}

/**
 * A command as one line of text for patterns with `*`. Words that need quotes get them, so that a space inside an argument
 * cannot pass for the space between two.
 */
export function commandText(command: SimpleCommand): string {
  return command.map((word) => inQuotes(literal(word)) ?? word.text).join(" ");
}

/** The same with gaps where words are not known. */
export function commandPieces(command: SimpleCommand): Pieces {
  const pieces = [""];
  command.forEach((word, at) => {
    const known = word.known.length === 1 ? [inQuotes(word.known[0]) ?? ""] : word.known;
    pieces[pieces.length - 1] += (at === 0 ? "" : " ") + (known[0] ?? "");
    pieces.push(...known.slice(1));
  });
  return pieces;
}

/** A word as it would have to be written; undefined for one that is not known. */
export function inQuotes(text: string | undefined): string | undefined {
  if (text === undefined || /^[\w@%+=:,./~^{}-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function readAssignment(assignment: Assignment): ShellWord {
  const value = assignment.value;
  if (value.type === "ArrayValue" || assignment.index) return { text: assignment.text, known: ["", ""] };
  const [first = "", ...rest] = readWord(value).known;
  return {
    text: assignment.text,
    known: [`${assignment.name}${assignment.append ? "+" : ""}=${first}`, ...rest],
  };
}

function knownOf(parts: readonly WordPart[], quoted = false): Pieces {
  const pieces = [""];
  for (const part of parts) {
    const text = quoted && part.type === "CommandExpansion" ? fixedText(part) : undefined;
    const known = text === undefined ? knownPart(part) : [text];
    pieces[pieces.length - 1] += known[0] ?? "";
    pieces.push(...known.slice(1));
  }
  return pieces;
}

function knownPart(part: WordPart): Pieces {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [part.value];
    case "DoubleQuoted":
      return knownOf(part.parts, true);
    default:
      // Expansions, substitutions, globs, braces, translated strings: what they become is known only when bash runs.
      return ["", ""];
  }
}

import type { Assignment, Command } from "unbash";
import type { ShellWord, SimpleCommand } from "../words/words.ts";

/** What is collected while the nodes of a line are visited, each on its own; what it amounts to is decided at the end. */
export interface Findings {
  commands: SimpleCommand[];
  /** The nodes that they were made of. */
  nodes: Map<SimpleCommand, Command>;
  hidden: SimpleCommand[];
  /** Code in languages that are not read. */
  foreign: string[];
  /** Why there is code of such a language that nobody can see. */
  unseenCode: string[];
  /** Why any program may run, whatever the words of the line are. */
  anything: string[];
  /** Why some program is not known. */
  doubts: string[];
  /** The same of programs that people use to read. */
  unread: string[];
  /** What happens apart from the programs. */
  sideEffects: string[];
  /** Files that the shell itself writes, spelled out. */
  written: string[];
  /** Variables whose value does not stand on the line as it will be. */
  computed: Set<string>;
  /** Variables that are called as a program. */
  called: Set<string>;
  /** Assignments that are no part of what a program gets. */
  own: Set<Assignment>;
  assigned: Set<string>;
  exported: Set<string>;
  /** Variables that are set to a number, and those that are set to anything else. */
  numbers: Set<string>;
  texts: Set<string>;
  /** Variables that are counted with. */
  counted: Set<string>;
  /** Text that stands on the line for the input of a program. */
  inputs: ShellWord[];
}

export function noFindings(): Findings {
  return {
    commands: [],
    nodes: new Map(),
    hidden: [],
    foreign: [],
    unseenCode: [],
    anything: [],
    doubts: [],
    unread: [],
    sideEffects: [],
    written: [],
    computed: new Set(),
    called: new Set(),
    own: new Set(),
    assigned: new Set(),
    exported: new Set(),
    numbers: new Set(),
    texts: new Set(),
    counted: new Set(),
    inputs: [],
  };
}

/** Arithmetic evaluates the contents of variables, and those may hold $(…). */
export const COMPUTES = "it computes, and bash runs commands that it finds in the numbers";

export function note(reasons: string[], why: string | undefined): void {
  if (why !== undefined) reasons.push(why);
}

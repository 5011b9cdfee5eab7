import { MATCH_ORDER, rankNames, type Match } from "./fuzzy.ts";
import { shellWord } from "../utils/shellWord.ts";

export interface Command {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
}

/** The part of the text that can be completed, and what it asks for. */
export interface Question {
  readonly asks: "file" | "path" | "command" | "history";
  readonly start: number;
  readonly end: number;
  readonly typed: string;
}

export interface Candidate {
  readonly label: string;
  readonly detail?: string;
  /** What replaces the text of the question. */
  readonly insert: string;
  readonly match: Match;
}

export interface Sources {
  readonly commands: readonly Command[];
  /** undefined: not known yet. */
  readonly files: readonly string[] | undefined;
  /** Why a file may be there that is not among them. */
  readonly filesLack?: string | undefined;
  readonly resources?: readonly Command[] | undefined;
  /** Oldest first. */
  readonly history: readonly string[];
}

/** The files of a project. */
export interface ListedFiles {
  readonly names: readonly string[];
  /** Why these are not all of them. */
  readonly lacks?: string;
  /** What MCP servers keep for reading, each as it is named behind an @: "notes:note://1". */
  readonly resources?: readonly Command[];
}

/** Of files and earlier prompts; nobody goes through more, and every key makes the list anew. Commands are listed whole. */
export const LISTED = 100;
/** No path is longer; looking back further through a long text would cost time at every key. */
const LONGEST_TOKEN = 4_096;

/** What stands at the cursor that can be completed: `/name` at the very start, `@path` at the start of a word. */
export function questionAt(text: string, cursor: number): Question | undefined {
  const before = text.slice(Math.max(0, cursor - LONGEST_TOKEN), cursor);
  const command = cursor <= LONGEST_TOKEN ? /^\/(\S*)$/.exec(before) : null;
  // What goes on behind the cursor belongs to the name and is replaced with it.
  const rest = /^\S*/.exec(text.slice(cursor, cursor + LONGEST_TOKEN))?.[0].length ?? 0;
  if (command) return { asks: "command", start: 0, end: cursor + rest, typed: command[1] ?? "" };
  const file = /(?:^|\s)@(?:"([^"\n]*)|([^\s"]*))$/.exec(before);
  if (file === null) return undefined;
  const start = cursor - file[0].trimStart().length;
  // Inside quotes a blank is part of the name, so only what was typed so far can be replaced.
  if (file[1] !== undefined) return { asks: "file", start, end: cursor, typed: file[1] };
  return { asks: "file", start, end: cursor + rest, typed: file[2] ?? "" };
}

/** The word of a shell command that the cursor stands in, as a path. Asked for with Tab, not at every key. */
export function pathQuestionAt(text: string, cursor: number): Question | undefined {
  if (!text.startsWith("!") || cursor === 0) return undefined;
  const typed = /[^\s"'`=;|&<>()]*$/.exec(text.slice(Math.max(1, cursor - LONGEST_TOKEN), cursor))?.[0] ?? "";
  const rest = /^[^\s"'`=;|&<>()]*/.exec(text.slice(cursor, cursor + LONGEST_TOKEN))?.[0].length ?? 0;
  return { asks: "path", start: cursor - typed.length, end: cursor + rest, typed };
}

/** Ranked candidates, best first. */
export function candidatesFor(question: Question, sources: Sources): Candidate[] {
  switch (question.asks) {
    case "command":
      return commandCandidates(question.typed, sources.commands);
    case "file":
      return [
        ...resourceCandidates(question.typed, sources.resources ?? []),
        ...rankNames(question.typed, sources.files ?? [], LISTED).map(({ name, match }) => ({
          label: name,
          insert: /[\s"]/.test(name) ? `@"${name}" ` : `@${name} `,
          match,
        })),
      ];
    case "path":
      return rankNames(question.typed.replace(/^\.\//, ""), sources.files ?? [], LISTED).map(
        ({ name, match }) => ({ label: name, insert: `${shellWord(name)} `, match }),
      );
    case "history":
      return historyCandidates(question.typed, sources.history);
  }
}

/** Only behind `server:`, or where the name of a server is being typed: a file is what an @ mostly means. */
function resourceCandidates(typed: string, resources: readonly Command[]): Candidate[] {
  const meant = resources.filter(({ name }) =>
    typed.includes(":")
      ? name.startsWith(typed.slice(0, typed.indexOf(":") + 1))
      : name.startsWith(typed || ":"),
  );
  const described = new Map(meant.map(({ name, description }) => [name, description]));
  return rankNames(typed, [...described.keys()], LISTED).map(({ name, match }) => ({
    label: name,
    detail: described.get(name) ?? "",
    insert: `@${name} `,
    match,
  }));
}

/** Those that match equally well stay in the order they came in: the most used first. */
function commandCandidates(typed: string, commands: readonly Command[]): Candidate[] {
  const matches = new Map(
    rankNames(
      typed,
      commands.map(({ name }) => name),
      commands.length,
    ).map(({ name, match }) => [name, match]),
  );
  const found = commands.flatMap(({ name, description }) => {
    const match = matches.get(name);
    return match === undefined
      ? []
      : [{ label: `/${name}`, detail: description, insert: `/${name} `, match }];
  });
  // A name that is typed in full is meant, also where it begins another one.
  const order = ({ label, match }: Candidate) => (label === `/${typed}` ? -1 : MATCH_ORDER[match]);
  return found.toSorted((a, b) => order(a) - order(b));
}

function historyCandidates(typed: string, history: readonly string[]): Candidate[] {
  const wanted = typed.toLowerCase();
  const found = new Set<string>();
  for (const prompt of history.toReversed()) {
    if (found.size === LISTED) break;
    if (prompt.toLowerCase().includes(wanted)) found.add(prompt);
  }
  return Array.from(found, (prompt) => ({
    label: prompt,
    insert: prompt,
    match: "substring" as const,
  }));
}

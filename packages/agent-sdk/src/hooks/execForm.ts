import { join, resolve } from "node:path";
import { absoluteFolders, foldersIn, type CommandPlan, type CommandSurroundings } from "./command.ts";

/**
 * `command` with `args`: a program and its arguments, without a shell. Inside Wave it is one line of quoted words that a shell
 * would read in the same way, so that everything that looks at commands (reviews, pinned scripts, protected files) sees all of
 * it and needs no second way of looking. A person reads that line, too.
 */
export function execLine(words: readonly string[]): string {
  return words.map(quotedWord).join(" ");
}

/** The only variables that mean something in a word. As part of one argument a value can become nothing but that argument. */
const FOLDER = /(\$\{(?:(?:WAVE|CLAUDE)_PROJECT_DIR|CLAUDE_PLUGIN_ROOT)\})/;

function quotedWord(word: string): string {
  if (word === "") return "''";
  return word
    .split(FOLDER)
    .filter((part) => part !== "")
    .map((part) => (FOLDER.test(part) ? `"${part}"` : quoted(part)))
    .join("");
}

const quoted = (text: string) =>
  /^[\w@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The words of such a line, also after a script in it was replaced by a copy. */
export function execWords(line: string, folders: Readonly<Record<string, string>>): string[] {
  return (line.match(WORD) ?? []).map((word) =>
    word.replaceAll(PIECE, (piece, single?: string, escaped?: string, variable?: string) =>
      variable === undefined ? (single ?? escaped ?? "") : (folders[variable] ?? piece.slice(1, -1)),
    ),
  );
}

const WORD = /(?:'[^']*'|\\.|"[^"]*"|[^\s'"\\])+/gs;
const PIECE = /'([^']*)'|\\(.)|"\$\{(\w+)\}"/gs;

/** How it becomes a process. Its arguments are what it says: `$1` and the like are for shell commands and scripts. */
export function planExec(line: string, around: CommandSurroundings): CommandPlan {
  const [program = "", ...args] = execWords(line, foldersIn(around));
  const path = program.includes("/") ? resolve(around.projectDir, program) : onPath(program, around);
  if (path === undefined) return { start: "nothing", why: `no program "${program}" on the PATH` };
  switch (around.look(path)) {
    case "program":
      return { start: "process", file: path, args, argsCut: false };
    case "script without #!":
      return { start: "nothing", why: `${path} has no #! line, and there is no shell to read it` };
    case "not executable":
      return { start: "nothing", why: `not executable: ${path}` };
    case "nothing":
      return { start: "nothing", why: `no such file: ${path}` };
  }
}

function onPath(program: string, { look, env }: CommandSurroundings): string | undefined {
  return absoluteFolders(env)
    .map((folder) => join(folder, program))
    .find((path) => look(path) !== "nothing");
}

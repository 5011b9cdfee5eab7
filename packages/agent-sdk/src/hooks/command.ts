import { delimiter, isAbsolute, join, resolve } from "node:path";
import { searchFolders } from "../utils/searchPath.ts";

/** What stands at a path, as far as running it goes. A folder is nothing. */
export type FileKind = "program" | "script without #!" | "not executable" | "nothing";

/** What a command is read against. `look` is the only thing that touches the disk, so this module does not. */
export interface CommandSurroundings {
  look: (path: string) => FileKind;
  /** Hooks start here; relative commands are relative to it. */
  projectDir: string;
  env: Readonly<Record<string, string>>;
  /** `$0` of a shell string that reads arguments. */
  hookName: string;
  /** `$1`, `$2`, … A function, because they can be megabytes and most commands never look at them. */
  hookArgs: () => readonly string[];
}

export type CommandPlan =
  | { start: "process"; file: string; args: string[]; argsCut: boolean }
  | { start: "nothing"; why: string };

/** What one argument may measure. The system refuses 128 KiB; stdin has everything. */
export const ARGUMENT_BYTES = 32 * 1024;

/**
 * How a hook's `command` becomes a process. A command that names an existing file is that file, whatever stands in its
 * path, and gets the arguments; anything else is a text for the shell, which gets them only when it reads them. No
 * value is ever pasted into the text.
 */
export function planCommand(command: string, around: CommandSurroundings): CommandPlan {
  const script = findScript(command.trim(), around);
  if (script?.kind === "not executable") return { start: "nothing", why: `not executable: ${script.path}` };
  const shell = findShell(around);
  if (script) {
    const { args, argsCut } = fitArguments(around.hookArgs());
    // The system would give such a script to sh; a hook is promised bash where there is one.
    if (script.kind === "script without #!") {
      return { start: "process", file: shell.file, args: [...shell.quiet, script.path, ...args], argsCut };
    }
    return { start: "process", file: script.path, args, argsCut };
  }
  const text = [...shell.quiet, "-c", command];
  if (!readsArguments(command)) return { start: "process", file: shell.file, args: text, argsCut: false };
  const { args, argsCut } = fitArguments(around.hookArgs());
  return {
    start: "process",
    file: shell.file,
    args: [...text, withoutNul(around.hookName), ...args],
    argsCut,
  };
}

/**
 * An unquoted `$CLAUDE_PROJECT_DIR/x.sh --flag` falls apart at the spaces of the folder, and the shell then complains
 * about a program nobody wrote. The command is right in every other folder, so the hint is worth a line.
 */
export function unquotedFolderHint(command: string, projectDir: string): string | undefined {
  const variable = /(?<!["\w}])\$\{?((?:WAVE|CLAUDE)_PROJECT_DIR)\b/.exec(command)?.[1];
  if (variable === undefined || !/\s/.test(projectDir)) return undefined;
  return `The project's folder has a space in its name: write "$${variable}" with quotes around it in the command.`;
}

interface Script {
  path: string;
  kind: Exclude<FileKind, "nothing">;
}

function findScript(command: string, around: CommandSurroundings): Script | undefined {
  if (command === "" || isProgramOnPath(command, around)) return undefined;
  for (const reading of readings(command, around)) {
    const path = resolve(around.projectDir, reading);
    const kind = around.look(path);
    if (kind !== "nothing") return { path, kind };
  }
  return undefined;
}

/** `make` means the program make, also in a project that has a file of that name: a bare word is looked up on PATH. */
function isProgramOnPath(command: string, { look, env }: CommandSurroundings): boolean {
  if (/[/\s]/.test(command)) return false;
  return absoluteFolders(env).some((folder) => RUNS.has(look(join(folder, command))));
}

const RUNS: ReadonlySet<FileKind> = new Set(["program", "script without #!"]);

/** The ways in which a text can be the name of one file, the most literal first. */
function readings(command: string, { projectDir, env }: CommandSurroundings): string[] {
  const variables = { ...foldersIn({ projectDir, env }), HOME: env["HOME"] };
  // With a function as the replacement: in a string, `$&` and its like would be read as patterns.
  const fillIn = (text: string) =>
    text.replace(
      VARIABLE,
      (mention, braced?: string, bare?: string) =>
        Object.entries(variables).find(([name]) => name === (braced ?? bare))?.[1] ?? mention,
    );
  const atHome = (text: string) =>
    env["HOME"] === undefined ? text : text.replace(/^~(?=\/)/, () => env["HOME"] ?? "~");
  const word = readShellWord(command, fillIn);
  return [...new Set([command, fillIn(atHome(command)), ...(word === undefined ? [] : [atHome(word)])])];
}

/** Folders that a hook's command may name, whatever stands in their paths. */
export function foldersIn({
  projectDir,
  env = {},
}: {
  projectDir: string;
  env?: Env;
}): Record<string, string> {
  const plugin = env["CLAUDE_PLUGIN_ROOT"];
  return {
    WAVE_PROJECT_DIR: projectDir,
    CLAUDE_PROJECT_DIR: projectDir,
    ...(plugin !== undefined && { CLAUDE_PLUGIN_ROOT: plugin }),
  };
}

type Env = Readonly<Record<string, string | undefined>>;

const VARIABLE = /\$(?:\{(\w+)\}|(\w+))/g;

/**
 * The value of a text that a shell reads as a single plain word, such as `"$CLAUDE_PROJECT_DIR"/a\ b.sh`; undefined
 * when it is more than that (several words, a pipe, a glob, a substitution): then only the shell knows what it means.
 */
function readShellWord(text: string, fillIn: (text: string) => string): string | undefined {
  const piece = /'([^']*)'|"((?:[^"\\`]|\\.)*)"|\\(.)|((?:\$\{\w+\}|[^\s'"\\|&;<>()`*?[\]{}#!])+)/suy;
  let word = "";
  while (piece.lastIndex < text.length) {
    const match = piece.exec(text);
    if (!match) return undefined;
    const [, single, double, escaped, plain] = match;
    word += single ?? escaped ?? fillIn(plain ?? (double ?? "").replace(/\\([$`"\\])/g, "$1"));
  }
  return word;
}

function findShell({ look, env, projectDir }: CommandSurroundings): { file: string; quiet: string[] } {
  const bash = [...searchFolders(env["PATH"], projectDir), "/bin", "/usr/bin"]
    .map((folder) => join(folder, "bash"))
    .find((path) => look(path) === "program");
  // --norc: Node's pipes are sockets, and bash with a socket on stdin believes that a remote login started it and
  // reads ~/.bashrc even for -c.
  return bash === undefined ? { file: "/bin/sh", quiet: [] } : { file: bash, quiet: ["--norc"] };
}

export function absoluteFolders(env: Readonly<Record<string, string>>): string[] {
  return (env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
}

/** `$1`, `${2:-x}`, `$@`, `"$*"`, `$#`. A mention that the shell would not expand costs nothing but an argument. */
export function readsArguments(command: string): boolean {
  return /\$(?:[1-9@*#]|\{[#!]?[1-9@*])/.test(command);
}

/** A NUL cannot be in an argument; leaving it out changes what the hook sees, so it counts as a cut. */
function fitArguments(values: readonly string[]): { args: string[]; argsCut: boolean } {
  const args = values.map((value) => firstBytes(withoutNul(value), ARGUMENT_BYTES));
  return { args, argsCut: args.some((arg, index) => arg !== values[index]) };
}

/** The longest beginning of a text that fits, never ending inside a character. */
function firstBytes(text: string, bytes: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read);
}

function withoutNul(text: string): string {
  return text.replaceAll("\0", "");
}

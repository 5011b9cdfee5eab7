import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { RunRegister } from "../process/runRegister.ts";
import { explainFailure } from "./explainFailure.ts";

/** What the shell does after the command: tell which folder it ended in, or stay until its own background jobs end. */
export type AtExit = "record-folder" | "wait-for-jobs";

/** A command ready for `startProcess`. */
export interface ShellCommand {
  file: string;
  args: string[];
  env: Record<string, string>;
  /** The folder the command left its shell in; undefined when the shell could not say (it was killed). */
  endFolder(): string | undefined;
  /** What its shell reads and writes for Wave. */
  own: { read: readonly string[]; write: readonly string[] };
  /** Removes what was set up for the command. */
  remove(): void;
  /** What the model should know about how the command runs. */
  note: string | undefined;
}

export interface ShellRequest {
  command: string;
  projectDir: string;
  cwd: string;
  env: Record<string, string>;
  atExit: AtExit;
  register: RunRegister | undefined;
}

/**
 * A command as a process without terminal and profile. bash reads the file that BASH_ENV names before the command, and
 * that file sets a trap; the command itself stays exactly as it was written, with its own line numbers, output and exit
 * code. Two tiny files, written without a promise: going through Node's thread pool would cost five times as much.
 */
export function prepareShell(request: ShellRequest, shell = findShell(request)): ShellCommand {
  // bash keeps a folder's name as the person wrote it, with its symbolic links, only when PWD names that folder.
  const env = { ...request.env, PWD: request.cwd };
  const plain = { file: shell.file, args: argumentsFor(shell, request.command), env, note: undefined };
  try {
    return { ...plain, ...withTrap(shell, { ...request, env }) };
  } catch (error) {
    // The command that frees the disk must still run on a full disk.
    const note = `[${explainFailure("write to", tmpdir(), error)} A change of folder in this command is not kept.]`;
    const own = { read: [], write: [] };
    return { ...plain, note, own, endFolder: () => undefined, remove: () => {} };
  }
}

/** Never through something that is there already. */
const PRIVATE = { mode: 0o600, flag: "wx" };

function withTrap(
  shell: Shell,
  { command, env, atExit, register }: ShellRequest,
): Pick<ShellCommand, "args" | "env" | "own" | "endFolder" | "remove"> {
  const folder = mkdtempSync(join(register?.temporaryFolder() ?? tmpdir(), "wave-bash-"));
  const remove = () => removeFolder(folder);
  const record = join(folder, "folder");
  const endFolder = () => readRecord(record);
  const trap = atExit === "record-folder" ? recordFolder(record) : "wait";
  const preamble = join(folder, "preamble");
  const events = atExit === "record-folder" && replacesTrap(command) ? "EXIT DEBUG" : "EXIT";
  try {
    // The shell would make it for everybody to read, if that is what its umask says.
    writeFileSync(record, "", PRIVATE);
    if (shell.kind === "sh") {
      const args = argumentsFor(shell, `trap ${quote(trap)} 0; ${command}`);
      return { args, env, own: { read: [], write: [record] }, endFolder, remove };
    }
    writeFileSync(preamble, `${restoreBashEnv(env)}\ntrap ${quote(trap)} ${events}\n`, PRIVATE);
  } catch (error) {
    remove();
    throw error;
  }
  const own = { read: [preamble], write: [record] };
  return { args: argumentsFor(shell, command), env: { ...env, BASH_ENV: preamble }, own, endFolder, remove };
}

/**
 * `exec` leaves no shell to run a trap, and a command may set its own EXIT trap: then the folder is recorded before each
 * step as well. Not always, because that costs a write for every step of a loop.
 */
function replacesTrap(command: string): boolean {
  return /\b(exec|trap)\b/.test(command);
}

/**
 * Must show nowhere: stderr is closed around it because of `set -x`, `|| :` is for `set -e`, `>|` for `set -C`, and
 * `command` for a function named pwd.
 */
function recordFolder(file: string): string {
  return `{ command pwd >|${quote(file)} || :; } 2>/dev/null`;
}

/** Children of the command get the BASH_ENV they would have had, and so does the command. */
function restoreBashEnv(env: Record<string, string>): string {
  const original = env["BASH_ENV"];
  if (original === undefined) return "unset BASH_ENV";
  return `BASH_ENV=${quote(original)}\nif [ -r "$BASH_ENV" ]; then . "$BASH_ENV"; fi`;
}

function readRecord(file: string): string | undefined {
  try {
    // Exactly one line end is the shell's; any other is part of the name.
    return readFileSync(file, "utf8").replace(/\n$/, "") || undefined;
  } catch {
    // ENOENT: the shell was killed before it could write.
    return undefined;
  }
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // EACCES, EBUSY: a folder that stays behind must not cost the command its result.
  }
}

export interface Shell {
  kind: "bash" | "sh";
  file: string;
}

/** bash, or sh where there is none; not from a folder of the project, which must not bring its own shell. */
function findShell({ env, projectDir }: ShellRequest): Shell {
  const folders = (env["PATH"] ?? "")
    .split(":")
    .filter((folder) => isAbsolute(folder) && !`${folder}/`.startsWith(`${projectDir}/`));
  const bash = [...folders, "/bin", "/usr/bin"]
    .map((folder) => join(folder, "bash"))
    .find((file) => existsSync(file));
  return bash === undefined ? { kind: "sh", file: "/bin/sh" } : { kind: "bash", file: bash };
}

function argumentsFor({ kind }: Shell, text: string): string[] {
  // --norc: bash reads ~/.bashrc even for -c when it believes that a remote login started it. The last argument is the
  // name under which the shell speaks of itself in error messages.
  return [...(kind === "bash" ? ["--norc"] : []), "-c", text, kind];
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

import { statSync } from "node:fs";
import { errorCode } from "../utils/errorCode.ts";
import { mayExecute } from "../workspace/files/fileFacts.ts";
import { fileStart } from "../workspace/files/plainFile.ts";

export interface StartFailure {
  /** As the system names it (ENOENT, EACCES, E2BIG …). */
  code: string;
  /** One sentence for a person. */
  message: string;
}

/** Failures that pass by themselves: a program somebody is still writing, a moment without free process slots. */
const PASSING = ["ETXTBSY", "EAGAIN"];

export function passesByItself(error: unknown): boolean {
  return PASSING.includes(errorCode(error) ?? "");
}

/** Says what is really missing: for a vanished folder Node blames the command, and for a bad `#!` line the script. */
export function startFailure(error: unknown, request: { file: string; cwd: string }): StartFailure {
  const code = codeOf(error);
  return { code, message: explain(code, error, request) };
}

export function codeOf(error: unknown): string {
  return errorCode(error) ?? "UNKNOWN";
}

function explain(code: string, error: unknown, { file, cwd }: { file: string; cwd: string }): string {
  if (!isFolder(cwd)) return `The folder ${cwd} does not exist any more, so nothing can be started in it.`;
  if (!mayExecute(cwd)) return `The folder ${cwd} may not be entered, so nothing can be started in it.`;
  switch (code) {
    case "ENOENT":
      return explainMissing(file);
    case "EACCES":
      return `not executable: ${file}`;
    case "E2BIG":
      return `${file} cannot be started: its arguments and environment are larger than the system allows.`;
    case "EMFILE":
    case "ENFILE":
      return `${file} cannot be started: too many files are open.`;
    case "EAGAIN":
      return `${file} cannot be started: the system has no room for another process.`;
    case "ETXTBSY":
      return `${file} cannot be started: another program is still writing it.`;
    default:
      return `${file} cannot be started: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function explainMissing(file: string): string {
  const interpreter = file.includes("/")
    ? fileStart(file, 256)
        ?.toString("utf8")
        .match(/^#!\s*([^ \t\n]*)/)?.[1]
    : undefined;
  if (interpreter === undefined) return `${file} does not exist.`;
  if (interpreter.endsWith("\r")) {
    return `${file} cannot be started: its lines end as on Windows, so its first line names no program; save it with LF line ends.`;
  }
  return `${file} cannot be started: its first line names ${interpreter}, which does not exist.`;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

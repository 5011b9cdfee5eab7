import { resolve } from "node:path";
import { readLine } from "wave-shell-reader";
import { statOf } from "../files/fileFacts.ts";
import { fileStart } from "../files/plainFile.ts";

/** Programs of the system are not a hook's own, and change with every update. */
export const isOfSystem = (path: string) => /^\/(usr|bin|sbin|lib|lib64|dev|proc|sys|nix|opt)\//.test(path);

interface Place {
  projectDir: string;
  home: string | undefined;
}

/**
 * The scripts that a hook's command names. The command is read as a shell would, so a path in quotes, behind an interpreter or
 * behind `$WAVE_PROJECT_DIR` is found.
 */
export const scriptsOf = (command: string | undefined, place: Place): string[] =>
  command === undefined ? [] : filesNamedBy(command, place).filter(isScript);

/** Every file that a command might run, whether it is there or not: the same for the same command. */
export const filesNamedBy = (command: string, place: Place): readonly string[] =>
  namedBy(command, place).files;

/** What a hook's command names: programs, and files that it might run. */
interface Named {
  programs: readonly string[];
  files: readonly string[];
}

/** Reading a long command takes milliseconds, and several parts of Wave ask about the same ones, some of them for every call. */
const readings = new Map<string, Named>();
const READINGS_KEPT = 200;

export function namedBy(command: string, place: Place): Named {
  const key = JSON.stringify([command, place.projectDir, place.home]);
  const known = readings.get(key);
  if (known) return known;
  const named = readCommand(command, place);
  readings.set(key, named);
  const [oldest] = readings.keys();
  if (readings.size > READINGS_KEPT && oldest !== undefined) readings.delete(oldest);
  return named;
}

function readCommand(command: string, { projectDir, home }: Place): Named {
  const variables = { HOME: home, WAVE_PROJECT_DIR: projectDir, CLAUDE_PROJECT_DIR: projectDir };
  const { accesses, programs } = readLine(command, { folder: projectDir, variables });
  const named = accesses.flatMap(({ access, path: { known, names } }) =>
    access !== "write" && known !== undefined && names.length === 0 ? [known] : [],
  );
  // A command may be the path of one file, with spaces in it.
  const paths = [command.trim(), ...named].map((path) => resolve(projectDir, path));
  return {
    programs: programs.map(({ name }) => name),
    files: [...new Set(paths)].filter((path) => !isOfSystem(path)),
  };
}

/** What a hook only looks at changes every day. */
export function isScript(path: string): boolean {
  const stats = statOf(path);
  if (!stats?.isFile()) return false;
  return (stats.mode & 0o111) !== 0 || isScriptName(path) || fileStart(path, 2)?.toString("latin1") === "#!";
}

/** By its ending. */
export const isScriptName = (path: string) => SCRIPT.test(path);

const SCRIPT = /\.(?:sh|bash|zsh|fish|py|js|mjs|cjs|ts|mts|cts|rb|pl|php|lua|awk|jq|mk)$/;

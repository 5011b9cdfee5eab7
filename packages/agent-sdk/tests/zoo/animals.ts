import { chmodSync, cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { HookExecutionResult } from "../../src/hooks/result.ts";
import { tempFolder } from "../support/tempFolder.ts";

/** The zoo of misbehaving hooks: what each does, as the runner must tell it. */
export const ZOO = fileURLToPath(new URL("../fixtures/zoo", import.meta.url));
export const TIMEOUT_MS = 1_000;
/** Bytes kept of each stream. */
export const KEPT = 1024 * 1024;

type Expected = Partial<Record<keyof HookExecutionResult, unknown>>;

export interface Animal {
  result: Expected;
  /** Something goes on living, because the hook ended in time and meant it to. */
  leavesAChild?: true;
  /** Bytes of tool input; stdin and arguments grow with it. */
  inputBytes?: number;
}

const LARGE = 10 * 1024 * 1024;
const timedOut: Animal = {
  result: { success: false, timedOut: true, exitCode: undefined, duration: TIMEOUT_MS },
};
const passed = (more: Expected): Expected => ({ success: true, timedOut: false, exitCode: 0, ...more });
const blocked = (more: Expected = {}): Expected => ({
  success: false,
  timedOut: false,
  exitCode: 2,
  ...more,
});
const killed = (signal: string, more: Expected = {}): Expected => ({
  success: false,
  timedOut: false,
  exitCode: undefined,
  signal,
  ...more,
});
const notStarted = (sentence: string): Animal => ({
  result: {
    success: false,
    timedOut: false,
    exitCode: undefined,
    error: { way: "not-started", message: expect.stringContaining(sentence) },
  },
});

export const HANGS: Record<string, Animal> = {
  "sleeps.sh": timedOut,
  "ignores-term.sh": timedOut,
  "argues-with-term.sh": timedOut,
  "pretends-success-at-term.sh": timedOut,
  "floods-at-term.sh": timedOut,
  "stops-itself.sh": timedOut,
  "stops-its-child.sh": timedOut,
  "waits-for-children.sh": timedOut,
  "many-children.sh": timedOut,
  "leaves-the-group.sh": timedOut,
  "forks-twice.sh": timedOut,
  "sheds-its-mark.sh": timedOut,
  "respawns.sh": timedOut,
  "closes-everything.sh": timedOut,
  "blocks-before-it-begins.sh": timedOut,
};

export const LEAVES_A_CHILD: Record<string, Animal> = {
  "background-child.sh": { result: passed({ stdout: "done\n" }), leavesAChild: true },
  "background-child-and-block.sh": { result: blocked({ stderr: "not allowed\n" }), leavesAChild: true },
  "background-child-that-prints.sh": {
    result: passed({ stdout: expect.stringContaining("done\n") }),
    leavesAChild: true,
  },
  "background-daemon.sh": { result: passed({ stdout: "done\n" }), leavesAChild: true },
};

export const MISTREATS_INPUT: Record<string, Animal> = {
  "never-reads.sh": { result: blocked({ argsCut: true }), inputBytes: LARGE },
  "closes-stdin.sh": { result: blocked(), inputBytes: LARGE },
  "reads-a-byte-and-hangs.sh": { ...timedOut, inputBytes: LARGE },
};

export const MISTREATS_OUTPUT: Record<string, Animal> = {
  "floods-stdout.sh": timedOut,
  "floods-stderr.sh": timedOut,
  "fifty-megabytes-out.sh": {
    result: passed({ truncated: { stdout: 50_000_000 - KEPT, stderr: 0 } }),
  },
  "fifty-megabytes-err.sh": {
    result: blocked({ truncated: { stdout: 0, stderr: 50_000_000 - KEPT } }),
  },
  "one-long-line.sh": { result: passed({ truncated: { stdout: 20_000_000 - KEPT, stderr: 0 } }) },
  "closes-stdout.sh": { result: blocked({ stdout: "", stderr: "" }) },
  "not-utf8.sh": { result: passed({ stdout: "before \uFFFD\uFFFD after", stderr: "half \uFFFD" }) },
  "wants-a-terminal.sh": { result: { success: false, timedOut: false, exitCode: 1 } },
};

export const ENDS_BADLY: Record<string, Animal> = {
  "kills-itself.sh": { result: killed("SIGKILL", { stdout: '{"decision":\n' }) },
  "crashes.sh": { result: killed("SIGSEGV") },
  "kills-its-group.sh": { result: killed("SIGKILL") },
  "not-executable.sh": notStarted("not executable: "),
  "no-interpreter.sh": notStarted("names /nowhere/interpreter, which does not exist"),
  "windows-lines.sh": notStarted("its lines end as on Windows"),
  "no-first-line.sh": { result: blocked() },
  "exits-255.sh": { result: { success: false, timedOut: false, exitCode: 255 } },
  "deletes-itself.sh": { result: blocked({ stderr: "gone\n" }) },
  // bash calls a syntax error 2, which blocks: its words say which file.
  "syntax-error.sh": { result: blocked({ stderr: expect.stringContaining("syntax-error.sh") }) },
};

/** A fresh copy of the zoo, or of one of its animals, in a folder of the kind people really have. */
export function zooProject(only?: string) {
  const folder = tempFolder("my zoo");
  cpSync(ZOO, folder.path, {
    recursive: true,
    filter: (path) => only === undefined || path === ZOO || path.endsWith(`/${only}`),
  });
  // Set here, so that the test does not depend on how the files were checked out.
  for (const name of readdirSync(folder.path))
    chmodSync(join(folder.path, name), name === "not-executable.sh" ? 0o644 : 0o755);
  return folder;
}

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** What is made to fail: every system call with which Node writes, waits for the disk, and puts a file in its place. */
export const CALLS = [
  "write",
  "pwrite64",
  "writev",
  "fsync",
  "fdatasync",
  "rename",
  "renameat",
  "renameat2",
] as const;
export type Call = (typeof CALLS)[number];

export interface Fault {
  call: Call;
  /** Which one, counted from 1 in each thread. */
  at: number;
  error: "ENOSPC" | "EIO";
  /** A disk that fails once, or one that stays as it is. */
  lasts: "once" | "on";
}

const WRITES: ReadonlySet<Call> = new Set(["write", "pwrite64", "writev"]);

export const whyNoStrace = (): string | undefined => {
  const { error, status, stderr } = spawnSync("strace", ["-f", "--seccomp-bpf", "-o", "/dev/null", "true"], {
    encoding: "utf8",
  });
  return status === 0 ? undefined : (error?.message ?? stderr);
};

/**
 * A command that runs another one and has one of its calls fail. Of writes only those to `files` are counted: the others
 * are those of the event loop, of pipes and of the network.
 */
export function failing({ call, at, error, lasts }: Fault, files: readonly string[], log: string): string[] {
  const when = lasts === "once" ? `${at}` : `${at}+`;
  return [
    ...tracing([call], WRITES.has(call) ? files : [], log),
    "-e",
    `inject=${call}:error=${error}:when=${when}`,
  ];
}

/** A command that runs another one and only counts. */
export function counting(log: string): string[] {
  return tracing(CALLS, [], log);
}

/**
 * How often each call was made by the thread that made it most; of writes only those to `files`. What happens in the folder
 * `but` happens once.
 */
export function countsIn(log: string, files: readonly string[], but: string): Map<Call, number> {
  const byThread = new Map<string, number>();
  for (const line of linesOf(log)) {
    const [, thread, name] = /^(\d+)\s+(\w+)\(/.exec(line) ?? [];
    const call = CALLS.find((known) => known === name);
    if (
      !call ||
      line.includes(but) ||
      (WRITES.has(call) && !files.some((file) => line.includes(`<${file}>`)))
    )
      continue;
    byThread.set(`${thread} ${call}`, (byThread.get(`${thread} ${call}`) ?? 0) + 1);
  }
  const most = (call: Call) =>
    Math.max(0, ...[...byThread].filter(([key]) => key.endsWith(` ${call}`)).map(([, times]) => times));
  return new Map(CALLS.map((call) => [call, most(call)]));
}

/** The calls that failed because they were told to. */
export function injectedIn(log: string): string[] {
  return linesOf(log).filter((line) => line.includes("(INJECTED)"));
}

function linesOf(log: string): string[] {
  return existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
}

function tracing(calls: readonly Call[], files: readonly string[], log: string): string[] {
  const only = files.flatMap((file) => ["-P", file]);
  // Only the calls that are looked for stop the program: without the filter every single one would.
  return [
    "strace",
    "-f",
    "--seccomp-bpf",
    "-qq",
    "-y",
    "-s",
    "60",
    "-o",
    log,
    ...only,
    "-e",
    `trace=${calls.join(",")}`,
  ];
}

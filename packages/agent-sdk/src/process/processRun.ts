import type { RunRegister } from "./runRegister.ts";

/** One captured stream: head and tail of what was printed, never more than the limits asked for. */
export interface Captured {
  text: string;
  /** Bytes printed in all. */
  bytes: number;
  /** Bytes not kept; 0 when `text` is everything. */
  cut: number;
}

/** How a process ended is a union with no "success" in it: nothing can disagree with the exit code. */
export type ProcessEnd =
  | { end: "exited"; code: number }
  | { end: "signalled"; signal: string }
  | { end: "timed-out"; afterMs: number }
  | { end: "aborted" }
  | { end: "not-started"; code: string; message: string };

export type ProcessRun = ProcessEnd & {
  stdout: Captured;
  stderr: Captured;
  durationMs: number;
  /** Of a wrapper: what it wrote on descriptor 3. */
  report?: string;
};

export interface ProcessRequest {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** Written to stdin, then end of file. Absent: stdin is empty. */
  stdin?: string;
  /** stdin stays open for `write`; its end comes with the end of the process. */
  keepsInputOpen?: boolean;
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Bytes kept of each stream, half at the head and half at the tail. */
  keepBytes: number;
  /** Every byte as it comes, decoded without breaking characters. */
  onOutput?: (text: string, stream: "stdout" | "stderr") => void;
  /** What it prints goes through pipes, so that a script can open `/dev/stdout` and `/dev/stderr`. It costs a few milliseconds. */
  opensOutput?: boolean;
  /**
   * The file starts the real program, takes it along when it dies, and says on descriptor 3 how far it came. It is spared by
   * SIGTERM: otherwise what it wraps would have no moment to tidy up.
   */
  isWrapper?: boolean;
  /** What a wrapper reads from descriptor 4. */
  wrapperInput?: Buffer | undefined;
  /** Where it is noted while it runs. */
  register?: Pick<RunRegister, "starting" | "started" | "ended" | "making"> | undefined;
}

export interface RunningProcess {
  readonly pid: number | undefined;
  /** Never rejects. */
  readonly done: Promise<ProcessRun>;
  /** To a process with `keepsInputOpen`. What it never reads is kept in memory until it ends. */
  write(text: string): void;
  /** Ends the process and everything it started: SIGTERM, then SIGKILL. */
  kill(): void;
}

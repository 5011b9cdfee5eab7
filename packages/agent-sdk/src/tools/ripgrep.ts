import { runProcess } from "../services/process.ts";

/** A search that takes longer than this is on the wrong folder. */
const TIMEOUT_MS = 60_000;

export interface Search {
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  signal: AbortSignal;
  /** What ends an entry of the output. */
  separator: "\n" | "\0";
  /** Says whether the entry may count: an error message must not tell that something was found in a file that is kept back. */
  onEntry: (entry: string) => boolean;
}

/**
 * `complete`: everything was searched. `incomplete`: what was found is right, but something could not be searched.
 * `failed`: there is no result.
 */
export type SearchEnd = { end: "complete" } | { end: "incomplete" | "failed"; why: string };

/** Entries are handed over as they come, so a search may find more than fits into memory. */
export async function ripgrep(search: Search): Promise<SearchEnd> {
  const { args, cwd, env, signal, separator, onEntry } = search;
  const program = await findProgram();
  if ("problem" in program) return { end: "failed", why: program.problem };
  let unfinished = "";
  let entries = 0;
  const run = await runProcess({
    file: program.path,
    // A configuration file of the person could change what every search means.
    args: ["--no-config", "--color=never", ...args],
    cwd,
    env,
    timeoutMs: TIMEOUT_MS,
    signal,
    keepBytes: 4000,
    onOutput(text, stream) {
      if (stream === "stderr") return;
      const pieces = (unfinished + text).split(separator);
      unfinished = pieces.pop() ?? "";
      for (const piece of pieces) if (onEntry(piece)) entries++;
    },
  });
  switch (run.end) {
    case "exited":
      // 1 is "no matches", 2 an error: also one of many files that could not be read.
      if (run.code < 2) return { end: "complete" };
      return { end: entries > 0 ? "incomplete" : "failed", why: complaint(run.stderr.text) };
    case "timed-out":
      return { end: "incomplete", why: "The search was ended after 60 s. Search in a smaller folder." };
    case "aborted":
      return { end: "failed", why: "The search was stopped." };
    case "signalled":
      return { end: "failed", why: `The search was killed by ${run.signal}.` };
    case "not-started":
      return { end: "failed", why: run.message };
  }
}

/** Loaded when first needed: where the package for this platform is missing, the import throws. */
export async function findProgram(): Promise<{ path: string } | { problem: string }> {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return { path: rgPath };
  } catch (error) {
    return { problem: `ripgrep is not installed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function complaint(stderr: string): string {
  const text = stderr.replaceAll(/^rg: /gm, "").trim();
  return text === "" ? "The search failed without a word." : text;
}

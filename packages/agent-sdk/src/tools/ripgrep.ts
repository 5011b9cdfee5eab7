import { runProcess } from "../services/process.ts";
import { withinTime } from "../utils/withinTime.ts";

/** A search that takes longer than this is on the wrong folder. */
const TIMEOUT_MS = 60_000;

/** What may be spent on the entries that come at once, some hundreds. */
const ENTRIES_MS = 300;
const TOO_SLOW = "The pattern takes too long to compare with the names of files. Write one with fewer stars.";

export interface Search {
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  signal: AbortSignal;
  /** What ends an entry of the output. */
  separator: "\n" | "\0";
  /** Which entries are meant, by a pattern that somebody else wrote: it may be one that takes for ever. */
  wanted?: (entry: string) => boolean;
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
  const { args, cwd, env, signal, separator, wanted, onEntry } = search;
  const program = await findProgram();
  if ("problem" in program) return { end: "failed", why: program.problem };
  let unfinished = "";
  let entries = 0;
  // A pattern that takes too long ends the search; the person's own interrupt does so as well.
  const slow = new AbortController();
  const run = await runProcess({
    file: program.path,
    // A configuration file of the person could change what every search means.
    args: ["--no-config", "--color=never", ...args],
    cwd,
    env,
    timeoutMs: TIMEOUT_MS,
    signal: AbortSignal.any([signal, slow.signal]),
    keepBytes: 4000,
    onOutput(text, stream) {
      if (stream === "stderr") return;
      const pieces = (unfinished + text).split(separator);
      unfinished = pieces.pop() ?? "";
      if (slow.signal.aborted) return;
      const meant = wanted ? withinTime(ENTRIES_MS, () => pieces.filter(wanted)) : { value: pieces };
      if (!meant) return slow.abort();
      for (const piece of meant.value) if (onEntry(piece)) entries++;
    },
  });
  if (slow.signal.aborted) return { end: "failed", why: TOO_SLOW };
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

/** What ripgrep says. Of files that it could not read only how many: while it looked, one of them may have lain elsewhere. */
function complaint(stderr: string): string {
  const unread = new Map<string, number>();
  const lines = stderr
    .replaceAll(/^rg: /gm, "")
    .trim()
    .split("\n")
    .filter((line) => {
      const why = /: ([^:]+) \(os error \d+\)$/.exec(line)?.[1];
      if (why !== undefined) unread.set(why, (unread.get(why) ?? 0) + 1);
      return why === undefined;
    });
  const counted = [...unread].map(
    ([why, count]) => `${count === 1 ? "1 file" : `${count} files`} could not be read: ${why}`,
  );
  const text = [...lines, ...counted].join("\n").trim();
  return text === "" ? "The search failed without a word." : text;
}

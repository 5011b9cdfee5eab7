import { stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import picomatch from "picomatch";
import { z } from "zod";
import { holdName } from "../workspace/files/held.ts";
import { GatePass } from "./gatePass.ts";
import { changedNotes, filteredNotes } from "./filteredNotes.ts";
import { cannotRun, refusal } from "./outcome.ts";
import { absolutePath, isFolder, missing } from "./paths.ts";
import { ripgrep } from "./ripgrep.ts";
import { judgedPlace } from "./textFiles.ts";
import { defineTool, type ToolCallContext, type ToolOutcome, type ToolPlace } from "./tool.ts";

const description =
  "Finds files by name (**/*.ts, src/{a,b}*.js), newest first, without what .gitignore leaves out. A pattern without / looks in all folders.";

const input = z.strictObject({
  pattern: z.string().min(1).max(1_000),
  path: z.string().min(1).optional().describe("Folder to search; default: the working folder"),
});
type GlobInput = z.infer<typeof input>;

const MAX_FILES = 200;

export const globTool = defineTool<GlobInput>({
  name: "Glob",
  description,
  input,
  parallel: true,
  pathFields: ["path"],
  effect: (asked, session) => ({ does: "read", paths: [placeOf(asked, session).root], below: true }),
  preflight: async (asked, { session }) => whyNowhere(placeOf(asked, session).root) ?? {},
  run: async (pass, context) => findFiles(GatePass.open(pass), context),
});

const whyNowhere = (root: string) => (isFolder(root) ? undefined : missing(root));

async function findFiles(
  asked: GlobInput,
  { session, signal, searchFilter, judgedFiles }: ToolCallContext,
): Promise<ToolOutcome> {
  const started = performance.now();
  if (asked.pattern.includes("\0"))
    return refusal("The pattern contains a NUL byte, which no file name can; leave it out.");
  const { root, matches } = placeOf(asked, session);
  const nowhere = whyNowhere(root);
  if (nowhere) return cannotRun(nowhere);
  const judged = await judgedPlace(root, judgedFiles);
  if ("problem" in judged) return cannotRun(judged);
  const found: string[] = [];
  const leftOut: string[] = [];
  const search = await ripgrep({
    // The pattern is not given to ripgrep: there it would win over .gitignore.
    args: ["--files", "--null", "--hidden", "--no-require-git", "--glob=!.git", "--", root],
    cwd: root,
    env: session.env,
    signal,
    separator: "\0",
    wanted: (path) => matches(relative(root, path)),
    onEntry(path) {
      const why = searchFilter?.(path);
      if (why === undefined) found.push(path);
      else leftOut.push(why);
      return why === undefined;
    },
  });
  if (search.end === "failed") return refusal(search.why);
  const newest = await newestFirst(found);
  const chosen = newest.slice(0, MAX_FILES);
  const really = await Promise.all(chosen.map((path) => isReally(path, root, judged.realPath)));
  const shown = chosen.filter((_, at) => really[at]);
  const lines = found.length === 0 ? [`No file in ${root} matches ${asked.pattern}.`] : shown;
  const notes = [...filteredNotes(leftOut), ...changedNotes(chosen.length - shown.length)];
  if (chosen.length < found.length) {
    notes.push(`[The newest ${chosen.length} of ${found.length} files. Narrow the pattern to see others.]`);
  }
  if (search.end === "incomplete") notes.push(`[Incomplete: ${search.why}]`);
  return {
    success: true,
    result: [...lines, ...notes].join("\n"),
    response: {
      filenames: shown,
      durationMs: Math.round(performance.now() - started),
      numFiles: found.length,
      truncated: shown.length < found.length,
    },
  };
}

/** A folder on the way may have been a link to elsewhere for a moment of the search, and then the name is from there. */
async function isReally(path: string, root: string, judged: string): Promise<boolean> {
  const expected = join(judged, relative(root, path));
  try {
    await using held = await holdName(expected);
    return held.realPath === expected;
  } catch {
    // Gone, or a link by now.
    return false;
  }
}

/** Where to look, and which of the paths below that are meant. The fixed beginning of a pattern is a place. */
function placeOf(
  { pattern, path }: GlobInput,
  session: ToolPlace,
): { root: string; matches: (path: string) => boolean } {
  const start = path === undefined ? session.cwd : absolutePath(path, session);
  const scanned = picomatch.scan(pattern);
  if (scanned.glob === "") {
    const name = basename(pattern);
    const root = dirname(resolve(start, pattern));
    const anywhere = !pattern.includes("/");
    return { root, matches: (found) => found === name || (anywhere && basename(found) === name) };
  }
  const glob = pattern.includes("/") ? scanned.glob : `**/${pattern}`;
  return { root: resolve(start, scanned.base), matches: picomatch(glob, { dot: true }) };
}

async function newestFirst(paths: string[]): Promise<string[]> {
  const dated: { path: string; modified: number }[] = [];
  // In groups: a hundred thousand open requests at once would cost more memory than the answer is worth.
  for (let from = 0; from < paths.length; from += 256) {
    const group = paths
      .slice(from, from + 256)
      .map(async (path) => ({ path, modified: await modifiedAt(path) }));
    dated.push(...(await Promise.all(group)));
  }
  return dated
    .toSorted((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1))
    .map(({ path }) => join(path));
}

async function modifiedAt(path: string): Promise<number> {
  // ENOENT: a link to nowhere, or a file that vanished meanwhile. It was there, so it is listed, as the oldest.
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

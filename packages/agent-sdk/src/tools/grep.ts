import { statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { z } from "zod";
import { GatePass } from "./gatePass.ts";
import { entryReader, markingFlags, Page, separatorOf, type GrepMode } from "./grepOutput.ts";
import { searchHeld } from "./heldSearch.ts";
import { changedNotes, filteredNotes } from "./filteredNotes.ts";
import { explainFailure } from "./explainFailure.ts";
import { cannotRun, refusal } from "./outcome.ts";
import { absolutePath, isFolder, missing } from "./paths.ts";
import { ripgrep, type SearchEnd } from "./ripgrep.ts";
import { judgedPlace } from "./textFiles.ts";
import {
  defineTool,
  type CannotRun,
  type ToolCallContext,
  type ToolOutcome,
  type ToolPlace,
} from "./tool.ts";

const description =
  "Searches file contents with ripgrep, without what .gitignore leaves out. Gives file names by default; output_mode content gives lines, count numbers.";

const lines = z.int().min(0).optional();
const input = z.strictObject({
  pattern: z.string().min(1).describe("Regular expression"),
  path: z.string().min(1).optional().describe("File or folder; default: the working folder"),
  glob: z.string().min(1).optional().describe("Only these files: *.{ts,tsx}"),
  type: z.string().min(1).optional().describe("Only this type: js, py, rust"),
  output_mode: z.enum(["content", "files_with_matches", "count"]).optional(),
  "-i": z.boolean().optional().describe("Ignore case"),
  "-n": z.boolean().optional().describe("Line numbers; default true"),
  "-A": lines.describe("Lines after"),
  "-B": lines.describe("Lines before"),
  "-C": lines.describe("Lines around"),
  multiline: z.boolean().optional().describe("Match across lines"),
  head_limit: z.int().min(1).optional().describe("Entries to show; default 200"),
});
type GrepInput = z.infer<typeof input>;

const DEFAULT_LIMIT = 200;
const LINE_LENGTH = 500;

export const grepTool = defineTool<GrepInput>({
  name: "Grep",
  description,
  input,
  parallel: true,
  pathFields: ["path"],
  effect: (asked, session) => ({ does: "read", paths: [rootOf(asked, session)], below: true }),
  preflight: async (asked, { session }) => whyNowhere(rootOf(asked, session)) ?? {},
  run: async (pass, context) => search(GatePass.open(pass), context),
});

function rootOf(asked: GrepInput, session: ToolPlace): string {
  return asked.path === undefined ? session.cwd : absolutePath(asked.path, session);
}

function whyNowhere(root: string): CannotRun | undefined {
  try {
    return statSync(root, { throwIfNoEntry: false }) ? undefined : missing(root);
  } catch (error) {
    return { problem: explainFailure("search", root, error) };
  }
}

async function search(asked: GrepInput, context: ToolCallContext): Promise<ToolOutcome> {
  const { session, signal } = context;
  const root = rootOf(asked, session);
  const nowhere = whyNowhere(root);
  if (nowhere) return cannotRun(nowhere);
  const judged = await judgedPlace(root, context.judgedFiles);
  if ("problem" in judged) return cannotRun(judged);
  const cwd = isFolder(session.cwd) ? session.cwd : session.projectDir;
  const mode = asked.output_mode ?? "files_with_matches";
  const form = { mode, lineNumbers: asked["-n"] !== false };
  const place = { cwd, name: nameFrom(cwd, root) };
  const how = { cwd, env: session.env, signal };
  const searchFilter = remembering((file) => context.searchFilter?.(resolve(cwd, file)));
  const listed = await notIgnored(asked, place, context);
  const found = new Map<string, number>();
  const end = await ripgrep({
    ...how,
    args: [...filters(asked), ...flags(asked, mode), ORDER[mode], "--", place.name],
    separator: separatorOf(mode),
    onEntry: entryReader(form, ({ file }) => {
      if (file === undefined || !listed.has(file) || searchFilter(file) !== undefined) return false;
      found.set(file, (found.get(file) ?? 0) + 1);
      return true;
    }),
  });
  if (end.end === "failed") return refusal(end.why);
  const page = new Page(asked.head_limit ?? DEFAULT_LIMIT);
  const changed = await searchHeld({
    ...how,
    form,
    flags: flags(asked, mode),
    found,
    placeOf: (file) => resolve(judged.realPath, relative(root, resolve(cwd, file))),
    searchFilter: context.searchFilter,
    page,
  });
  if (typeof changed === "object") return refusal(changed.why);
  const leftOut = await filesSearchFilter(asked, place, context, (file) =>
    listed.has(file) ? searchFilter(file) : undefined,
  );
  const text = page.total === 0 ? `No matches for ${asked.pattern} in ${root}.` : page.shown.join("\n");
  return {
    success: true,
    result: [
      text,
      ...notesOn(end.end === "complete" ? listed.end : end, page),
      ...changedNotes(changed),
      ...filteredNotes(leftOut),
    ].join("\n"),
    response: responseOf(mode, page),
  };
}

/** To ripgrep a glob wins over .gitignore. To Grep it narrows the search: only what is found without it counts. */
async function notIgnored(
  { glob, ...asked }: GrepInput,
  { cwd, name }: { cwd: string; name: string },
  { session, signal }: ToolCallContext,
): Promise<{ has: (file: string) => boolean; end: SearchEnd }> {
  if (glob === undefined || isEverything(glob)) return { has: () => true, end: { end: "complete" } };
  const files = new Set<string>();
  const end = await ripgrep({
    args: [...filters(asked), "--files", "--null", "--", name],
    cwd,
    env: session.env,
    signal,
    separator: "\0",
    onEntry: (file) => files.add(file).has(file),
  });
  return { has: (file) => files.has(file), end };
}

/**
 * Why files were left out, one reason for each. All files that the search would have looked into count, whether they have a
 * match or not: a number that depended on the pattern would tell, guess by guess, what is in them.
 */
async function filesSearchFilter(
  asked: GrepInput,
  { cwd, name }: { cwd: string; name: string },
  context: ToolCallContext,
  searchFilter: (file: string) => string | undefined,
): Promise<string[]> {
  if (context.searchFilter === undefined) return [];
  const reasons: string[] = [];
  await ripgrep({
    args: [...filters(asked), "--files", "--null", "--", name],
    cwd,
    env: context.session.env,
    signal: context.signal,
    separator: "\0",
    onEntry(file) {
      const why = searchFilter(file);
      if (why !== undefined) reasons.push(why);
      return why === undefined;
    },
  });
  return reasons;
}

/** A file with many matches is looked up once. */
function remembering(look: (file: string) => string | undefined): (file: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (file) => {
    if (!known.has(file)) known.set(file, look(file));
    return known.get(file);
  };
}

/** Which files are searched. */
function filters(asked: GrepInput): string[] {
  return [
    "--hidden",
    "--no-require-git",
    "--glob=!.git",
    ...(asked.type === undefined ? [] : [`--type=${asked.type}`]),
    ...(asked.glob === undefined || isEverything(asked.glob) ? [] : [`--glob=${asked.glob}`]),
  ];
}

/** Without an order, two searches for the same thing would answer differently. */
const ORDER: Record<GrepMode, string> = {
  files_with_matches: "--sortr=modified",
  count: "--sort=path",
  content: "--sort=path",
};

function flags(asked: GrepInput, mode: GrepMode): string[] {
  const lineLength = [`--max-columns=${LINE_LENGTH}`, "--max-columns-preview"];
  const around = (["-A", "-B", "-C"] as const).flatMap((flag) =>
    asked[flag] === undefined ? [] : [`${flag}${asked[flag]}`],
  );
  const byMode = {
    files_with_matches: ["--files-with-matches"],
    count: ["--count", "--with-filename"],
    content: [
      "--no-heading",
      "--with-filename",
      asked["-n"] === false ? "--no-line-number" : "--line-number",
      ...lineLength,
      ...around,
    ],
  };
  return [
    // Look-around and back-references need the other engine; it is taken only for patterns that use them.
    "--engine=auto",
    ...byMode[mode],
    ...markingFlags(mode),
    ...(asked["-i"] ? ["--ignore-case"] : []),
    ...(asked.multiline ? ["--multiline", "--multiline-dotall"] : []),
    `--regexp=${asked.pattern}`,
  ];
}

/** To ripgrep these would mean "also what .gitignore leaves out", whole folders of it. */
function isEverything(glob: string): boolean {
  return /^(\*\*\/)?\*{1,2}$/.test(glob);
}

/** Short names cost the model less, and are good for Read as they are. */
function nameFrom(cwd: string, root: string): string {
  const name = relative(cwd, root);
  if (name === "") return ".";
  return name === ".." || name.startsWith("../") ? root : name;
}

function notesOn(end: SearchEnd, { shown, total }: Page): string[] {
  const notes: string[] = [];
  if (shown.length < total)
    notes.push(`[The first ${shown.length} of ${total}. Narrow the search or set head_limit to see others.]`);
  if (end.end === "incomplete") notes.push(`[Incomplete: ${end.why}]`);
  return notes;
}

function responseOf(mode: GrepMode, { shown, total }: Page): Record<string, unknown> {
  const truncated = shown.length < total;
  if (mode === "files_with_matches") return { mode, filenames: shown, numFiles: total, truncated };
  const content = { mode, filenames: [], content: shown.join("\n"), truncated };
  if (mode === "content") return { ...content, numFiles: 0, numLines: total };
  const counts = shown.map((line) => Number(line.slice(line.lastIndexOf(":") + 1)));
  return { ...content, numFiles: total, numMatches: counts.reduce((sum, count) => sum + count, 0) };
}

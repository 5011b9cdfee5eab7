import type { Dirent } from "node:fs";
import { lstat, opendir, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import picomatch from "picomatch";
import { z } from "zod";
import { holdList } from "../workspace/files/held.ts";
import { codeOf } from "../process/startFailure.ts";
import { withinTime } from "../utils/withinTime.ts";
import { GatePass } from "./gatePass.ts";
import { filteredNotes } from "./filteredNotes.ts";
import { explainFailure } from "./explainFailure.ts";
import { cannotRun, refusal } from "./outcome.ts";
import { absolutePath, missing } from "./paths.ts";
import { whyElsewhere } from "./textFiles.ts";
import { defineTool, type CannotRun, type ToolCallContext, type ToolOutcome } from "./tool.ts";

const description = "Lists a folder: folders end in /, files have their size in bytes.";

const input = z.strictObject({
  path: z.string().min(1).describe("Absolute path"),
  ignore: z.array(z.string().max(1_000)).max(100).optional().describe("Names to leave out: *.log"),
});

const MAX_ENTRIES = 500;
/** What may be spent on comparing names with the patterns to leave out. */
const IGNORING_MS = 300;

export const lsTool = defineTool<z.infer<typeof input>>({
  name: "LS",
  description,
  input,
  parallel: true,
  pathFields: ["path"],
  effect: (asked, session) => ({ does: "read", paths: [absolutePath(asked.path, session)] }),
  async preflight(asked, { session }) {
    const path = absolutePath(asked.path, session);
    try {
      await (await opendir(path)).close();
      return {};
    } catch (error) {
      return whyNotListed(path, error);
    }
  },
  async run(pass, { session, searchFilter, judgedFiles }) {
    const asked = GatePass.open(pass);
    const path = absolutePath(asked.path, session);
    try {
      const elsewhere = await whyElsewhere(path, judgedFiles);
      if (elsewhere !== undefined) return cannotRun({ problem: elsewhere });
      await using held = await holdList(path);
      if (judgedFiles && !judgedFiles.includes(held.realPath))
        return refusal(`${path} was replaced while it was listed. Nothing was read; try again.`);
      return await list(path, held.path, asked.ignore ?? [], searchFilter);
    } catch (error) {
      return cannotRun(whyNotListed(path, error));
    }
  },
});

function whyNotListed(path: string, error: unknown): CannotRun {
  if (codeOf(error) === "ENOENT") return missing(path);
  if (codeOf(error) === "ENOTDIR") return { problem: `${path} is not a folder. Use Read to see a file.` };
  return { problem: explainFailure("list", path, error) };
}

/** `held`: the name under which the folder cannot become another one. */
async function list(
  path: string,
  held: string,
  ignore: string[],
  searchFilter: ToolCallContext["searchFilter"],
): Promise<ToolOutcome> {
  const ignored = ignore.length === 0 ? () => false : picomatch(ignore, { dot: true });
  const all = await readdir(held, { withFileTypes: true });
  const done = withinTime(IGNORING_MS, () => all.filter((entry) => !ignored(entry.name)));
  if (!done) return refusal("The patterns of ignore take too long to compare. Write some with fewer stars.");
  const wanted = done.value;
  const leftOut: string[] = [];
  const entries = wanted
    .filter((entry) => {
      const why = searchFilter?.(join(path, entry.name));
      if (why !== undefined) leftOut.push(why);
      return why === undefined;
    })
    .toSorted(foldersFirst);
  const shown = await Promise.all(entries.slice(0, MAX_ENTRIES).map((entry) => describeEntry(held, entry)));
  const notes: string[] = [];
  if (shown.length < entries.length) {
    notes.push(`[The first ${shown.length} of ${entries.length}. Use Glob to find others by name.]`);
  }
  if (wanted.length < all.length) notes.push(`[${all.length - wanted.length} left out by ignore]`);
  notes.push(...filteredNotes(leftOut, ["entry is", "entries are"]));
  const lines = entries.length === 0 ? [all.length === 0 ? `${path} is empty.` : "Nothing else."] : shown;
  return {
    success: true,
    result: [`${path}:`, ...lines, ...notes].join("\n"),
    response: { path, entries: shown, numEntries: entries.length, truncated: shown.length < entries.length },
  };
}

function foldersFirst(a: Dirent, b: Dirent): number {
  if (a.isDirectory() !== b.isDirectory()) return a.isDirectory() ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

async function describeEntry(folder: string, entry: Dirent): Promise<string> {
  const path = join(folder, entry.name);
  if (entry.isDirectory()) return `${entry.name}/`;
  try {
    if (entry.isSymbolicLink()) return `${entry.name} -> ${await readlink(path)}`;
    if (entry.isFile()) return `${entry.name}  ${(await lstat(path)).size}`;
  } catch {
    // ENOENT: it vanished since the folder was read. EACCES: its name is all that may be known.
    return entry.name;
  }
  return `${entry.name}  (special file)`;
}

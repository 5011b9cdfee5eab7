import { holdFile, type Held } from "../workspace/files/held.ts";
import { entryReader, separatorOf, type GrepEntry, type GrepForm, type Page } from "./grepOutput.ts";
import { ripgrep, type Search } from "./ripgrep.ts";

/** Every one of them is open at the same time. */
const MOST_HELD = 200;

interface HeldSearch extends Pick<Search, "cwd" | "env" | "signal"> {
  form: Pick<GrepForm, "mode" | "lineNumbers">;
  /** What is looked for and how it is printed, without where and in which order. */
  flags: readonly string[];
  /** The files in which something was found, in the order in which they are shown, each with how many entries. */
  found: ReadonlyMap<string, number>;
  /** Where such a file has to be, links followed. */
  placeOf: (file: string) => string;
  /** Asked by the name of the open file: whatever else it is called, a rule may be about it. */
  searchFilter: ((path: string) => string | undefined) | undefined;
  page: Page;
}

/**
 * Looks again for what was found, in files that are open and proven to be where the call was judged to read. While the first
 * search went through the folders, one of them or a file may have been a link to elsewhere for a moment: what came from there is
 * not found again. Resolves to how many files are not shown for that reason, or to why there is no result.
 */
export async function searchHeld(search: HeldSearch): Promise<number | { why: string }> {
  const { page } = search;
  const waiting = [...search.found];
  let changed = 0;
  while (waiting.length > 0 && page.room > 0) {
    const group: string[] = [];
    // No more of them than fill what is shown.
    for (let entries = 0; entries < page.room && group.length < MOST_HELD;) {
      const [file, count] = waiting.shift() ?? [];
      if (file === undefined || count === undefined) break;
      group.push(file);
      entries += count;
    }
    const confirmed = await searchGroup(group, search);
    if ("why" in confirmed) return confirmed;
    changed += group.length - confirmed.files;
  }
  for (const [, count] of waiting) page.total += count;
  return changed;
}

async function searchGroup(
  group: readonly string[],
  { placeOf, searchFilter, page, form, flags, ...place }: HeldSearch,
): Promise<{ files: number } | { why: string }> {
  const held = (
    await Promise.all(group.map(async (file) => ({ file, held: await heldAt(placeOf(file)) })))
  ).flatMap(({ file, held }) => (held ? [{ file, held }] : []));
  try {
    const open = held.filter((one) => searchFilter?.(one.held.path) === undefined);
    if (open.length === 0) return { files: 0 };
    const names = new Map(open.map((one) => [one.held.pathForChild, one.file]));
    const seen = new Set<string>();
    let gap: string | undefined;
    const show = ({ file, shown }: GrepEntry) => {
      if (file === undefined) gap = shown;
      else {
        // The mark between two places is worth a line only when both of them are shown.
        if (gap !== undefined && page.total > 0) page.add(gap);
        gap = undefined;
        seen.add(file);
        page.add(shown);
      }
      return true;
    };
    const end = await ripgrep({
      ...place,
      // One after the other, in the order in which they are given.
      args: [...flags, "--threads=1", "--", ...names.keys()],
      separator: separatorOf(form.mode),
      onEntry: entryReader({ ...form, nameOf: (path) => names.get(path) ?? path }, show),
    });
    return end.end === "failed" ? { why: end.why } : { files: seen.size };
  } finally {
    await Promise.all(held.map((one) => one.held.handle.close()));
  }
}

async function heldAt(path: string): Promise<Held | undefined> {
  try {
    const held = await holdFile(path);
    if (held.realPath === path && held.stats.isFile()) return held;
    await held.handle.close();
    return undefined;
  } catch {
    // Gone, or not ours to read any more.
    return undefined;
  }
}

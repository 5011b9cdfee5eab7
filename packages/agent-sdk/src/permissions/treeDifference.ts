import type { TreeChange } from "wave-shell-reader";

/** The files that a change of the work tree would change, or why nobody can tell. */
export type TreeDifference = { known: true; files: readonly ChangedFile[] } | { known: false; why: string };

export interface ChangedFile {
  path: string;
  /** What git would do with it. */
  does: "replace" | "bring" | "remove" | "change";
}

/** What git said about a change at a place; undefined when it was not asked. */
export type BroughtFiles = (change: TreeChange, place: string | undefined) => TreeDifference | undefined;

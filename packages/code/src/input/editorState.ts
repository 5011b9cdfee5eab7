import type { Fold } from "./folds.ts";

/** What the person did last, as far as the next action depends on it. */
export type LastAction = { did: "type" } | { did: "kill" } | { did: "yank"; nth: number } | { did: "other" };

export interface EditorState {
  readonly text: string;
  /** A UTF-16 index, always between two graphemes and never inside a fold. */
  readonly cursor: number;
  readonly folds: readonly Fold[];
  /** The column that up and down try to keep while they cross shorter rows. */
  readonly goalColumn: number | undefined;
  readonly past: readonly Change[];
  readonly future: readonly Change[];
  /** What was cut, newest first. */
  readonly killed: readonly string[];
  readonly last: LastAction;
}

interface Standing {
  readonly cursor: number;
  readonly folds: readonly Fold[];
}

/** One step of undo. Holds what changed and not the whole text: a text of a megabyte would be kept once per step. */
export interface Change {
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
  readonly before: Standing;
  readonly after: Standing;
}

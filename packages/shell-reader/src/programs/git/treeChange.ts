/**
 * A command of git that brings a whole work tree, or a part of it, into another state: which one, as far as the line tells.
 * Which files that changes only git knows, so whoever may ask it does so before the call is judged.
 */
export interface TreeChange {
  /** For people. */
  command: string;
  /** Where git would run; undefined when that is not known. */
  folder: string | undefined;
  /** From whichever folder all of the work tree, or only what lies at the place that is touched. */
  reach: "everything" | "place";
  /** Each of them has its part in it. */
  becomes: readonly Becomes[];
  /** Something new comes from elsewhere first, so all of this is only what is known before. */
  fetches?: true;
}

export type Becomes =
  /** What a revision holds. Without force git leaves alone what is the same there as in HEAD. */
  | {
      like: "revision";
      revision: string;
      force: boolean;
      /** Where it is no revision, the word is a file that comes back from the index. */
      orFile?: true;
      /** Files that git does not track are taken away as well, also those it ignores. */
      untracked?: "taken" | "all-taken";
    }
  | { like: "index" }
  /** No file that git has is left. */
  | { like: "nothing" }
  /** What another side changed since the common ancestor comes in. */
  | { like: "merged"; revision: string }
  /** What a commit, or a range `a..b`, changed is done once more, or undone. */
  | { like: "replayed"; revision: string }
  /** What was put aside comes back: `stash@{0}`. */
  | { like: "stash"; revision: string }
  | { like: "unknown"; why: string };

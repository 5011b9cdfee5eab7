import type { Reading } from "wave-shell-reader";

/** What a call touches, for rules and modes. Paths are absolute; several may be spellings of one file (a link and its target). */
export type ToolEffect =
  | { does: "nothing" }
  /** `below`: also what lies in these folders. */
  | { does: "read"; paths: string[]; below?: boolean }
  | { does: "edit"; paths: string[] }
  | { does: "run"; command: string }
  /** Ends plan mode, with a plan for a person to look at. */
  | { does: "leave-plan" }
  /** Wants an answer of a person, and nothing else. */
  | { does: "ask-person" }
  /** Talks to other machines and touches nothing on this one. */
  | { does: "reach"; hosts: readonly string[] }
  /** Nobody can tell, or it does more than one of the above. `touches` is what is known of it. */
  | { does: "unknown"; touches: readonly EffectPath[] };

export interface EffectPath {
  access: "read" | "write" | "unknown";
  path: string;
}

/** The same, seen once for everybody who judges the call: a command line has been read. */
export type SeenEffect =
  | Exclude<ToolEffect, { does: "run" }>
  | (Extract<ToolEffect, { does: "run" }> & { reading: Reading });

/** What a call touches, for rules and modes. Paths are absolute; several may be spellings of one file (a link and its target). */
export type ToolEffect =
  | { does: "nothing" }
  /** `below`: also what lies in these folders. */
  | { does: "read"; paths: string[]; below?: boolean }
  | { does: "edit"; paths: string[] }
  | { does: "run"; command: string };

/** What a call touches, for rules and modes. Paths are absolute; several may be spellings of one file (a link and its target). */
export type ToolEffect =
  | { does: "nothing" }
  | { does: "read"; paths: string[] }
  | { does: "edit"; paths: string[] }
  | { does: "run"; command: string };

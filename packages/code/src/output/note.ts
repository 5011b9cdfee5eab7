/** One thing the user of print mode is told on stderr. */
export interface Note {
  kind:
    | "note"
    | "warning"
    | "error"
    | "hook"
    | "hook said"
    | "hook failed"
    | "blocked"
    | "blocked by"
    | "not run"
    | "retry";
  text: string;
}

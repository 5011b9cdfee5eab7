import type { Entrypoint } from "../hooks/eventFields.ts";

/** How the summary is taken back, where Wave runs: only the terminal has a /compact. */
export const WAY_BACK: Record<Entrypoint, string> = {
  terminal: "/compact undo brings all of it back",
  print: "the session keeps all of it: wave -c, and there /compact undo, brings it back",
  sdk: "undoCompact() brings all of it back",
};

import type { ContextState } from "./turn/context.ts";
import type { Entrypoint } from "../hooks/eventFields.ts";

/** How the summary is taken back, where Wave runs: only the terminal has a /compact. */
export const WAY_BACK: Record<Entrypoint, string> = {
  terminal: "/compact undo brings all of it back",
  print: "the session keeps all of it: wave -c, and there /compact undo, brings it back",
  sdk: "undoCompact() brings all of it back",
};

export function whyCompact(
  { tokens = 0, size = 0 }: ContextState,
  because: "refused" | "nearly-full",
): string {
  const why =
    because === "refused"
      ? "the conversation is too long for the model"
      : `the conversation fills ${Math.round((tokens / size) * 100)} % of the model's context`;
  return `${why}, so Wave asks for a summary to go on with`;
}

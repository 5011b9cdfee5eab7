import type { Comeback, WentBack } from "../input/prompt.ts";

/** What was kept from running: a turn by the person's own no; a command also by a rule or a hook, which the conversation tells. */
export interface Refused {
  text: string;
  what: "prompt" | "command";
}

/** One line about it; nothing where the screen says it all. */
export function refusedLine({ what }: Refused, went: WentBack): string | undefined {
  const where = went === "history" ? "in the history (↑)" : "back in the input";
  if (what === "prompt") return `you said no: the turn has ended; your prompt is ${where}`;
  return went === "history" ? `your command is ${where}` : undefined;
}

/** Prompts that come back together, with air between them: they were never one text. */
export const BETWEEN_PROMPTS = "\n\n";

/** What comes back later stands first: the input takes one text at a time. */
export function together(later: Comeback, earlier: Comeback | undefined): Comeback {
  if (!earlier) return later;
  const parts = [later.beforeDraft, earlier.beforeDraft].filter((part) => part !== undefined);
  return {
    text: later.text + BETWEEN_PROMPTS + earlier.text,
    byItself: later.byItself && earlier.byItself,
    beforeDraft: parts.length === 0 ? undefined : parts.join(BETWEEN_PROMPTS),
  };
}

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

/** What comes back later stands first: the input takes one text at a time. */
export function together(later: Comeback, earlier: Comeback | undefined): Comeback {
  if (!earlier) return later;
  const parts = [later.beforeDraft, earlier.beforeDraft].filter((part) => part !== undefined);
  return {
    text: `${later.text}\n${earlier.text}`,
    beforeDraft: parts.length === 0 ? undefined : parts.join("\n"),
  };
}

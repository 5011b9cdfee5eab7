/** What a person can do about a request. */
export type Choice = "allow" | "allow-with-rule" | "deny" | "deny-with-words";

export interface OfferedChoice {
  choice: Choice;
  key: string;
  label: string;
}

/** The one table of the dialog's own keys: it is read when a key is pressed, and it is what the dialog prints. */
const CHOICES: readonly (OfferedChoice & { needs: "nothing" | "rule" | "call" })[] = [
  { choice: "allow", key: "y", label: "allow once", needs: "nothing" },
  { choice: "allow-with-rule", key: "a", label: "always by", needs: "rule" },
  { choice: "deny", key: "n", label: "deny", needs: "nothing" },
  { choice: "deny-with-words", key: "d", label: "deny, and say what to do instead", needs: "call" },
];

/** Pressed after a yes to something with hidden characters in it. Not a neighbour of `y`, and not `y` again. */
export const CONFIRM_KEY = "c";

/** A no to the person's own prompt gives the prompt back: there is no call whose refusal words could explain. */
export function choicesFor({
  toolName,
  rule,
}: {
  toolName: string;
  rule: string | undefined;
}): OfferedChoice[] {
  return CHOICES.filter(({ needs }) => {
    if (needs === "rule") return rule !== undefined;
    return needs === "nothing" || toolName !== "prompt";
  }).map(({ choice, key, label }) => ({ choice, key, label }));
}

export const KEY_HELP = {
  choosing: "↑↓ Enter choose · ←→ scroll · Esc deny · Esc Esc stop",
  writing: "Enter send · Esc back",
  confirming: `${CONFIRM_KEY} yes, run it · n deny · Esc deny`,
  /** Keys are on their way to the prompt: what was typed before the dialog was seen must not answer it. */
  toDraft: "What you type still goes to your prompt",
} as const;

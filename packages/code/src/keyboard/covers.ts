import type { Hint } from "./keyRouter.ts";

/**
 * Everything that takes keys in the place of the prompt, and what it is. Nothing gets a key that is not named here, and a test types
 * over each of them: a new one fails it until it has a sample there.
 */
export const COVERS = {
  question: "a call, a prompt or a failed hook that waits for a yes or a no",
  trust: "what a project brings along, before a session begins",
  review: "what changed on disk, or was never approved, in a session",
  "first-start": "what there is without a model",
  "refused-session": "a session that cannot be opened",
  sessions: "earlier sessions",
  models: "what the model server offers",
  rewind: "earlier prompts to go back to",
  hooks: "every hook, and a switch for each",
  permissions: "every permission rule, and what was denied",
  tasks: "commands in the background and sub-agents, and an end for each",
  help: "keys and commands",
  doctor: "what keeps Wave from working",
  opened: "what is folded, in full",
} as const satisfies Record<string, string>;

export type CoverName = keyof typeof COVERS;

/** Shown in the place of the keys while they answer nothing. Fits 40 columns. */
export const TYPING_GOES = "Typing still goes to your prompt";

export const HINTS: Record<Hint, string> = {
  "typing-goes": TYPING_GOES,
  again: "A moment, then press it again",
};

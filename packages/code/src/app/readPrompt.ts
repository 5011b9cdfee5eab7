import { isSlashCommand, type SlashCommandName } from "./slashCommands.ts";

/** What a person typed, told apart by how it begins. */
export type PromptInput =
  | { kind: "prompt"; text: string }
  | { kind: "command"; command: SlashCommandName; argument: string }
  | { kind: "unknown-command"; name: string };

/** A path such as /usr/bin is a prompt, not a command. */
export function readPrompt(text: string): PromptInput {
  const match = /^\/([a-z]+)(?:\s+(.*))?$/s.exec(text.trim());
  if (!match) return { kind: "prompt", text };
  const [, name = "", argument = ""] = match;
  if (isSlashCommand(name)) return { kind: "command", command: name, argument: argument.trim() };
  return { kind: "unknown-command", name };
}

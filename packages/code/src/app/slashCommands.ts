/** What begins with a slash in the prompt. One table: completion, help and dispatch come from it. */
export const SLASH_COMMANDS = {
  hooks: "every hook, what it did, and a switch for each; /hooks why explains the last call",
  help: "keys and commands",
  clear: "start a new session; the old one stays on disk",
  resume: "go on with an earlier session",
  mode: "who is asked before a tool runs: /mode acceptEdits",
  cost: "tokens of this session",
  exit: "leave",
} as const;

export type SlashCommand = keyof typeof SLASH_COMMANDS;

export type PromptInput =
  | { kind: "prompt"; text: string }
  | { kind: "command"; command: SlashCommand; argument: string }
  | { kind: "unknown-command"; name: string };

/** What a person typed, told apart by how it begins. A path such as /usr/bin is a prompt, not a command. */
export function readPrompt(text: string): PromptInput {
  const trimmed = text.trim();
  const match = /^\/([a-z]+)(?:\s+(.*))?$/s.exec(trimmed);
  if (!match) return { kind: "prompt", text };
  const [, name = "", argument = ""] = match;
  if (isSlashCommand(name)) return { kind: "command", command: name, argument: argument.trim() };
  return { kind: "unknown-command", name };
}

const isSlashCommand = (name: string): name is SlashCommand => Object.hasOwn(SLASH_COMMANDS, name);

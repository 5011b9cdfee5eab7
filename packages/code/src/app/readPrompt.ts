import { promptKind } from "../input/promptKind.ts";
import { isSlashCommand, type SlashCommandName } from "./slashCommands.ts";

/** What a person typed, told apart by how it begins. */
export type PromptInput =
  | { kind: "prompt"; text: string }
  /** To be run in the shell; several lines are one script. */
  | { kind: "shell"; command: string }
  /** To be kept in AGENTS.md. */
  | { kind: "note"; note: string }
  | { kind: "command"; command: SlashCommandName; argument: string }
  | { kind: "unknown-command"; name: string }
  /** A sign with nothing behind it. */
  | { kind: "nothing"; hint: string };

/** A path such as /usr/bin is a prompt, not a command. */
export function readPrompt(text: string): PromptInput {
  const kind = promptKind(text);
  if (kind !== "prompt") {
    const rest = text.slice(1).trim();
    if (rest === "") return { kind: "nothing", hint: HINTS[kind] };
    return kind === "shell" ? { kind, command: rest } : { kind, note: rest };
  }
  const match = /^\/([a-z]+)(?:\s+(.*))?$/s.exec(text.trim());
  if (!match) return { kind: "prompt", text };
  const [, name = "", argument = ""] = match;
  if (isSlashCommand(name)) return { kind: "command", command: name, argument: argument.trim() };
  return { kind: "unknown-command", name };
}

const HINTS = {
  shell: "type a command behind the !, such as !git status",
  note: "type a note behind the #; it becomes a line of AGENTS.md",
} as const;

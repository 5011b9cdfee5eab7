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
  /** One that stands in a file, or a prompt of an MCP server. */
  | { kind: "text-command"; name: string; argument: string }
  | { kind: "unknown-command"; name: string }
  /** A sign with nothing behind it. */
  | { kind: "nothing"; hint: string };

/** A path such as /usr/bin is a prompt, not a command. */
export function readPrompt(text: string, textCommands: readonly string[] = []): PromptInput {
  const kind = promptKind(text);
  if (kind !== "prompt") {
    const rest = text.slice(1).trim();
    if (rest === "") return { kind: "nothing", hint: HINTS[kind] };
    return kind === "shell" ? { kind, command: rest } : { kind, note: rest };
  }
  const [, name = "", argument = ""] = /^\/([^\s/]+)(?:\s+(.*))?$/s.exec(text.trim()) ?? [];
  if (isSlashCommand(name)) return { kind: "command", command: name, argument: argument.trim() };
  // A prompt of a server may be called for before the server has come with it.
  if (textCommands.includes(name) || name.startsWith("mcp__"))
    return { kind: "text-command", name, argument: argument.trim() };
  return /^[a-z]+$/.test(name) ? { kind: "unknown-command", name } : { kind: "prompt", text };
}

const HINTS = {
  shell: "type a command behind the !, such as !git status",
  note: "type a note behind the #; it becomes a line of AGENTS.md",
} as const;

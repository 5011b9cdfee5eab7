import type { ShellEnd } from "../events.ts";
import type { HookFacts } from "../hooks/events.ts";
import type { OfferedPrompt } from "../tools/sources/toolSource.ts";
import { commandParts } from "../workspace/texts/commandParts.ts";
import type { PlacedText } from "../workspace/texts/placedTexts.ts";

/** A command that becomes a prompt, as a program lists it. */
export interface TextCommand {
  /** As it is called for, without the slash. */
  name: string;
  /** One line. */
  description: string;
  /** What goes behind the name: "[file]". */
  argumentHint?: string;
  /** Whose it is: a file of the person's or of the project's, or a prompt of an MCP server. */
  scope: PlacedText["scope"] | "mcp";
  /** Where it stands, if it stands in a file. */
  file?: string;
}

export type ExpandedCommand =
  | { expanded: true; prompt: string }
  /** There is no such command, or what it runs first was interrupted or ended by a hook. */
  | { expanded: false; problem: string };

/** One that can be called for, and what it says then. */
interface Callable extends TextCommand {
  says: (typed: string) => Promise<ExpandedCommand>;
}

/** Commands that stand in files, and prompts of MCP servers: what they say becomes a prompt. */
export class TextCommands {
  readonly #all: () => readonly Callable[];
  readonly #opened: () => Promise<unknown>;
  readonly #judge: (facts: HookFacts<"UserPromptExpansion">) => Promise<string | undefined>;

  constructor(sources: {
    texts: () => readonly PlacedText[];
    prompts: () => readonly OfferedPrompt[];
    /** As a call of the model's, since the file says what runs and the person typed only its name. */
    command: (line: string) => Promise<ShellEnd>;
    /** Servers that are quick have come with their prompts. */
    opened: () => Promise<unknown>;
    /** An interrupt ends the work. */
    interruptible: <End>(work: (signal: AbortSignal) => Promise<End>) => Promise<End>;
    /** Asks the hooks. Resolves to why it must not become a prompt. */
    judge: (facts: HookFacts<"UserPromptExpansion">) => Promise<string | undefined>;
  }) {
    const { texts, prompts, interruptible, opened } = sources;
    this.#opened = opened;
    this.#judge = sources.judge;
    this.#all = () => [
      ...texts()
        .filter(({ kind }) => kind === "command")
        .map((text): Callable => {
          const { kind: _kind, body, fields: _fields, ...listed } = text;
          return { ...listed, says: (typed) => saidInFile(body, typed, sources.command) };
        }),
      ...prompts().map(({ expand, ...listed }): Callable => ({
        ...listed,
        scope: "mcp",
        says: (typed) => interruptible((signal) => saidByServer(() => expand(typed, signal))),
      })),
    ];
  }

  get list(): TextCommand[] {
    return this.#all().map(({ says: _says, ...command }) => command);
  }

  /** Gives back what to send as a prompt. Command lines in a file run first, one after the other. */
  async expand(name: string, typed = ""): Promise<ExpandedCommand> {
    if (isServerPrompt(name)) await this.#opened();
    const command = this.#all().find((one) => one.name === name);
    if (!command) return { expanded: false, problem: `There is no command /${name}.` };
    const said = await command.says(typed.trim());
    if (!said.expanded) return said;
    const prompt = `${`/${name} ${typed.trim()}`.trim()}\n\n${said.prompt}`;
    const refused = await this.#judge({
      expansion_type: command.scope === "mcp" ? "mcp_prompt" : "slash_command",
      command_name: name,
      command_args: typed.trim(),
      command_source: command.file ?? command.scope,
      prompt,
    });
    return refused === undefined ? { expanded: true, prompt } : { expanded: false, problem: refused };
  }
}

/** Also of a server that has not come yet. */
export const isServerPrompt = (name: string) => name.startsWith("mcp__");

async function saidInFile(
  body: string,
  typed: string,
  command: (line: string) => Promise<ShellEnd>,
): Promise<ExpandedCommand> {
  const said: string[] = [];
  for (const part of commandParts(body, typed)) {
    if ("say" in part) {
      said.push(part.say);
      continue;
    }
    const end = await command(part.run);
    if (!end.ran && end.because !== "denied") return { expanded: false, problem: end.reason };
    // Command and output are part of the conversation already.
    said.push(
      end.ran ? `[the output of ${part.run} stands above]` : `[${part.run} did not run: ${end.reason}]`,
    );
  }
  return { expanded: true, prompt: said.join("").trim() };
}

async function saidByServer(expand: () => Promise<string>): Promise<ExpandedCommand> {
  try {
    return { expanded: true, prompt: await expand() };
  } catch (error) {
    return { expanded: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

import type { ShellEnd } from "../events.ts";
import { commandParts } from "../workspace/texts/commandParts.ts";
import type { PlacedText } from "../workspace/texts/placedTexts.ts";

/** A command as a program lists it. */
export type TextCommand = Omit<PlacedText, "kind" | "body">;

export type ExpandedCommand =
  | { expanded: true; prompt: string }
  /** There is no such command, or what it runs first was interrupted or ended by a hook. */
  | { expanded: false; problem: string };

/** Commands that stand in files: what they say becomes a prompt. */
export class TextCommands {
  readonly #texts: () => readonly PlacedText[];
  readonly #run: (command: string) => Promise<ShellEnd>;

  /** `run`: as a call of the model's, since the file says what runs and the person typed only its name. */
  constructor(texts: () => readonly PlacedText[], run: (command: string) => Promise<ShellEnd>) {
    this.#texts = texts;
    this.#run = run;
  }

  get list(): TextCommand[] {
    return this.#texts()
      .filter(({ kind }) => kind === "command")
      .map(({ kind: _kind, body: _body, ...command }) => command);
  }

  /** Runs the command lines in it, one after the other, and gives back what to send as a prompt. */
  async expand(name: string, typed = ""): Promise<ExpandedCommand> {
    const command = this.#texts().find((text) => text.kind === "command" && text.name === name);
    if (!command) return { expanded: false, problem: `There is no command /${name}.` };
    const said: string[] = [];
    for (const part of commandParts(command.body, typed.trim())) {
      if ("say" in part) {
        said.push(part.say);
        continue;
      }
      const end = await this.#run(part.run);
      if (!end.ran && end.because !== "denied") return { expanded: false, problem: end.reason };
      // Command and output are part of the conversation already.
      said.push(
        end.ran ? `[the output of ${part.run} stands above]` : `[${part.run} did not run: ${end.reason}]`,
      );
    }
    const line = `/${name} ${typed.trim()}`.trim();
    return { expanded: true, prompt: `${line}\n\n${said.join("").trim()}` };
  }
}

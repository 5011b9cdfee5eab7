import type { Agent, TurnEnd } from "wave-agent-sdk";
import { readPictures } from "./readPictures.ts";

/** `sent`: the id under which it is kept until it is told. */
export interface SentPrompt {
  text: string;
  sent: string;
}

/** Where a prompt goes that was not told, or that had a turn of its own. */
export interface SteeringEnds {
  onTold(prompt: SentPrompt): void;
  /** The conversation tells why; `problem` is what nobody has told yet. */
  onRefused(prompt: SentPrompt, problem?: string): void;
  onOwnTurn(end: TurnEnd): void;
  onNotice(text: string): void;
}

/** Prompts on their way into the running turn. Each is told exactly once, or comes back. */
export class Steering {
  readonly #ends: SteeringEnds;
  readonly #onChange: (telling: readonly string[]) => void;
  #telling: readonly string[] = [];
  #open: Promise<void>[] = [];
  #interrupted: SentPrompt[] = [];

  constructor(ends: SteeringEnds, onChange: (telling: readonly string[]) => void) {
    this.#ends = ends;
    this.#onChange = onChange;
  }

  tell(agent: Pick<Agent, "steer" | "readImage">, prompt: SentPrompt): void {
    this.#show([...this.#telling, prompt.text]);
    this.#open.push(this.#settle(agent, prompt));
  }

  /** It is on the screen now, as a message. */
  taken(text: string): void {
    const at = this.#telling.indexOf(text);
    if (at !== -1) this.#show(this.#telling.toSpliced(at, 1));
  }

  /** Waits until every prompt is told or back; gives those that an interrupt sent back. */
  async settled(): Promise<SentPrompt[]> {
    // While the first ones had a turn of their own, more can have come.
    while (this.#open.length > 0) await Promise.all(this.#open.splice(0));
    return this.#interrupted.splice(0);
  }

  async #settle(agent: Pick<Agent, "steer" | "readImage">, prompt: SentPrompt): Promise<void> {
    try {
      const pictures = readPictures(prompt.text, agent, (words) => this.#ends.onNotice(words));
      const end = await agent.steer(prompt.text, pictures && { images: await pictures });
      if (end.told === "in-turn") this.#ends.onTold(prompt);
      if (end.told === "as-prompt") this.#ends.onOwnTurn(end.end);
      if (end.told === "not" && end.because === "aborted") this.#interrupted.push(prompt);
      else if (end.told === "not") this.#ends.onRefused(prompt);
    } catch (error) {
      this.#ends.onRefused(prompt, error instanceof Error ? error.message : String(error));
    }
    this.taken(prompt.text);
  }

  #show(telling: readonly string[]): void {
    this.#telling = telling;
    this.#onChange(telling);
  }
}

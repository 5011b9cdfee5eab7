import type { Agent, TurnEnd } from "wave-agent-sdk";

/** Where a prompt goes that was not told, or that had a turn of its own. */
export interface SteeringEnds {
  onTold(text: string): void;
  /** The conversation tells why; `problem` is what nobody has told yet. */
  onRefused(text: string, problem?: string): void;
  onOwnTurn(end: TurnEnd): void;
}

/** Prompts on their way into the running turn. Each is told exactly once, or comes back. */
export class Steering {
  readonly #ends: SteeringEnds;
  readonly #onChange: (telling: readonly string[]) => void;
  #telling: readonly string[] = [];
  #open: Promise<void>[] = [];
  #interrupted: string[] = [];

  constructor(ends: SteeringEnds, onChange: (telling: readonly string[]) => void) {
    this.#ends = ends;
    this.#onChange = onChange;
  }

  tell(agent: Pick<Agent, "steer">, text: string): void {
    this.#show([...this.#telling, text]);
    this.#open.push(this.#settle(agent, text));
  }

  /** It is on the screen now, as a message. */
  taken(text: string): void {
    const at = this.#telling.indexOf(text);
    if (at !== -1) this.#show(this.#telling.toSpliced(at, 1));
  }

  /** Waits until every prompt is told or back; gives those that an interrupt sent back. */
  async settled(): Promise<string[]> {
    // While the first ones had a turn of their own, more can have come.
    while (this.#open.length > 0) await Promise.all(this.#open.splice(0));
    return this.#interrupted.splice(0);
  }

  async #settle(agent: Pick<Agent, "steer">, text: string): Promise<void> {
    try {
      const end = await agent.steer(text);
      if (end.told === "in-turn") this.#ends.onTold(text);
      if (end.told === "as-prompt") this.#ends.onOwnTurn(end.end);
      if (end.told === "not" && end.because === "aborted") this.#interrupted.push(text);
      else if (end.told === "not") this.#ends.onRefused(text);
    } catch (error) {
      this.#ends.onRefused(text, error instanceof Error ? error.message : String(error));
    }
    this.taken(text);
  }

  #show(telling: readonly string[]): void {
    this.#telling = telling;
    this.#onChange(telling);
  }
}

import type { AgentEvent, SteeringEnd } from "../events.ts";
import type { ImageBlock } from "../messages/blocks.ts";
import type { PromptManager } from "./promptManager.ts";
import type { Ending } from "./turn/nextStep.ts";

/** Something typed during a turn, on its way into it. */
export interface Steered {
  text: string;
  images: readonly ImageBlock[];
  settle: (end: SteeringEnd | Promise<SteeringEnd>) => void;
}

/** What waits to be told in the running turn, in the order in which it was typed. Every text is settled exactly once. */
export class SteeringQueue {
  #waiting: Steered[] = [];
  #turn: "none" | "runs" = "none";

  open(): void {
    this.#turn = "runs";
  }

  close(): void {
    this.#turn = "none";
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Undefined when no turn is there to be told. */
  add(text: string, images: readonly ImageBlock[] = []): Promise<SteeringEnd> | undefined {
    if (this.#turn === "none") return undefined;
    const { promise, resolve } = Promise.withResolvers<SteeringEnd>();
    this.#waiting.push({ text, images, settle: resolve });
    return promise;
  }

  take(): Steered | undefined {
    return this.#waiting.shift();
  }

  /** An interrupt means that the plan has changed: what waits goes back to whoever wrote it. */
  giveBack(): void {
    for (const { text, settle } of this.#waiting.splice(0)) settle(notTold(text, "aborted", "interrupted"));
  }
}

export function notTold(
  promptBack: string,
  because: Extract<SteeringEnd, { told: "not" }>["because"],
  reason: string,
): SteeringEnd {
  return { told: "not", because, reason, promptBack };
}

/** Like any prompt: its hooks judge it, and what they refuse goes back to whoever typed it. */
export async function takeSteering(
  turn: { unanswered: boolean; end(ending: Ending): void },
  by: {
    steering: SteeringQueue;
    prompts: Pick<PromptManager, "submit">;
    emit: (event: AgentEvent) => void;
    signal: AbortSignal;
  },
): Promise<void> {
  const steered = by.steering.take();
  if (!steered) return;
  const { text, images } = steered;
  by.emit({ type: "prompt_steered", prompt: text });
  const submission = await by.prompts.submit({ text, images, source: "steered" }, by.signal);
  if (submission.accepted) return steered.settle({ told: "in-turn" });
  const { because, reason, unanswered } = submission;
  if (unanswered) turn.unanswered = true;
  if (because === "halted") turn.end({ because, reason });
  steered.settle(notTold(text, because, reason));
}

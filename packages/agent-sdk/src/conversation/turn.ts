import type { AnswerCut, PermissionDenial, TurnFacts } from "../events.ts";
import type { Usage } from "../messages/blocks.ts";
import { sumUsage } from "../messages/usage.ts";
import type { ToolCallWire } from "../messages/toolCall.ts";
import type { ContextState } from "./turn/context.ts";
import { STOP_BLOCK_LIMIT, type Ending, type TurnState } from "./turn/nextStep.ts";
import type { Budget } from "../session/budget.ts";
import type { LimitEnding } from "./turn/limits.ts";
import type { WantedOutput } from "./wantedOutput.ts";
import type { ContextGauge } from "./contextGauge.ts";
import type { SteeringQueue } from "./steering.ts";
import type { CallEnd } from "./toolManager.ts";

/** How a turn went, before the agent adds what it knows of the prompt. */
export type LoopEnd = Omit<TurnFacts, "promptBack"> &
  Ending & {
    /** Words typed with a no: the user's next message (PD-2). */
    words?: string;
  };

/** The state of one turn. `nextStep` reads it; AIManager's performers write it. */
export class Turn implements TurnState {
  ending: (Ending & { words?: string }) | undefined;
  pendingCalls: readonly ToolCallWire[] = [];
  answered = false;
  modelCalls = 0;
  refusedCalls = 0;
  stopBlocks = 0;
  readonly maxModelCalls: number | undefined;
  answer = "";
  answerCut: AnswerCut | undefined;
  usage: Usage = { inputTokens: 0, outputTokens: 0 };
  denials: PermissionDenial[] = [];
  unanswered = false;
  /** Data that the program wants of this turn. */
  readonly wanted: WantedOutput | undefined;
  outputTries = 0;
  fitting: { value: unknown } | undefined;
  readonly #gauge: ContextGauge;
  readonly #steering: SteeringQueue;
  readonly #budget: Budget;

  constructor(
    maxModelCalls: number | undefined,
    watched: {
      gauge: ContextGauge;
      steering: SteeringQueue;
      budget: Budget;
      wanted: WantedOutput | undefined;
    },
  ) {
    this.maxModelCalls = maxModelCalls;
    this.#gauge = watched.gauge;
    this.#steering = watched.steering;
    this.#budget = watched.budget;
    this.wanted = watched.wanted;
    this.#gauge.turnStarts();
  }

  get context(): ContextState {
    return this.#gauge.state;
  }

  get steering(): TurnState["steering"] {
    return this.#steering.isEmpty ? "none" : "waits";
  }

  get output(): TurnState["output"] {
    if (!this.wanted) return "none";
    return this.fitting ? "fits" : "unchecked";
  }

  get limitReached(): LimitEnding | undefined {
    return this.#budget.reached;
  }

  /** What is known of it, however it ends. */
  get facts(): Pick<
    LoopEnd,
    "answer" | "answerCut" | "modelCalls" | "usage" | "denials" | "unanswered" | "output"
  > {
    const { answer, answerCut, modelCalls, usage, denials, unanswered } = this;
    const cut = answerCut === undefined ? {} : { answerCut };
    const output = this.fitting ? { output: this.fitting.value } : {};
    return { answer, ...cut, modelCalls, usage, denials, unanswered, ...output };
  }

  /** The first reason stays: a later one is a consequence. */
  end(ending: Ending & { words?: string }): void {
    this.ending ??= ending;
  }

  add(usage: Usage | undefined): void {
    if (usage) this.usage = sumUsage(this.usage, usage);
  }

  called({ refusal, work }: CallEnd): void {
    if (refusal?.denial) this.denials.push(refusal.denial);
    this.add(work?.usage);
    this.denials.push(...(work?.denials ?? []));
    if (refusal?.unanswered || work?.unanswered) this.unanswered = true;
  }

  /** What a call is answered with that the end of the turn kept from running. */
  get notRun(): { result: string; error: string } {
    const why =
      this.ending?.because === "halted"
        ? "a hook ended the turn"
        : this.ending?.because === "denied"
          ? "the user said no to another call"
          : "the turn was interrupted";
    return { result: `Not run: ${why} before this call started.`, error: "not run" };
  }
}

export function stopCapReason(event: string, lastReason: string): string {
  const what = `the turn ended although a ${event} hook blocked it: that was block ${STOP_BLOCK_LIMIT} in a row`;
  return lastReason ? `${what}. It said: ${lastReason}` : what;
}

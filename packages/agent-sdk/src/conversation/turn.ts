import type { AnswerCut, PermissionDenial } from "../events.ts";
import type { Usage } from "../messages/blocks.ts";
import { sumUsage } from "../messages/usage.ts";
import type { ToolCallWire } from "../messages/toolCall.ts";
import type { ContextState } from "./turn/context.ts";
import type { Ending, TurnState } from "./turn/nextStep.ts";
import type { ContextGauge } from "./contextGauge.ts";
import type { SteeringQueue } from "./steering.ts";
import type { CallEnd } from "./toolManager.ts";

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
  readonly #gauge: ContextGauge;
  readonly #steering: SteeringQueue;

  constructor(maxModelCalls: number | undefined, watched: { gauge: ContextGauge; steering: SteeringQueue }) {
    this.maxModelCalls = maxModelCalls;
    this.#gauge = watched.gauge;
    this.#steering = watched.steering;
    this.#gauge.turnStarts();
  }

  get context(): ContextState {
    return this.#gauge.state;
  }

  get steering(): TurnState["steering"] {
    return this.#steering.isEmpty ? "none" : "waits";
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

import type { Effect } from "../effects.ts";
import type { Origin } from "../../messages/blocks.ts";

/** What hooks may do to a conversation. MessageManager satisfies it. */
export interface HookAudience {
  addUserMessage(text: string, options: { origin: Origin }): void;
  addHookBlock(hookEvent: string, content: string, metadata: Record<string, unknown>): void;
  addErrorBlock(text: string, origin: Origin, failure?: { kind: string; message: string }): void;
  addWarnBlock(text: string, origin: Origin): void;
  removeLastUserMessage(): void;
}

/** What the caller still has to do, because it concerns the turn and not the conversation. */
export interface CarriedOut {
  keepGoing: boolean;
  promptDropped: boolean;
  /** The call or the change is refused, for these reasons. */
  denied: string | undefined;
  /** The turn ends; all stop reasons. */
  ended: string | undefined;
}

export function carryOut(effects: readonly Effect[], audience: HookAudience): CarriedOut {
  const done: CarriedOut = { keepGoing: false, promptDropped: false, denied: undefined, ended: undefined };
  for (const effect of effects) {
    switch (effect.do) {
      case "tell-model":
        tellModel(effect, audience);
        break;
      case "tell-user":
        if (effect.as === "error") audience.addErrorBlock(effect.text, effect.origin, effect.failure);
        else audience.addWarnBlock(effect.text, effect.origin);
        break;
      case "drop-prompt":
        audience.removeLastUserMessage();
        done.promptDropped = true;
        break;
      case "deny-tool":
      case "refuse-change":
        done.denied = effect.reason;
        break;
      case "keep-going":
        done.keepGoing = true;
        break;
      case "end-turn":
        audience.addWarnBlock(`hook ${effect.origin.hook} ended the turn: ${effect.reason}`, effect.origin);
        done.ended = done.ended === undefined ? effect.reason : `${done.ended}\n${effect.reason}`;
        break;
      default:
        effect satisfies never;
    }
  }
  return done;
}

export type TellModel = Extract<Effect, { do: "tell-model" }>;

export const isTellModel = (effect: Effect): effect is TellModel => effect.do === "tell-model";

export function tellModel(effect: TellModel, audience: HookAudience): void {
  const { hookEvent, hook, source } = effect.origin;
  if (effect.as === "message") audience.addUserMessage(effect.text, { origin: effect.origin });
  else {
    const feedback = effect.says === "feedback" ? { feedback: true } : {};
    const again = effect.again ? { again: true } : {};
    audience.addHookBlock(hookEvent, effect.text, { hook, source, ...feedback, ...again });
  }
}

import type { AgentEvent } from "../events.ts";
import { buildRecord } from "../hooks/buildRecord.ts";
import { effectsOf, type Effect } from "../hooks/effects.ts";
import type { HookEvent, HookFacts } from "../hooks/events.ts";
import { carryOut, type CarriedOut } from "../hooks/run/carryOut.ts";
import type { HookManager } from "../managers/hookManager.ts";
import type { MessageManager } from "../managers/messageManager.ts";
import type { SessionLog } from "./sessionLog.ts";

interface Parts {
  hooks: HookManager;
  messages: MessageManager;
  log: SessionLog;
  mode: () => string;
  emit: (event: AgentEvent) => void;
}

/** The events of a session as a whole, which decide nothing about a call or a prompt. */
export class SessionEvents {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  started(source: HookFacts<"SessionStart">["source"], signal: AbortSignal): Promise<CarriedOut> {
    const restart = (effect: Effect): Effect =>
      effect.do === "tell-model" ? { ...effect, again: true } : effect;
    return this.#observe("SessionStart", { source }, signal, source === "compact" ? restart : undefined);
  }

  ended(reason: HookFacts<"SessionEnd">["reason"], signal: AbortSignal | undefined): Promise<CarriedOut> {
    return this.#observe("SessionEnd", { reason }, signal);
  }

  async #observe<E extends HookEvent>(
    event: E,
    facts: HookFacts<E>,
    signal: AbortSignal | undefined,
    change: (effect: Effect) => Effect = (effect) => effect,
  ): Promise<CarriedOut> {
    const { hooks, messages, log, mode, emit } = this.#parts;
    const judged = await hooks.judge(event, facts, { onlyPlanned: true, ...(signal && { signal }) });
    const done = carryOut(effectsOf(event, judged.verdicts).map(change), messages);
    const record = buildRecord(event, mode(), [judged]);
    if (judged.verdicts.length > 0) log.append({ type: "decision", record });
    emit({ type: "hooks_decided", record });
    return done;
  }
}

import type { AgentEvent } from "../events.ts";
import { buildRecord, hashOf } from "../hooks/buildRecord.ts";
import { combine } from "../hooks/combine.ts";
import { effectsOf } from "../hooks/effects.ts";
import type { Origin } from "../messages/blocks.ts";
import { carryOut, type CarriedOut } from "./carryOut.ts";
import type { HookManager, Judgement } from "./hookManager.ts";
import type { MessageManager } from "./messageManager.ts";
import type { PermissionManager } from "./permissionManager.ts";
import type { SessionLog } from "./sessionLog.ts";

export type Submission =
  | { accepted: true }
  | {
      accepted: false;
      because: "prompt-blocked" | "halted" | "aborted";
      reason: string;
      unanswered: boolean;
    };

/** Takes a prompt through its hooks. Until they let it pass it is on the screen and nowhere on disk. */
export class PromptManager {
  readonly #messages: MessageManager;
  readonly #hooks: HookManager;
  readonly #permissions: PermissionManager;
  readonly #log: SessionLog;
  readonly #session: { cwd(): string; mode(): string };
  readonly #emit: (event: AgentEvent) => void;

  constructor(options: {
    messages: MessageManager;
    hooks: HookManager;
    permissions: PermissionManager;
    log: SessionLog;
    session: { cwd(): string; mode(): string };
    emit: (event: AgentEvent) => void;
  }) {
    this.#messages = options.messages;
    this.#hooks = options.hooks;
    this.#permissions = options.permissions;
    this.#log = options.log;
    this.#session = options.session;
    this.#emit = options.emit;
  }

  async submit(prompt: string, signal: AbortSignal): Promise<Submission> {
    this.#messages.addPrompt(prompt);
    const judged = await this.#hooks.judge("UserPromptSubmit", { prompt }, { signal });
    if (signal.aborted) return this.#refuse(prompt, judged, "aborted", "interrupted");

    const combined = combine(judged.verdicts);
    const asked = combined.decision === "ask" && combined.halts.length === 0;
    const refusal = asked
      ? await this.#ask(
          prompt,
          combined.reason,
          combined.deciders.map(({ hook }) => hook),
          signal,
        )
      : undefined;
    if (refusal) {
      const outcome = this.#refuse(prompt, judged, refusal.because, refusal.reason);
      return { ...outcome, unanswered: refusal.unanswered };
    }
    const done = carryOut(effectsOf("UserPromptSubmit", judged.verdicts), this.#messages);
    this.#record(prompt, judged);
    if (!done.promptDropped) {
      this.#messages.acceptPrompt();
      return { accepted: true };
    }
    return dropped(done, combined.reason);
  }

  /** `onError: "ask"`: a hook that could not judge the prompt lets a person decide. */
  async #ask(
    prompt: string,
    reason: string,
    hooks: { name: string; source: string }[],
    signal: AbortSignal,
  ): Promise<{ because: "prompt-blocked" | "aborted"; reason: string; unanswered: boolean } | undefined> {
    if (this.#session.mode() === "dontAsk") {
      const text = `${reason}\nMode dontAsk denies what would have to be asked.`;
      return { because: "prompt-blocked", reason: text, unanswered: false };
    }
    const answered = await this.#permissions.request(
      {
        toolName: "prompt",
        toolUseId: undefined,
        input: { prompt },
        originalInput: undefined,
        reason,
        askedBy: hooks.map((hook) => `hook ${hook.name} (${hook.source})`),
        cwd: this.#session.cwd(),
      },
      signal,
    );
    if (answered.outcome === "cancelled")
      return { because: "aborted", reason: "interrupted", unanswered: false };
    if (answered.outcome === "nobody") {
      const text = `the prompt needs a yes from a person, and ${answered.why}: ${reason}`;
      return { because: "prompt-blocked", reason: text, unanswered: true };
    }
    if (answered.decision.decision === "allow") return undefined;
    return {
      because: "prompt-blocked",
      reason: answered.decision.reason ?? "you said no",
      unanswered: false,
    };
  }

  #refuse(
    prompt: string,
    judged: Judgement,
    because: "prompt-blocked" | "aborted",
    reason: string,
  ): Submission & { accepted: false } {
    this.#messages.removeLastUserMessage();
    // Nothing the hooks printed reaches the conversation; their errors and warnings are shown all the same.
    const effects = effectsOf("UserPromptSubmit", judged.verdicts);
    carryOut(
      effects.filter((effect) => effect.do === "tell-user"),
      this.#messages,
    );
    if (because === "prompt-blocked") this.#messages.addErrorBlock(reason, originOfAsk(judged));
    this.#record(prompt, judged, {
      decision: "blocked",
      decidedBy: because === "aborted" ? "an interrupt" : "the answer to a question",
      reason,
    });
    return { accepted: false, because, reason, unanswered: false };
  }

  #record(prompt: string, judged: Judgement, rest: Parameters<typeof buildRecord>[3] = {}): void {
    const record = buildRecord("UserPromptSubmit", this.#session.mode(), [judged], {
      ...rest,
      promptHash: hashOf(prompt),
      promptLength: prompt.length,
    });
    if (judged.verdicts.length > 0) this.#log.append({ type: "decision", record });
    this.#emit({ type: "hooks_decided", record });
  }
}

function originOfAsk(judged: Judgement): Origin | undefined {
  const [asker] = combine(judged.verdicts).deciders;
  return asker && { hookEvent: "UserPromptSubmit", hook: asker.hook.name, source: asker.hook.source };
}

function dropped(done: CarriedOut, reason: string): Submission {
  const because = done.ended === undefined ? "prompt-blocked" : "halted";
  return { accepted: false, because, reason: done.ended ?? reason, unanswered: false };
}

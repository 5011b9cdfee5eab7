import { labelOf } from "../hooks/definition.ts";
import type { AgentEvent } from "../events.ts";
import { buildRecord, hashOf } from "../hooks/buildRecord.ts";
import {
  deniedByFailureAlone,
  failedHooksOf,
  failedOpenIn,
  withoutBrokenGuards,
} from "../hooks/brokenGuards.ts";
import { combine } from "../hooks/combine.ts";
import { effectsOf } from "../hooks/effects.ts";
import type { HookFacts, PromptSource } from "../hooks/events.ts";
import type { BrokenGuard, DecisionRecord } from "../hooks/record.ts";
import type { Message, Origin } from "../messages/blocks.ts";
import { stillBlocks } from "../permissions/request.ts";
import { guardsAfter, NO_RULE, passedEffects, switchOff, YES_IS_NOT_ENOUGH } from "../gate/brokenGuards.ts";
import { isStanding, summaryOf } from "../messages/context.ts";
import { carryOut, type CarriedOut } from "../hooks/run/carryOut.ts";
import type { HookManager, Judgement } from "../managers/hookManager.ts";
import type { MessageManager } from "../managers/messageManager.ts";
import type { PermissionManager } from "../session/permissionManager.ts";
import type { SessionLog } from "../session/sessionLog.ts";

export type Submission =
  | { accepted: true }
  | {
      accepted: false;
      because: "prompt-blocked" | "halted" | "aborted";
      reason: string;
      unanswered: boolean;
    };

interface PromptRefusal {
  because: "prompt-blocked" | "aborted";
  reason: string;
  unanswered: boolean;
}

/** Takes a prompt through its hooks. Until they let it pass it is on the screen and in no session file. */
export class PromptManager {
  readonly #messages: MessageManager;
  readonly #hooks: HookManager;
  readonly #permissions: PermissionManager;
  readonly #log: SessionLog;
  readonly #session: { cwd(): string; mode(): string };
  readonly #emit: (event: AgentEvent) => void;
  readonly #reviewWays: string;
  /** How many messages there were before the prompt that began the newest turn. */
  #before = 0;

  constructor(options: {
    messages: MessageManager;
    hooks: HookManager;
    permissions: PermissionManager;
    log: SessionLog;
    session: { cwd(): string; mode(): string };
    /** How a person gets to hooks that nobody approved. */
    reviewWays: string;
    emit: (event: AgentEvent) => void;
  }) {
    this.#reviewWays = options.reviewWays;
    this.#messages = options.messages;
    this.#hooks = options.hooks;
    this.#permissions = options.permissions;
    this.#log = options.log;
    this.#session = options.session;
    this.#emit = options.emit;
  }

  async submit(prompt: string, source: PromptSource, signal: AbortSignal): Promise<Submission> {
    const steered = source === "steered";
    if (!steered) this.#before = this.#messages.messages.length;
    this.#messages.addPrompt(prompt, steered ? { steered } : {});
    // A hook that failed and holds the prompt back can be asked again, as often as a person wants.
    const guards: BrokenGuard[] = [];
    const earlier: Judgement[] = [];
    for (;;) {
      const submission = await this.#submitOnce(
        { prompt, prompt_source: source },
        { guards, earlier },
        signal,
      );
      if (submission !== "again") return submission;
    }
  }

  async #submitOnce(
    facts: HookFacts<"UserPromptSubmit">,
    { guards, earlier }: { guards: BrokenGuard[]; earlier: Judgement[] },
    signal: AbortSignal,
  ): Promise<Submission | "again"> {
    const { prompt } = facts;
    const judged = { ...(await this.#hooks.judge("UserPromptSubmit", facts, { signal })), earlier };
    const brokenGuards = () => (guards.length === 0 ? {} : { brokenGuards: guards });
    if (signal.aborted) return this.#refuse(prompt, judged, "aborted", "interrupted");

    const combined = combine(judged.verdicts);
    // A guard that nobody approved is closed: what it would have judged is asked (G22).
    const open =
      combined.decision === "ask" || (combined.decision !== "deny" && judged.unreviewed.length > 0);
    const asked = open && combined.halts.length === 0;
    const isAsked = asked || (this.#asksAboutFailures && deniedByFailureAlone(combined));
    const refusal = isAsked ? await this.#ask(prompt, judged, guards, signal) : undefined;
    if (refusal === "again") {
      earlier.push(judged);
      return refusal;
    }
    if (refusal) {
      const outcome = this.#refuse(prompt, judged, refusal.because, refusal.reason, brokenGuards());
      return { ...outcome, unanswered: refusal.unanswered };
    }
    const verdicts = isAsked ? withoutBrokenGuards(judged.verdicts) : judged.verdicts;
    const effects = [
      ...effectsOf("UserPromptSubmit", verdicts),
      ...(isAsked ? passedEffects("UserPromptSubmit", guards) : []),
    ];
    const done = carryOut(effects, this.#messages);
    this.#record(prompt, judged, {
      ...(isAsked ? { decision: "pass", decidedBy: "person" } : {}),
      ...brokenGuards(),
    });
    if (!done.promptDropped) {
      this.#messages.acceptPrompt();
      return { accepted: true };
    }
    return dropped(done, combined.reason);
  }

  /** The model has not said a word to the newest prompt: the server was not reached, or nobody waited for it. */
  get isUnanswered(): boolean {
    return !this.#messages.messages.slice(this.#before).some(isAnswer);
  }

  /**
   * Takes the newest prompt out of the conversation, as long as it is unanswered: with what its hooks told the model, and with
   * the errors about it, which would read as those of the turn before.
   */
  takeBack(): boolean {
    const messages = this.#messages.messages
      .slice(this.#before)
      .flatMap((message) =>
        isCommand(message.origin) || summaryOf(message) || isStanding(message) ? [] : [message],
      );
    if (!messages.some(({ role }) => role === "user") || !this.isUnanswered) return false;
    for (const { id: messageId } of messages) this.#messages.restore({ edit: "remove-message", messageId });
    return true;
  }

  /** Where nobody can answer, and where nobody wants to be asked, a hook that blocks because it failed simply blocks. */
  get #asksAboutFailures(): boolean {
    return this.#permissions.canAsk && this.#session.mode() !== "dontAsk";
  }

  /** Hooks that could not judge the prompt, and were not told to let it pass: a person decides. Undefined when that is yes. */
  async #ask(
    prompt: string,
    judged: Judgement,
    guards: BrokenGuard[],
    signal: AbortSignal,
  ): Promise<PromptRefusal | "again" | undefined> {
    const failedHooks = failedHooksOf(judged.verdicts, judged.planned, guards);
    const unapproved = judged.unreviewed.map(
      ({ name }) =>
        `Hook ${name} of this project would judge this prompt, and nobody has approved it in this form; ${this.#reviewWays} shows it.`,
    );
    const reason = [...failedHooks.map(({ message }) => message), ...unapproved].join("\n");
    if (this.#session.mode() === "dontAsk") {
      const text = `${reason}\nMode dontAsk denies what would have to be asked.`;
      return { because: "prompt-blocked", reason: text, unanswered: false };
    }
    const answered = await this.#permissions.request(
      {
        toolName: "prompt",
        toolUseId: undefined,
        origin: "person",
        input: { prompt },
        originalInput: undefined,
        // A person also wants to know who failed and holds nothing back; without a person each such hook says so itself.
        reason: [reason, ...failedOpenIn(judged.verdicts)].join("\n"),
        askedBy: [
          ...failedHooks.map(labelOf),
          ...judged.unreviewed.map(({ name }) => `hook ${name}, which nobody approved`),
        ],
        rule: NO_RULE,
        failedHooks,
        cwd: this.#session.cwd(),
      },
      signal,
    );
    if (answered.outcome === "cancelled")
      return { because: "aborted", reason: "interrupted", unanswered: false };
    const blocks = failedHooks.some(({ onError }) => onError === "block");
    if (answered.outcome === "nobody") {
      const text = `the prompt needs a yes from a person, and ${answered.why}: ${reason}`;
      return { because: "prompt-blocked", reason: blocks ? reason : text, unanswered: !blocks };
    }
    const { decision } = answered;
    if (decision.decision === "deny")
      return { because: "prompt-blocked", reason: decision.reason ?? "you said no", unanswered: false };
    if (decision.decision === "allow" && stillBlocks(failedHooks, decision).length > 0)
      return { because: "prompt-blocked", reason: `${reason}\n${YES_IS_NOT_ENOUGH}`, unanswered: false };
    guards.push(...guardsAfter(failedHooks, decision));
    switchOff(this.#hooks, decision);
    return decision.decision === "retry" ? "again" : undefined;
  }

  #refuse(
    prompt: string,
    judged: LastJudgement,
    because: "prompt-blocked" | "aborted",
    reason: string,
    rest: Pick<DecisionRecord, "brokenGuards"> = {},
  ): Submission & { accepted: false } {
    this.#messages.removeLastUserMessage();
    // Nothing the hooks printed reaches the conversation; their errors and warnings are shown all the same.
    const effects = effectsOf("UserPromptSubmit", withoutBrokenGuards(judged.verdicts));
    carryOut(
      effects.filter((effect) => effect.do === "tell-user"),
      this.#messages,
    );
    if (because === "prompt-blocked") this.#messages.addErrorBlock(reason, originOfAsk(judged));
    this.#record(prompt, judged, {
      decision: "blocked",
      decidedBy: because === "aborted" ? "an interrupt" : "the answer to a question",
      reason,
      ...rest,
    });
    return { accepted: false, because, reason, unanswered: false };
  }

  #record(prompt: string, judged: LastJudgement, rest: Parameters<typeof buildRecord>[3] = {}): void {
    const facts = { ...rest, promptHash: hashOf(prompt), promptLength: prompt.length };
    const mode = this.#session.mode();
    const record = buildRecord("UserPromptSubmit", mode, [judged], facts, judged.earlier);
    if (judged.verdicts.length > 0) this.#log.append({ type: "decision", record });
    this.#emit({ type: "hooks_decided", record });
  }
}

/** With what the hooks said before they were asked again. */
type LastJudgement = Judgement & { earlier: readonly Judgement[] };

/** Errors and warnings stand in messages of role assistant, too; they are Wave's own. */
const isAnswer = ({ role, blocks }: Message) =>
  role === "assistant" && blocks.some(({ type }) => type !== "error" && type !== "warn");

/** What the person ran afterwards was no part of the prompt. */
const isCommand = (origin: Message["origin"]) => origin !== undefined && "ranBy" in origin;

function originOfAsk(judged: Judgement): Origin | undefined {
  const [asker] = combine(judged.verdicts).deciders;
  return asker && { hookEvent: "UserPromptSubmit", hook: asker.hook.name, source: asker.hook.source };
}

function dropped(done: CarriedOut, reason: string): Submission {
  const because = done.ended === undefined ? "prompt-blocked" : "halted";
  return { accepted: false, because, reason: done.ended ?? reason, unanswered: false };
}

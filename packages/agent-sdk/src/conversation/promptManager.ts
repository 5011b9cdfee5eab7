import { labelOf } from "../hooks/definition.ts";
import { hashOf } from "../hooks/buildRecord.ts";
import { deniedByFailureAlone, failedHooksOf, withoutBrokenGuards } from "../hooks/brokenGuards.ts";
import { combine } from "../hooks/combine.ts";
import type { HookFacts } from "../hooks/events.ts";
import type { PromptSource } from "../hooks/eventFields.ts";
import type { DecisionRecord } from "../hooks/record.ts";
import type { ImageBlock, Message } from "../messages/blocks.ts";
import { isStanding, summaryOf } from "../messages/context.ts";
import type { Judgement } from "../session/judgement.ts";
import type { MessageManager } from "../managers/messageManager.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import type { Concluded, HookPipeline, Said } from "../session/hookPipeline.ts";
import { passedEffects } from "../session/passedGuards.ts";
import type { Ending } from "./turn/nextStep.ts";
import { untilDecided, type Attempts, type Person } from "../session/person.ts";

/** What a person or a program wants of the model. */
export interface Prompt {
  text: string;
  images: readonly ImageBlock[];
  source: PromptSource;
}

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

/** Reads what an accepted prompt names. How the turn ends because of it; undefined when it goes on. */
export type Attach = (prompt: string, signal: AbortSignal) => Promise<Ending | undefined>;

/** Takes a prompt through its hooks. Until they let it pass it is on the screen and in no session file. */
export class PromptManager {
  readonly #messages: MessageManager;
  readonly #hooks: HookPipeline;
  readonly #person: Person;
  readonly #session: { cwd(): string; mode(): PermissionMode };
  readonly #reviewWays: string;
  readonly #attach: Attach;
  /** How many messages there were before the prompt that began the newest turn. */
  #before = 0;

  constructor(options: {
    messages: MessageManager;
    hooks: HookPipeline;
    person: Person;
    session: { cwd(): string; mode(): PermissionMode };
    /** How a person gets to hooks that nobody approved. */
    reviewWays: string;
    /** Absent: nothing that a prompt names is read for it. */
    attach?: Attach | undefined;
  }) {
    this.#attach = options.attach ?? (async () => undefined);
    this.#reviewWays = options.reviewWays;
    this.#messages = options.messages;
    this.#hooks = options.hooks;
    this.#person = options.person;
    this.#session = options.session;
  }

  async submit({ text: prompt, images, source }: Prompt, signal: AbortSignal): Promise<Submission> {
    const steered = source === "steered";
    if (!steered) this.#before = this.#messages.messages.length;
    this.#messages.addPrompt([{ type: "text", content: prompt }, ...images], steered ? { steered } : {});
    const facts = { prompt, prompt_source: source };
    const judged = await untilDecided((attempts) => this.#submitOnce(facts, attempts, signal));
    if (!judged.accepted) return judged;
    const ending = await this.#attach(prompt, signal);
    if (!ending) return judged;
    const because = ending.because === "halted" ? "halted" : "prompt-blocked";
    return { accepted: false, because, reason: ending.reason ?? "", unanswered: false };
  }

  async #submitOnce(
    facts: HookFacts<"UserPromptSubmit">,
    attempts: Attempts,
    signal: AbortSignal,
  ): Promise<Submission | "again"> {
    const { prompt } = facts;
    const judged = await this.#hooks.judge("UserPromptSubmit", facts, { signal });
    const judgedPrompt = { prompt, judged, attempts };
    if (signal.aborted) return this.#refuse(judgedPrompt, INTERRUPTED);

    const combined = combine(judged.verdicts);
    // A guard that nobody approved is closed: what it would have judged is asked (G22).
    const open =
      combined.decision === "ask" || (combined.decision !== "deny" && judged.unreviewed.length > 0);
    const asked = open && combined.halts.length === 0;
    const asksAboutFailures = this.#person.isAskedAboutFailures(this.#session.mode());
    const isAsked = asked || (asksAboutFailures && deniedByFailureAlone(combined));
    const refusal = isAsked ? await this.#ask(judgedPrompt, signal) : undefined;
    if (refusal === "again") {
      attempts.earlier.push(judged);
      return refusal;
    }
    if (refusal) return this.#refuse(judgedPrompt, refusal);
    const done = this.#conclude(
      judgedPrompt,
      isAsked
        ? {
            verdicts: withoutBrokenGuards(judged.verdicts),
            also: passedEffects("UserPromptSubmit", attempts.guards),
          }
        : {},
      isAsked ? { decision: "pass", decidedBy: "person" } : {},
    );
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

  /** Hooks that could not judge the prompt, and were not told to let it pass: a person decides. Undefined when that is yes. */
  async #ask(
    { prompt, judged, attempts }: JudgedPrompt,
    signal: AbortSignal,
  ): Promise<PromptRefusal | "again" | undefined> {
    const failedHooks = failedHooksOf(judged.verdicts, judged.planned, attempts.guards);
    const unapproved = judged.unreviewed.map(
      ({ name }) =>
        `Hook ${name} of this project would judge this prompt, and nobody has approved it in this form; ${this.#reviewWays} shows it.`,
    );
    const reasons = [...failedHooks.map(({ message }) => message), ...unapproved];
    const reason = reasons.join("\n");
    if (this.#session.mode() === "dontAsk")
      return blocked(`${reason}\nMode dontAsk denies what would have to be asked.`);
    const answer = await this.#person.ask(
      {
        toolName: "prompt",
        toolUseId: undefined,
        origin: "person",
        input: { prompt },
        originalInput: undefined,
        reasons,
        askedBy: [
          ...failedHooks.map(labelOf),
          ...judged.unreviewed.map(({ name }) => `hook ${name}, which nobody approved`),
        ],
        failedHooks,
        verdicts: judged.verdicts,
        cwd: this.#session.cwd(),
      },
      attempts,
      signal,
    );
    switch (answer.said) {
      case "yes":
        return undefined;
      case "again":
        return "again";
      case "no":
        return blocked(answer.words ?? "you said no");
      case "yes-to-nothing":
        return blocked(`${reason}\n${answer.why}`);
      case "refused":
        return blocked(answer.reason);
      case "interrupted":
        return INTERRUPTED;
      case "nothing": {
        if (failedHooks.some(({ onError }) => onError === "block")) return blocked(reason);
        const text = `the prompt needs approval, and ${answer.why}: ${reason}`;
        return { ...blocked(text), unanswered: true };
      }
    }
  }

  #refuse(
    judgedPrompt: JudgedPrompt,
    { because, reason, unanswered }: PromptRefusal,
  ): Submission & { accepted: false } {
    const { verdicts } = judgedPrompt.judged;
    const [asker] = combine(verdicts).deciders;
    const origin = asker && {
      hookEvent: "UserPromptSubmit",
      hook: asker.hook.name,
      source: asker.hook.source,
    };
    this.#messages.removeLastUserMessage();
    this.#conclude(
      judgedPrompt,
      {
        verdicts: withoutBrokenGuards(verdicts),
        // Nothing the hooks printed reaches the conversation; their errors and warnings are shown all the same.
        only: (effect) => effect.do === "tell-user",
      },
      {
        decision: "blocked",
        decidedBy: because === "aborted" ? "an interrupt" : "the answer to a question",
        reason,
      },
    );
    if (because === "prompt-blocked") this.#messages.addErrorBlock(reason, origin);
    return { accepted: false, because, reason, unanswered };
  }

  #conclude(
    { prompt, judged, attempts }: JudgedPrompt,
    said: Pick<Said, "verdicts" | "also" | "only">,
    rest: Partial<DecisionRecord>,
  ): Concluded {
    const { guards, earlier } = attempts;
    return this.#hooks.conclude(
      "UserPromptSubmit",
      { judgements: [judged], earlier, ...said },
      {
        ...rest,
        ...(guards.length === 0 ? {} : { brokenGuards: [...guards] }),
        promptHash: hashOf(prompt),
        promptLength: prompt.length,
      },
    );
  }
}

interface JudgedPrompt {
  prompt: string;
  judged: Judgement;
  attempts: Attempts;
}

const blocked = (reason: string): PromptRefusal => ({ because: "prompt-blocked", reason, unanswered: false });
const INTERRUPTED: PromptRefusal = { because: "aborted", reason: "interrupted", unanswered: false };

/** Errors and warnings stand in messages of role assistant, too; they are Wave's own. */
const isAnswer = ({ role, blocks }: Message) =>
  role === "assistant" && blocks.some(({ type }) => type !== "error" && type !== "warn");

/** What the person ran afterwards was no part of the prompt. */
const isCommand = (origin: Message["origin"]) =>
  origin !== undefined && "ranBy" in origin && origin.for === undefined;

function dropped(done: Concluded, reason: string): Submission {
  const because = done.ended === undefined ? "prompt-blocked" : "halted";
  return { accepted: false, because, reason: done.ended ?? reason, unanswered: false };
}

import { ModelError, turnFailureOf } from "../errors.ts";
import type { AgentEvent, CompactionEnd } from "../events.ts";
import type { Usage } from "../messages/blocks.ts";
import { planCompaction, sizeOf, type CompactionPlan } from "../messages/context.ts";
import { summaryRequest } from "../messages/summaryRequest.ts";
import type { ModelAnswer, RetryNotice } from "../services/aiService.ts";
import type { ContextGauge } from "./contextGauge.ts";
import type { MessageManager } from "../managers/messageManager.ts";
import type { HookPipeline } from "../session/hookPipeline.ts";
import type { ModelManager } from "../session/modelManager.ts";

export interface CompactionWish {
  askedBy: "person" | "wave";
  instructions?: string | undefined;
  signal: AbortSignal;
}

/** Room for the request, when the size of the context is known: few tokens have less than three characters. */
const CHARS_PER_TOKEN = 3;
const SHARE_FOR_REQUEST = 0.7;
/** A server that finds even the request for a summary too long gets half of it, so many times. */
const MAX_TRIES = 4;

/** Lets the model sum up the conversation. Nothing changes before the whole summary is there, and then one record does it. */
export class CompactionManager {
  readonly #messages: MessageManager;
  readonly #model: ModelManager;
  readonly #cwd: () => string;
  readonly #role: string | undefined;
  readonly #gauge: ContextGauge;
  /** Characters of what goes with every request beside the conversation. */
  readonly #alwaysSent: () => number;
  readonly #wayBack: string;
  readonly #hooks: HookPipeline;
  readonly #emit: (event: AgentEvent) => void;

  constructor(options: {
    messages: MessageManager;
    model: ModelManager;
    /** Where tools work now. */
    cwd: () => string;
    /** What a sub-agent is told besides. */
    role: string | undefined;
    gauge: ContextGauge;
    alwaysSent: () => number;
    /** How a person takes a summary back. */
    wayBack: string;
    hooks: HookPipeline;
    emit: (event: AgentEvent) => void;
  }) {
    this.#messages = options.messages;
    this.#model = options.model;
    this.#cwd = options.cwd;
    this.#role = options.role;
    this.#gauge = options.gauge;
    this.#alwaysSent = options.alwaysSent;
    this.#wayBack = options.wayBack;
    this.#hooks = options.hooks;
    this.#emit = options.emit;
  }

  /** What is said meanwhile would be gone with what the summary stands for. */
  isRunning = false;

  /** Never rejects for what a model did. */
  async compact(wish: CompactionWish): Promise<CompactionEnd> {
    this.#emit({ type: "compaction_started", askedBy: wish.askedBy });
    this.isRunning = true;
    const end = await this.#sumUp(wish);
    this.isRunning = false;
    if (end.compacted) this.#gauge.compaction("compacted", this.#messages.messages);
    else if (end.because !== "aborted") this.#gauge.compaction("failed", this.#messages.messages);
    this.#emit({ type: "compaction_ended", end });
    // A sub-agent never heard them.
    if (!end.compacted || this.#role !== undefined) return end;
    // What the hooks of the start said before is gone, or may be old.
    const again = { signal: wish.signal, again: true };
    const { ended } = await this.#hooks.perform("SessionStart", { source: "compact" }, again);
    return ended === undefined ? end : { ...end, halted: ended };
  }

  /** Takes the newest compaction back; false when there is none. */
  undo(): boolean {
    const undone = this.#messages.undoCompaction();
    if (undone) this.#gauge.compactionUndone(this.#messages.messages);
    return undone;
  }

  async #sumUp(wish: CompactionWish): Promise<CompactionEnd> {
    const plan = planCompaction(this.#messages.messages);
    if (!plan)
      return { compacted: false, because: "nothing-to-do", reason: "there is nothing to sum up yet" };
    const trigger = wish.askedBy === "person" ? "manual" : "auto";
    const { denied } = await this.#hooks.perform(
      "PreCompact",
      { trigger, custom_instructions: wish.instructions ?? null },
      { signal: wish.signal },
    );
    if (denied !== undefined) return { compacted: false, because: "blocked", reason: denied };
    let answer: ModelAnswer;
    try {
      answer = await this.#askForSummary(plan, wish);
    } catch (error) {
      if (wish.signal.aborted) return { compacted: false, because: "aborted", reason: "interrupted" };
      const failure = turnFailureOf(error);
      const because = failure.kind === "context" ? "context-full" : "model-error";
      return { compacted: false, because, reason: failure.message, failure };
    }
    const content = answer.content?.trim() ?? "";
    if (content === "")
      return { compacted: false, because: "model-error", reason: "the model gave no summary; try it again" };
    const end = {
      compacted: true,
      message: this.#write(plan, content, wish, answer.usage),
      usage: answer.usage,
    } as const;
    if (answer.finish_reason === "length")
      this.#messages.addWarnBlock(
        `the summary was cut: it reached the model's output limit; ${this.#wayBack}`,
      );
    await this.#hooks.perform("PostCompact", { trigger, compact_summary: content }, { signal: wish.signal });
    return end;
  }

  async #askForSummary(plan: CompactionPlan, { instructions, signal }: CompactionWish): Promise<ModelAnswer> {
    const size = this.#model.contextSize;
    let maxChars = size === undefined ? Infinity : size * SHARE_FOR_REQUEST * CHARS_PER_TOKEN;
    for (let tries = 1; ; tries++) {
      const content = summaryRequest(plan.context, { instructions, maxChars });
      try {
        // Awaited here: what it rejects with is looked at below.
        return await this.#model.ask({
          cwd: this.#cwd(),
          role: this.#role,
          messages: [{ role: "user", content }],
          tools: [],
          signal,
          ...this.#callbacks,
        });
      } catch (error) {
        const tooLong = error instanceof ModelError && error.kind === "context-too-long";
        if (!tooLong || tries === MAX_TRIES) throw error;
        maxChars = Math.min(maxChars, content.length) / 2;
        this.#notice("the conversation is too long to be summarised whole: older parts of it are skipped");
      }
    }
  }

  #write(plan: CompactionPlan, content: string, { askedBy }: CompactionWish, usage: Usage | undefined) {
    const { keeps, covers } = plan;
    return this.#messages.addSummary(
      { type: "summary", content, keeps, covers, askedBy, ...this.#tokens(plan, content) },
      usage,
    );
  }

  /** The size afterwards is an estimate, until the next answer tells it. */
  #tokens(
    { context, keeps }: CompactionPlan,
    summary: string,
  ): { tokensBefore?: number; tokensAfter?: number } {
    const { tokens } = this.#gauge.shown;
    if (tokens === undefined) return {};
    const kept = sizeOf(context.filter(({ id }) => keeps.includes(id)));
    const always = this.#alwaysSent();
    const share = (always + kept + summary.length) / (always + sizeOf(context));
    return { tokensBefore: tokens, tokensAfter: Math.round(tokens * Math.min(1, share)) };
  }

  readonly #callbacks = {
    onText: (text: string) => this.#emit({ type: "compaction_delta", text }),
    onRetry: (notice: RetryNotice) => this.#emit({ type: "model_retry", ...notice }),
    onNotice: (text: string) => this.#notice(text),
  };

  #notice(text: string): void {
    this.#emit({ type: "notice", level: "info", text });
  }
}

import type { AgentEvent, PermissionDenial, TurnEnd } from "../events.ts";
import { ModelError } from "../errors.ts";
import { buildRecord } from "../hooks/buildRecord.ts";
import { effectsOf } from "../hooks/effects.ts";
import type { Block, Usage } from "../messages/blocks.ts";
import type { ToolCallWire } from "../messages/toolCall.ts";
import { callAgent, type ModelAnswer, type ModelOptions } from "../services/aiService.ts";
import { batchesOf } from "../turn/batches.ts";
import { nextStep, STOP_BLOCK_LIMIT, type Ending, type TurnState } from "../turn/nextStep.ts";
import { convertMessagesForAPI } from "../utils/convertMessagesForAPI.ts";
import { carryOut, isTellModel, tellModel } from "./carryOut.ts";
import type { HookManager } from "./hookManager.ts";
import { LiveAnswer } from "./liveAnswer.ts";
import type { MessageManager } from "./messageManager.ts";
import type { SessionLog } from "./sessionLog.ts";
import type { CallEnd, ToolManager } from "./toolManager.ts";

/** How a turn went, before the agent adds what it knows of the prompt. */
export interface LoopEnd extends Omit<TurnEnd, "because" | "promptBack"> {
  because: Ending["because"];
  /** Words typed with a no: the user's next message (PD-2). */
  words?: string;
}

/** Performs the turn that `nextStep` chooses: one short method per kind of step. */
export class AIManager {
  readonly #messages: MessageManager;
  readonly #hooks: HookManager;
  readonly #tools: ToolManager;
  readonly #log: SessionLog;
  readonly #model: ModelOptions;
  readonly #place: { projectDir: string; cwd(): string };
  readonly #mode: () => string;
  readonly #maxModelCalls: number | undefined;
  readonly #emit: (event: AgentEvent) => void;
  readonly #promptCache = new Map<string, string>();

  constructor(options: {
    messages: MessageManager;
    hooks: HookManager;
    tools: ToolManager;
    log: SessionLog;
    model: ModelOptions;
    place: { projectDir: string; cwd(): string };
    mode: () => string;
    maxModelCalls: number | undefined;
    emit: (event: AgentEvent) => void;
  }) {
    this.#messages = options.messages;
    this.#hooks = options.hooks;
    this.#tools = options.tools;
    this.#log = options.log;
    this.#model = options.model;
    this.#place = options.place;
    this.#mode = options.mode;
    this.#maxModelCalls = options.maxModelCalls;
    this.#emit = options.emit;
  }

  /** The turn loop: from an accepted prompt to the next idle. Never rejects for what a model, hook or tool did. */
  async sendAIMessage(signal: AbortSignal): Promise<LoopEnd> {
    const turn = new Turn(this.#maxModelCalls);
    for (;;) {
      if (signal.aborted) turn.end({ because: "aborted", reason: "interrupted" });
      const step = nextStep(turn);
      switch (step.do) {
        case "call-model":
          await this.#callModel(turn, signal);
          break;
        case "run-tools":
          await this.#runTools(turn, step.calls, signal);
          break;
        case "ask-stop-hooks":
          await this.#askStopHooks(turn, signal);
          break;
        case "finish":
          return this.#finish(turn, step.ending);
        default:
          step satisfies never;
      }
    }
  }

  async #callModel(turn: Turn, signal: AbortSignal): Promise<void> {
    turn.modelCalls++;
    this.#emit({ type: "model_started", call: turn.modelCalls });
    const live = new LiveAnswer((blocks) => this.#messages.showLive(blocks), this.#emit);
    let answer: ModelAnswer;
    try {
      answer =
        (await callAgent({
          messages: convertMessagesForAPI(this.#messages.messages),
          tools: this.#tools.describe(),
          model: this.#model,
          projectDir: this.#place.projectDir,
          cwd: this.#place.cwd(),
          promptCache: this.#promptCache,
          signal,
          ...live.callbacks,
        })) ?? {};
    } catch (error) {
      // What has been read by a person stays in the conversation, also when the rest never came.
      this.#messages.addAssistantMessage(live.blocks);
      this.#modelFailed(turn, error, signal);
      return;
    }
    this.#emit({ type: "model_ended", usage: answer.usage, finishReason: answer.finish_reason });
    turn.add(answer.usage);
    const calls = withUniqueIds(answer.tool_calls ?? []);
    this.#messages.addAssistantMessage(blocksOf(answer, calls), answer.usage);
    const cut = cutWarning(answer.finish_reason);
    if (cut) this.#messages.addWarnBlock(cut);
    if (answer.content?.trim()) turn.answer = answer.content;
    turn.pendingCalls = calls;
    turn.answered = calls.length === 0;
  }

  #modelFailed(turn: Turn, error: unknown, signal: AbortSignal): void {
    if (signal.aborted) {
      turn.end({ because: "aborted", reason: "interrupted" });
      return;
    }
    const reason = error instanceof Error ? error.message : String(error);
    this.#messages.addErrorBlock(reason);
    const full = error instanceof ModelError && error.kind === "context-too-long";
    turn.end({ because: full ? "context-full" : "model-error", reason });
  }

  async #runTools(turn: Turn, calls: readonly ToolCallWire[], signal: AbortSignal): Promise<void> {
    const ends = new Map<string, CallEnd>();
    for (const batch of batchesOf(calls, (call) => this.#tools.runsInParallel(call))) {
      if (turn.ending || signal.aborted) break;
      await Promise.all(
        batch.map(async (call) => {
          const end = await this.#tools.call(call, signal);
          ends.set(call.id, end);
          turn.refused(end);
          if (end.ending) turn.end(end.ending);
        }),
      );
    }
    for (const call of calls) if (!ends.has(call.id)) this.#tools.answer(call, notRun(turn));
    // Feedback follows all results of the answer, in the order of the calls.
    for (const call of calls) {
      const end = ends.get(call.id);
      if (end && end.images.length > 0) this.#messages.addUserMessage([...end.images]);
      for (const effect of end?.after ?? []) tellModel(effect, this.#messages);
    }
    turn.pendingCalls = [];
  }

  async #askStopHooks(turn: Turn, signal: AbortSignal): Promise<void> {
    const judged = await this.#hooks.judge(
      "Stop",
      {
        stop_hook_active: turn.stopBlocks > 0,
        last_assistant_message: turn.answer,
        stop_block_count: turn.stopBlocks,
        stop_block_limit: STOP_BLOCK_LIMIT,
      },
      { signal },
    );
    if (signal.aborted) return;
    const effects = effectsOf("Stop", judged.verdicts);
    const blocked = effects.some((effect) => effect.do === "keep-going");
    const overCap = blocked && turn.stopBlocks + 1 >= STOP_BLOCK_LIMIT;
    const { ended } = carryOut(
      overCap ? effects.filter((effect) => !isTellModel(effect)) : effects,
      this.#messages,
    );
    const record = buildRecord(
      "Stop",
      this.#mode(),
      [judged],
      overCap ? { decidedBy: "the cap on blocked stops", decision: "pass" } : {},
    );
    if (judged.verdicts.length > 0) this.#log.append({ type: "decision", record });
    this.#emit({ type: "hooks_decided", record });
    turn.answered = false;
    if (ended !== undefined) turn.end({ because: "halted", reason: ended });
    else if (!blocked) turn.end({ because: "done" });
    else if (overCap) this.#endAtCap(turn, record.reason ?? "");
    else turn.stopBlocks++;
  }

  #endAtCap(turn: Turn, lastReason: string): void {
    const names = `the turn ended although a Stop hook blocked it: that was block ${STOP_BLOCK_LIMIT} in a row`;
    const reason = lastReason ? `${names}. It said: ${lastReason}` : names;
    this.#messages.addWarnBlock(reason);
    turn.end({ because: "stop-cap", reason });
  }

  #finish(turn: Turn, ending: Ending & { words?: string }): LoopEnd {
    if (ending.because === "max-turns" && ending.reason) this.#messages.addWarnBlock(ending.reason);
    this.#log.append({ type: "turn_ended", because: ending.because, usage: turn.usage }, { sync: true });
    const { answer, modelCalls, usage, denials, unanswered } = turn;
    return { ...ending, answer, modelCalls, usage, denials, unanswered };
  }
}

/** The state of one turn. `nextStep` reads it; the performers above write it. */
class Turn implements TurnState {
  ending: (Ending & { words?: string }) | undefined;
  pendingCalls: readonly ToolCallWire[] = [];
  answered = false;
  modelCalls = 0;
  stopBlocks = 0;
  readonly maxModelCalls: number | undefined;
  answer = "";
  usage: Usage = { inputTokens: 0, outputTokens: 0 };
  denials: PermissionDenial[] = [];
  unanswered = false;

  constructor(maxModelCalls: number | undefined) {
    this.maxModelCalls = maxModelCalls;
  }

  /** The first reason stays: a later one is a consequence. */
  end(ending: Ending & { words?: string }): void {
    this.ending ??= ending;
  }

  add(usage: Usage | undefined): void {
    if (!usage) return;
    const cached = (this.usage.cachedInputTokens ?? 0) + (usage.cachedInputTokens ?? 0);
    this.usage = {
      inputTokens: this.usage.inputTokens + usage.inputTokens,
      outputTokens: this.usage.outputTokens + usage.outputTokens,
      ...(cached > 0 ? { cachedInputTokens: cached } : {}),
    };
  }

  refused({ refusal }: CallEnd): void {
    if (refusal?.denial) this.denials.push(refusal.denial);
    if (refusal?.unanswered) this.unanswered = true;
  }
}

function blocksOf(answer: ModelAnswer, calls: readonly ToolCallWire[]): Block[] {
  const blocks: Block[] = [];
  if (answer.reasoning) blocks.push({ type: "reasoning", content: answer.reasoning });
  if (answer.content) blocks.push({ type: "text", content: answer.content });
  for (const call of calls) {
    const { name, arguments: parameters } = call.function;
    blocks.push({ type: "tool", id: call.id, name, parameters, stage: "pending" });
  }
  return blocks;
}

/** Some servers give every call of an answer the same id, or none: results could not be told apart. */
function withUniqueIds(calls: readonly ToolCallWire[]): ToolCallWire[] {
  const seen = new Set<string>();
  return calls.map((call, index) => {
    const id = call.id && !seen.has(call.id) ? call.id : `${call.id || "call"}_${index}`;
    seen.add(id);
    return { ...call, id };
  });
}

function cutWarning(finishReason: string | undefined): string | undefined {
  if (finishReason === "length") return "the model's answer was cut: it reached its output limit";
  if (finishReason === "content_filter") return "the model's answer was cut by the provider's content filter";
  return undefined;
}

function notRun(turn: Turn): { result: string; error: string } {
  const why =
    turn.ending?.because === "halted"
      ? "a hook ended the turn"
      : turn.ending?.because === "denied"
        ? "the user said no to another call"
        : "the turn was interrupted";
  return { result: `Not run: ${why} before this call started.`, error: "not run" };
}

import type { AgentEvent } from "../events.ts";
import { turnFailureOf } from "../errors.ts";
import { combine } from "../hooks/combine.ts";
import type { Effect } from "../hooks/effects.ts";
import type { ToolCallWire } from "../messages/toolCall.ts";
import type { ModelAnswer } from "../services/aiService.ts";
import { batchesOf } from "../conversation/turn/batches.ts";
import { observedRequest } from "../conversation/observedRequest.ts";
import { stopFacts, tellOfBatch, tellOfEnd } from "../conversation/turnEvents.ts";
import { nextStep, STOP_BLOCK_LIMIT, type Ending, type Step } from "../conversation/turn/nextStep.ts";
import { convertMessagesForAPI } from "../utils/convertMessagesForAPI.ts";
import { blocksOf, cutOf, isNothing, withItsEnd, withUniqueIds } from "../model/answer.ts";
import { isTellModel, tellModel } from "../hooks/run/carryOut.ts";
import { whyCompact } from "../conversation/compactionWords.ts";
import type { CompactionManager } from "../conversation/compactionManager.ts";
import type { ContextGauge } from "../conversation/contextGauge.ts";
import type { Caller } from "../gate/caller.ts";
import type { HookPipeline } from "../session/hookPipeline.ts";
import { LiveAnswer } from "../conversation/liveAnswer.ts";
import type { MessageManager } from "./messageManager.ts";
import type { ModelManager } from "../session/modelManager.ts";
import type { PromptManager } from "../conversation/promptManager.ts";
import type { SessionLog } from "../session/sessionLog.ts";
import { takeSteering, type SteeringQueue } from "../conversation/steering.ts";
import type { CallEnd, ToolManager } from "../conversation/toolManager.ts";
import { Untold } from "../conversation/untold.ts";
import { checkOutput, type WantedOutput } from "../conversation/wantedOutput.ts";
import { endedBy } from "../conversation/turn/limits.ts";
import type { Budget } from "../session/budget.ts";
import { stopCapReason, Turn, type LoopEnd } from "../conversation/turn.ts";

/** Performs the turn that `nextStep` chooses: one short method per kind of step. */
export class AIManager {
  readonly #messages: MessageManager;
  readonly #hooks: HookPipeline;
  readonly #prompts: PromptManager;
  readonly #tools: ToolManager;
  readonly #log: SessionLog;
  readonly #model: ModelManager;
  readonly #cwd: () => string;
  readonly #role: string | undefined;
  readonly #isPlanning: () => boolean;
  readonly #gauge: ContextGauge;
  readonly #compaction: CompactionManager;
  readonly #steering: SteeringQueue;
  readonly #wayBack: string;
  readonly #maxModelCalls: number | undefined;
  readonly #budget: Budget;
  readonly #agentFile: string | undefined;
  readonly #emit: (event: AgentEvent) => void;
  /** The turn that runs, and what says that it ends with the calls that run. */
  #current: { turn: Turn; ending: AbortController } | undefined;
  readonly #untold: Untold;

  constructor(options: {
    messages: MessageManager;
    hooks: HookPipeline;
    prompts: PromptManager;
    tools: ToolManager;
    log: SessionLog;
    model: ModelManager;
    /** Where tools work now. */
    cwd: () => string;
    /** What a sub-agent is told besides. */
    role: string | undefined;
    isPlanning: () => boolean;
    gauge: ContextGauge;
    compaction: CompactionManager;
    steering: SteeringQueue;
    /** How a person takes a summary back. */
    wayBack: string;
    maxModelCalls: number | undefined;
    budget: Budget;
    /** The transcript of a sub-agent, for the hooks that are asked when it stops. Absent: the main conversation. */
    agentFile?: string | undefined;
    emit: (event: AgentEvent) => void;
  }) {
    this.#messages = options.messages;
    this.#untold = new Untold(options.messages);
    this.#hooks = options.hooks;
    this.#prompts = options.prompts;
    this.#tools = options.tools;
    this.#log = options.log;
    this.#model = options.model;
    this.#cwd = options.cwd;
    this.#role = options.role;
    this.#isPlanning = options.isPlanning;
    this.#gauge = options.gauge;
    this.#compaction = options.compaction;
    this.#steering = options.steering;
    this.#wayBack = options.wayBack;
    this.#maxModelCalls = options.maxModelCalls;
    this.#budget = options.budget;
    this.#agentFile = options.agentFile;
    this.#emit = options.emit;
  }

  /** What is told of AGENTS.md may be another text by now: the next request takes it up. */
  readInstructionsAgain(): void {
    this.#model.readInstructionsAgain();
  }

  /** Something that nobody waited for has ended: the model hears of it before its next request. */
  tell(text: string, source: string): void {
    this.#untold.add(text, source);
    if (!this.#current && !this.#compaction.isRunning) this.#untold.say();
  }

  /** Ends the turn that runs, after what is under way. */
  halt(reason: string): void {
    this.#current?.turn.end({ because: "halted", reason });
    this.#current?.ending.abort();
  }

  /** The turn loop: from an accepted prompt to the next idle. Never rejects for what a model, hook or tool did. */
  async sendAIMessage(signal: AbortSignal, wanted?: WantedOutput): Promise<LoopEnd> {
    const watched = { gauge: this.#gauge, steering: this.#steering, budget: this.#budget, wanted };
    const turn = new Turn(this.#maxModelCalls, watched);
    const ending = new AbortController();
    this.#current = { turn, ending };
    for (;;) {
      if (signal.aborted) turn.end(endedBy(signal));
      const step = nextStep(turn);
      switch (step.do) {
        case "call-model":
          await this.#callModel(turn, signal);
          break;
        case "run-tools":
          await this.#runTools(turn, step.calls, { signal, ending });
          break;
        case "check-output":
          await checkOutput(turn, this.#messages);
          break;
        case "ask-stop-hooks":
          await this.#askStopHooks(turn, signal);
          break;
        case "take-steering":
          await takeSteering(turn, {
            steering: this.#steering,
            prompts: this.#prompts,
            emit: this.#emit,
            signal,
          });
          break;
        case "compact":
          await this.#compact(turn, step, signal);
          break;
        case "finish":
          this.#current = undefined;
          this.#untold.say();
          await tellOfEnd(this.#hooks, turn, step.ending);
          return this.#finish(turn, step.ending);
        default:
          step satisfies never;
      }
    }
  }

  async #callModel(turn: Turn, signal: AbortSignal): Promise<void> {
    this.#untold.say();
    turn.modelCalls++;
    this.#emit({ type: "model_started", call: turn.modelCalls });
    const live = new LiveAnswer((blocks) => this.#messages.showLive(blocks), this.#emit);
    let answer: ModelAnswer;
    try {
      answer = await observedRequest(this.#hooks, this.#model, {
        cwd: this.#cwd(),
        role: this.#role,
        isPlanning: this.#isPlanning(),
        answerSchema: turn.wanted?.jsonSchema,
        messages: convertMessagesForAPI(this.#messages.messages),
        tools: this.#tools.describe(),
        signal,
        ...live.callbacks,
      });
      live.end();
    } catch (error) {
      live.end();
      // What has been read by a person stays in the conversation, also when the rest never came.
      this.#messages.addAssistantMessage(live.blocks);
      if (live.text.trim()) turn.answer = live.text;
      this.#modelFailed(turn, error, signal);
      return;
    }
    this.#emit({ type: "model_ended", usage: answer.usage, finishReason: answer.finish_reason });
    this.#gauge.answered(answer.usage);
    this.#budget.answered(answer.usage);
    turn.add(answer.usage);
    const calls = withItsEnd(withUniqueIds(answer.tool_calls ?? []), answer.finish_reason);
    this.#messages.addAssistantMessage(blocksOf(answer, calls), answer.usage);
    const cut = cutOf(answer.finish_reason);
    turn.answerCut = cut?.by;
    if (cut) this.#messages.addWarnBlock(cut.warning);
    else if (isNothing(answer))
      this.#emit({ type: "notice", level: "warning", text: "the model answered nothing" });
    if (answer.content?.trim()) turn.answer = answer.content;
    turn.pendingCalls = calls;
    turn.answered = calls.length === 0;
    turn.fitting = undefined;
  }

  #modelFailed(turn: Turn, error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return turn.end(endedBy(signal));
    const failure = turnFailureOf(error);
    if (failure.kind === "context") {
      turn.refusedCalls++;
      this.#gauge.refused(failure);
      return;
    }
    this.#messages.addErrorBlock(failure.message);
    turn.end({ because: "model-error", reason: failure.message, failure });
  }

  async #compact(turn: Turn, step: Extract<Step, { do: "compact" }>, signal: AbortSignal): Promise<void> {
    this.#emit({
      type: "notice",
      level: "info",
      text: `${whyCompact(turn.context, step.because)}; ${this.#wayBack}`,
    });
    const end = await this.#compaction.compact({ askedBy: "wave", signal });
    if (end.compacted) {
      turn.add(end.usage);
      this.#budget.answered(end.usage);
      if (end.halted !== undefined) turn.end({ because: "halted", reason: end.halted });
    } else if (end.because !== "aborted")
      this.#messages.addWarnBlock(`the conversation could not be summarised: ${end.reason}`);
  }

  async #runTools(
    turn: Turn,
    calls: readonly ToolCallWire[],
    { signal, ending }: { signal: AbortSignal; ending: AbortController },
  ): Promise<void> {
    const ends = new Map<string, CallEnd>();
    let callsBehind = calls.length;
    for (const batch of batchesOf(calls, (call) => this.#tools.runsInParallel(call))) {
      if (turn.ending || signal.aborted) break;
      callsBehind -= batch.length;
      const caller: Caller = { origin: "model", signal, callsBehind, ending: ending.signal };
      await Promise.all(
        batch.map(async (call) => {
          const end = await this.#tools.call(call, caller);
          ends.set(call.id, end);
          turn.called(end);
          if (!end.ending) return;
          turn.end(end.ending);
          ending.abort();
        }),
      );
    }
    for (const call of calls) if (!ends.has(call.id)) this.#tools.answer(call, turn.notRun);
    // Feedback follows all results of the answer, in the order of the calls.
    for (const call of calls) {
      const end = ends.get(call.id);
      if (end && end.images.length > 0) this.#messages.addUserMessage([...end.images]);
      for (const effect of end?.after ?? []) tellModel(effect, this.#messages);
    }
    turn.pendingCalls = [];
    await tellOfBatch(this.#hooks, turn, { calls, ends, signal });
  }

  async #askStopHooks(turn: Turn, signal: AbortSignal): Promise<void> {
    const facts = stopFacts(turn);
    const file = this.#agentFile;
    const event = file === undefined ? "Stop" : "SubagentStop";
    const judged = await (file === undefined
      ? this.#hooks.judge("Stop", facts, { signal })
      : this.#hooks.judge("SubagentStop", { ...facts, agent_transcript_path: file }, { signal }));
    if (signal.aborted) return;
    const { decision, halts } = combine(judged.verdicts);
    const blocked = decision === "deny" && halts.length === 0;
    const overCap = blocked && turn.stopBlocks + 1 >= STOP_BLOCK_LIMIT;
    const { ended, record } = this.#hooks.conclude(
      event,
      { judgements: [judged], ...(overCap ? { only: (effect: Effect) => !isTellModel(effect) } : {}) },
      overCap ? { decidedBy: "the cap on blocked stops", decision: "pass" } : {},
    );
    turn.answered = false;
    if (ended !== undefined) turn.end({ because: "halted", reason: ended });
    else if (!blocked) turn.end({ because: "done" });
    else if (overCap) turn.end({ because: "stop-cap", reason: stopCapReason(event, record.reason ?? "") });
    else turn.stopBlocks++;
  }

  #finish(turn: Turn, ending: Ending & { words?: string }): LoopEnd {
    // A prompt that nobody answered goes back to the input; whatever else was begun has to show that it did not end by itself.
    if (ending.because === "aborted" && !this.#prompts.isUnanswered)
      this.#messages.addWarnBlock("interrupted");
    if (BOUNDS.has(ending.because) && ending.reason) this.#messages.addWarnBlock(ending.reason);
    if (ending.because === "context-full" && ending.reason) this.#messages.addErrorBlock(ending.reason);
    this.#log.append({ type: "turn_ended", because: ending.because, usage: turn.usage }, { sync: true });
    return { ...ending, ...turn.facts };
  }
}

/** Limits that a person sees were reached. */
const BOUNDS: ReadonlySet<Ending["because"]> = new Set(["stop-cap", "max-turns", "limit", "output-misfit"]);

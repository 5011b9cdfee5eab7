import { z } from "zod";
import type { AgentEvent } from "../events.ts";
import { hashOf } from "../hooks/buildRecord.ts";
import type { ImageBlock } from "../messages/blocks.ts";
import type { ToolCallWire } from "../messages/toolCall.ts";
import type { ToolDescription } from "../services/aiService.ts";
import type { ToolLookup } from "../tools/sources/registry.ts";
import type { AgentWork, Tool, ToolCallContext, ToolOutcome, ToolSession } from "../tools/tool.ts";
import { refusal } from "../tools/outcome.ts";
import { tellOfChanges } from "./callEvents.ts";
import type { Ending } from "./turn/nextStep.ts";
import type { TellModel } from "../hooks/run/carryOut.ts";
import type { FittingCall } from "../gate/callFacts.ts";
import type { Caller } from "../gate/caller.ts";
import type { Entered } from "../gate/entered.ts";
import type { Gate } from "../gate/gate.ts";
import type { MessageManager } from "../managers/messageManager.ts";
import type { Refusal } from "../gate/refusals.ts";
import type { HookPipeline } from "../session/hookPipeline.ts";
import type { SessionLog } from "../session/sessionLog.ts";

/** One call from the model's wish to its result. What hooks say to the model waits for the whole batch (SPEC 2). */
export interface CallEnd {
  /** What the call was answered with, also when it did not run. */
  success: boolean;
  result: string;
  after: TellModel[];
  images: ImageBlock[];
  refusal: Refusal | undefined;
  ending: Ending | undefined;
  /** Of a sub-agent. */
  work?: AgentWork | undefined;
}

/** Runs calls through the gate, writes their results down, and lets the PostToolUse hooks speak. */
export class ToolManager {
  readonly #tools: ToolLookup;
  readonly #session: ToolSession;
  readonly #gate: Gate;
  readonly #hooks: HookPipeline;
  readonly #messages: MessageManager;
  readonly #log: SessionLog;
  readonly #emit: (event: AgentEvent) => void;
  #described: { tools: readonly Tool[]; as: ToolDescription[] } = { tools: [], as: [] };

  constructor(options: {
    tools: ToolLookup;
    session: ToolSession;
    gate: Gate;
    hooks: HookPipeline;
    messages: MessageManager;
    log: SessionLog;
    emit: (event: AgentEvent) => void;
  }) {
    this.#tools = options.tools;
    this.#session = options.session;
    this.#gate = options.gate;
    this.#hooks = options.hooks;
    this.#messages = options.messages;
    this.#log = options.log;
    this.#emit = options.emit;
  }

  /** Made once for the same tools: the same bytes with every request keep the server's prompt cache warm. */
  describe(): ToolDescription[] {
    const tools = [...this.#tools.values()];
    const before = this.#described.tools;
    if (tools.length !== before.length || tools.some((tool, at) => tool !== before[at]))
      this.#described = { tools, as: tools.map(describeTool) };
    return this.#described.as;
  }

  runsInParallel(call: ToolCallWire): boolean {
    return this.#tools.get(call.function.name)?.parallel ?? false;
  }

  async call(wire: ToolCallWire, caller: Caller): Promise<CallEnd> {
    const { signal, ending } = caller;
    const entered = await this.#gate.enter(wire, caller);
    const { after } = entered;
    if (!entered.entered) {
      const { result, error, refusal: refused } = entered;
      this.answer(wire, { result, error });
      const told = await this.#afterDenial(refused, signal);
      const ending = refused.ending ?? told.ending;
      return {
        success: false,
        result,
        after: [...after, ...told.after],
        images: [],
        refusal: refused,
        ending,
      };
    }
    const { cwd, todos } = this.#session;
    const { outcome: ran, durationMs } = await this.#run(entered, { signal, ending });
    const changes = await tellOfChanges(this.#hooks, this.#session, { cwd, todos }, signal);
    const outcome =
      changes.refused === undefined ? ran : refusal(`The list stays as it was: ${changes.refused}`);
    this.#messages.updateToolBlock({
      toolId: wire.id,
      stage: "ended",
      result: outcome.result,
      success: outcome.success,
      ...(outcome.replaced ? { replaced: outcome.replaced } : {}),
    });
    const { success, result } = outcome;
    this.#emit({ type: "tool_ended", toolUseId: wire.id, name: wire.function.name, success, result });
    const { images = [], work } = outcome;
    const answered = { success, result, images, refusal: undefined, work };
    // Interrupted: whoever stopped the turn does not wait for hooks, and nothing more is sent to the model.
    if (signal.aborted) return { ...answered, after, ending: undefined };
    const post = await this.#afterUse(entered, outcome, durationMs, signal);
    return {
      ...answered,
      after: [...after, ...post.after],
      ending: haltOf(work) ?? halted(changes.ended) ?? post.ending,
    };
  }

  /** Answers a call that does not run, so that the next request is valid. */
  answer(wire: ToolCallWire, refused: { result: string; error: string }): void {
    this.#messages.updateToolBlock({ toolId: wire.id, stage: "ended", success: false, ...refused });
    const { result } = refused;
    this.#emit({ type: "tool_ended", toolUseId: wire.id, name: wire.function.name, success: false, result });
  }

  /** Hooks hear of a call that somebody refused. */
  async #afterDenial(
    { denial }: Refusal,
    signal: AbortSignal,
  ): Promise<{ after: TellModel[]; ending: Ending | undefined }> {
    if (!denial || signal.aborted) return { after: [], ending: undefined };
    const { toolName, toolUseId, input, reason, by } = denial;
    const { after, ended } = await this.#hooks.perform(
      "PermissionDenied",
      { tool_name: toolName, tool_use_id: toolUseId, tool_input: { ...input }, reason, denied_by: by },
      { signal, toolUseId, rest: { toolUseId, toolName } },
    );
    return { after, ending: halted(ended) };
  }

  async #run(
    entered: Entered & { entered: true },
    until: Pick<ToolCallContext, "signal" | "ending">,
  ): Promise<{ outcome: ToolOutcome; durationMs: number }> {
    const { call, input } = entered;
    // On disk before it runs: after a crash the outcome is unknown, and the call is not run again (T193).
    this.#log.append(
      { type: "tool_started", toolId: call.id, name: call.name, inputHash: hashOf(input) },
      { sync: true },
    );
    this.#messages.updateToolBlock({
      toolId: call.id,
      stage: "running",
      ...(entered.rewritten ? { input, changedBy: entered.changedBy } : {}),
    });
    this.#emit({ type: "tool_started", toolUseId: call.id, name: call.name, input });
    const onOutput = (text: string) => this.#emit({ type: "tool_output", toolUseId: call.id, text });
    const started = performance.now();
    try {
      const outcome = await entered.run({ ...until, onOutput });
      return { outcome, durationMs: performance.now() - started };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const outcome = {
        success: false,
        result: `${call.name} failed: ${message}`,
        response: { error: message },
      };
      return { outcome, durationMs: performance.now() - started };
    }
  }

  async #afterUse(
    { call, input, rewritten, original, facts: seen, view }: Entered & { entered: true },
    outcome: ToolOutcome,
    durationMs: number,
    signal: AbortSignal,
  ): Promise<{ after: TellModel[]; ending: Ending | undefined }> {
    const about = {
      tool_name: call.name,
      tool_input: input,
      ...(rewritten ? { original_tool_input: original } : {}),
      tool_use_id: call.id,
      ...view,
      duration_ms: Math.round(durationMs),
    };
    const { success, result, response } = outcome;
    const asking = { signal, toolUseId: call.id, rest: { toolUseId: call.id, toolName: call.name } };
    const facts = { ...about, tool_success: success, tool_response: response, result_text: result };
    const ran = [await this.#hooks.perform("PostToolUse", facts, asking)];
    if (!success) {
      const failed = { ...about, error: result, is_interrupt: false };
      ran.push(await this.#hooks.perform("PostToolUseFailure", failed, asking));
    }
    const reasons = ran.flatMap(({ ended }) => ended ?? []);
    const hooksRan = ran.some(({ record }) => record.hooks.length > 0);
    const changed = await this.#filesChangedByHooks(call.id, seen, hooksRan);
    return {
      after: [...ran.flatMap(({ after }) => after), ...changed],
      ending: reasons.length === 0 ? undefined : { because: "halted", reason: reasons.join("\n") },
    };
  }

  /** A formatter that hooks start after an edit must not make the next edit fail: the model is told, the memory refreshed (T186). */
  async #filesChangedByHooks(
    id: string,
    { tool, input }: FittingCall,
    hooksRan: boolean,
  ): Promise<TellModel[]> {
    // As the tool names them, and not every spelling of them.
    const effect = tool.effect(input, this.#session);
    if (effect.does !== "edit") return [];
    const changed: string[] = [];
    for (const path of effect.paths) {
      if (!(await this.#session.files.refreshIfKnown(path))) continue;
      changed.push(path);
      // Without a hook it was somebody else, and a rewind leaves it alone.
      if (hooksRan) await this.#session.journal.changedByHooks(path, id);
    }
    return changed.map((path) => ({
      do: "tell-model",
      as: "hook-block",
      says: "feedback",
      text: `${path} was changed after your edit, by a hook or another program. Read it before you rely on its exact text.`,
      origin: { hookEvent: "PostToolUse", hook: "wave", source: "file memory" },
    }));
  }
}

const haltOf = (work: AgentWork | undefined): Ending | undefined =>
  work?.halted === undefined ? undefined : { because: "halted", reason: work.halted };

const halted = (reason: string | undefined): Ending | undefined =>
  reason === undefined ? undefined : { because: "halted", reason };

function describeTool({ name, description, input, parameters }: Tool): ToolDescription {
  if (parameters) return { name, description, parameters };
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" });
  return { name, description, parameters: schema };
}

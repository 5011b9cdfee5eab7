import type { AgentEvent, Block, Message } from "wave-agent-sdk";
import { hookOrigin } from "../utils/hookOrigin.ts";
import { wireUsage } from "./result.ts";
import type { StreamEvent } from "./schema.ts";
import { snakeCase } from "./snakeCase.ts";

/** Turns the agent's events into lines of stream-json. Every block is told once, when it is whole. */
export function streamEvents(options: { includeHookEvents: boolean }): (event: AgentEvent) => StreamEvent[] {
  const told = new Map<string, number>();
  const prompt = new PromptOnHold();
  let streaming = false;
  let growing: Message | undefined;

  const flush = (): StreamEvent[] => {
    const lines = growing ? newBlocks(growing, told) : [];
    growing = undefined;
    return lines;
  };

  return (event) => {
    if (event.type === "messages_changed") {
      const { message, removedId } = event;
      if (!message) {
        if (growing?.id === removedId) growing = undefined;
        if (removedId === undefined || prompt.forget(removedId) || !told.delete(removedId)) return [];
        return [{ type: "message_removed", message_id: removedId }];
      }
      const before = growing && growing.id !== message.id ? flush() : [];
      growing = message;
      // An answer that streams in changes with every word, and is only told when it is whole.
      const lines = streaming && message.role === "assistant" ? before : [...before, ...flush()];
      return prompt.hold(message, lines);
    }
    if (event.type === "turn_started") prompt.expect();
    if (event.type === "model_started") streaming = true;
    if (event.type === "model_ended") streaming = false;
    const before = [...prompt.release(event), ...(WHILE_STREAMING.has(event.type) ? [] : flush())];
    if (!options.includeHookEvents && HOOK_EVENT_TYPES.has(event.type)) return before;
    const line = lineOf(event);
    return line ? [...before, line] : before;
  };
}

/**
 * What a person typed is no part of the conversation until its hooks have let it pass: a secret that a hook keeps out
 * must not stand on stdout. The blocks that come meanwhile wait behind it.
 */
class PromptOnHold {
  #state: "none" | "expected" | "held" = "none";
  #id: string | undefined;
  #waiting: StreamEvent[] = [];

  expect(): void {
    this.#state = "expected";
  }

  hold(message: Message, lines: StreamEvent[]): StreamEvent[] {
    if (this.#state === "expected" && isTyped(message)) {
      this.#state = "held";
      this.#id = message.id;
    }
    if (this.#state !== "held") return lines;
    this.#waiting.push(...lines);
    return [];
  }

  /** True when it was the prompt that was removed: nobody has seen it. */
  forget(id: string): boolean {
    if (this.#state !== "held" || id !== this.#id) return false;
    this.#waiting = this.#waiting.filter((line) => line.type !== "block" || line.message_id !== id);
    return true;
  }

  /** What waited, when the event shows that the hooks have decided. */
  release(event: AgentEvent): StreamEvent[] {
    const decided =
      (event.type === "hooks_decided" && event.record.event === "UserPromptSubmit") ||
      event.type === "model_started" ||
      event.type === "turn_ended";
    if (this.#state !== "held" || !decided) return [];
    this.#state = "none";
    return this.#waiting.splice(0);
  }
}

/** No hook's message, and not what a hook of the session's start tells the model. */
const isTyped = ({ role, origin, blocks }: Message) =>
  role === "user" && origin === undefined && blocks.some((block) => block.type === "text");

const WHILE_STREAMING: ReadonlySet<AgentEvent["type"]> = new Set([
  "text_delta",
  "reasoning_delta",
  "tool_call_streaming",
  "model_retry",
  "model_ended",
  "notice",
]);

const HOOK_EVENT_TYPES: ReadonlySet<AgentEvent["type"]> = new Set([
  "hook_started",
  "hook_finished",
  "hooks_decided",
]);

function newBlocks(message: Message, told: Map<string, number>): StreamEvent[] {
  const fresh = message.blocks.slice(told.get(message.id) ?? 0);
  told.set(message.id, message.blocks.length);
  const { id, role } = message;
  const origin = hookOrigin(message);
  return fresh.filter(isForReaders).map((block) => ({
    type: "block",
    message_id: id,
    role,
    ...(origin ? { origin: { hook_event: origin.hookEvent, hook: origin.hook, source: origin.source } } : {}),
    block: { ...snakeCase(withoutVendorData(block)), type: block.type },
  }));
}

/** Reasoning that its server keeps to itself has no text. */
const isForReaders = (block: Block) => block.type !== "reasoning" || block.content !== "";

/** It is for the model server, and means nothing to anybody else. */
function withoutVendorData(block: Block): Block {
  if (!("vendorData" in block)) return block;
  const { vendorData: _, ...rest } = block;
  return rest;
}

/** What of a sub-agent's conversation is told; its answer is the result of its call. */
const OF_SUB_AGENTS: ReadonlySet<AgentEvent["type"]> = new Set(["tool_started", "tool_ended", "model_ended"]);

function lineOf(event: AgentEvent): StreamEvent | undefined {
  switch (event.type) {
    case "messages_changed":
      return undefined;
    case "turn_started":
      return { type: event.type };
    case "hooks_decided": {
      const { event: name, decision, decidedBy } = event.record;
      return {
        type: event.type,
        record: { ...snakeCase(event.record), event: name, decision, decided_by: decidedBy },
      };
    }
    case "model_started":
    case "text_delta":
    case "reasoning_delta":
    case "tool_call_streaming":
      return event;
    case "notice":
      return { type: event.type, level: event.level, text: event.text };
    case "turn_ended":
      // The result line says all of it, and the exit status too.
      return undefined;
    case "shell_started":
    case "shell_ended":
    case "prompt_steered":
      // Nobody can type here.
      return undefined;
    case "compaction_started":
      return { type: event.type, asked_by: event.askedBy };
    case "compaction_delta":
      return event;
    case "compaction_ended":
      return {
        type: event.type,
        ...(event.end.compacted ? { compacted: true } : { compacted: false, reason: event.end.reason }),
      };
    case "model_retry":
      return {
        type: event.type,
        attempt: event.attempt,
        attempts: event.attempts,
        wait_ms: event.waitMs,
        why: event.why,
        ...(event.restarts && { restarts: true }),
      };
    case "model_ended":
      return {
        type: event.type,
        ...(event.usage ? { usage: wireUsage(event.usage) } : {}),
        ...(event.finishReason === undefined ? {} : { finish_reason: event.finishReason }),
      };
    case "tool_started":
      return { type: event.type, tool_use_id: event.toolUseId, name: event.name, input: event.input };
    case "tool_output":
      return { type: event.type, tool_use_id: event.toolUseId, text: event.text };
    case "tool_ended": {
      const { toolUseId, name, success, result } = event;
      return { type: event.type, tool_use_id: toolUseId, name, success, result };
    }
    case "hook_started":
      return { type: event.type, ...hookRun(event) };
    case "hook_finished":
      return {
        type: event.type,
        ...hookRun(event),
        duration_ms: Math.round(event.durationMs),
        ended: event.ended,
      };
    case "subagent_started": {
      const { id, type, description, parentId } = event.agent;
      return {
        type: event.type,
        agent_id: id,
        agent_type: type,
        description,
        ...(parentId === undefined ? {} : { parent_agent_id: parentId }),
        tool_use_id: event.toolUseId,
      };
    }
    case "subagent_event": {
      const line = OF_SUB_AGENTS.has(event.event.type) ? lineOf(event.event) : undefined;
      return line && { type: event.type, agent_id: event.agentId, event: line };
    }
    case "subagent_ended": {
      const { agent, toolUseId, end } = event;
      const usage = wireUsage(end.usage);
      return {
        type: event.type,
        agent_id: agent.id,
        tool_use_id: toolUseId,
        because: end.because,
        usage,
      };
    }
    case "permission_requested": {
      const { id, toolName, input, reason, askedBy } = event.request;
      return {
        type: event.type,
        id,
        ...agentId({ agentId: event.request.agent?.id }),
        tool_name: toolName,
        ...callId(event.request),
        input,
        reason,
        asked_by: [...askedBy],
      };
    }
    case "permission_resolved":
      return { type: event.type, id: event.request.id, decision: event.decision.decision, by: event.by };
  }
}

function hookRun(event: Extract<AgentEvent, { type: "hook_started" | "hook_finished" }>) {
  return { event: event.event, hook: event.hook, ...callId(event), ...agentId(event), run_id: event.runId };
}

const agentId = (about: { agentId?: string | undefined }) =>
  about.agentId === undefined ? {} : { agent_id: about.agentId };

const callId = (about: { toolUseId: string | undefined }) =>
  about.toolUseId === undefined ? {} : { tool_use_id: about.toolUseId };

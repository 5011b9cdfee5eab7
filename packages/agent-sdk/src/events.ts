import type { TurnFailure } from "./errors.ts";
import type { HookIdentity } from "./hooks/definition.ts";
import type { HookEvent } from "./hooks/events.ts";
import { maskedRecord, type DecisionRecord } from "./hooks/record.ts";
import type { Message, Usage } from "./messages/blocks.ts";
import type { SubAgentIdentity } from "./messages/subAgent.ts";
import type { PermissionMode } from "./permissions/modes.ts";
import type { PendingPermission, PermissionDecision } from "./permissions/request.ts";
import type { LimitEnding } from "./conversation/turn/limits.ts";
import type { FailedEnding, OtherEnding } from "./conversation/turn/nextStep.ts";

/** A call that did not run because of a decision. */
export interface PermissionDenial {
  toolName: string;
  toolUseId: string;
  input: Readonly<Record<string, unknown>>;
  reason: string;
  /** Who decided: "hook …", "rule …", "mode …", "person", "nobody could answer". */
  by: string;
  /** An allow rule with which the same call runs; absent where no rule would help. */
  allowedBy?: string;
}

/** How a turn ended, and what it cost. Only a turn that failed has a `failure`. */
export type TurnEnd = TurnFacts &
  (FailedEnding | LimitEnding | OtherEnding | { because: "prompt-blocked"; failure?: never });

export type AnswerCut = "output-limit" | "content-filter";

/** What is true of a turn, however it ended. */
export interface TurnFacts {
  /** One sentence for the user; absent when done. */
  reason?: string;
  /** The last text of the model in this turn, also of an answer that never came to its end; empty when it said nothing. */
  answer: string;
  /** The last answer ends before the model was done with it. */
  answerCut?: AnswerCut;
  /** Model calls made. */
  modelCalls: number;
  usage: Usage;
  denials: PermissionDenial[];
  /** Something was asked that nobody could answer (PD-3). */
  unanswered: boolean;
  /** What the schema made of the answer, where the prompt came with one and the turn is done. */
  output?: unknown;
  /** The prompt, when it belongs back in the input box: it was blocked, refused, or never answered. */
  promptBack?: string;
}

/** How a command that the person ran ended. */
export type ShellEnd =
  | { ran: true; success: boolean; /** What the model will be told. */ result: string }
  | {
      ran: false;
      because: "denied" | "halted" | "interrupted";
      reason: string;
      /** Typed with a no: the person's next message (PD-2). */
      words?: string;
    };

/** What came of a compaction. */
export type CompactionEnd =
  | {
      compacted: true;
      message: Message;
      usage: Usage | undefined;
      /** A SessionStart hook, which is asked again after a compaction, ends the turn for this reason. */
      halted?: string;
    }
  | {
      compacted: false;
      because: "nothing-to-do" | "blocked" | "aborted" | "model-error" | "context-full";
      /** One sentence for the user. */
      reason: string;
      /** Of "model-error" and "context-full", when the model server said why. */
      failure?: TurnFailure;
    };

/** What became of a text that was typed during a turn. */
export type SteeringEnd =
  /** It is a user message of the turn. */
  | { told: "in-turn" }
  /** No turn was there to be told any more: it was the next prompt, with a turn of its own. */
  | { told: "as-prompt"; end: TurnEnd }
  /** It is not part of the conversation and belongs back in the input box. */
  | { told: "not"; because: "prompt-blocked" | "halted" | "aborted"; reason: string; promptBack: string };

/** Everything that happens, in one stream. Callbacks of Agent.create are adapters over it. */
export type AgentEvent =
  /** A prompt was accepted for processing; its hooks have not run yet. */
  | { type: "turn_started"; prompt: string }
  | { type: "turn_ended"; end: TurnEnd }
  /** What a person typed during the turn goes in now; its hooks have not run yet. */
  | { type: "prompt_steered"; prompt: string }
  /** The model is asked to sum up the conversation; the summary streams in, and counts when it is whole. */
  | { type: "compaction_started"; askedBy: "person" | "wave" }
  | { type: "compaction_delta"; text: string }
  | { type: "compaction_ended"; end: CompactionEnd }
  /** A command of the person's begins, or has ended; in between are the events of its call. Never within a turn. */
  | { type: "shell_started"; command: string }
  | { type: "shell_ended"; end: ShellEnd }
  /** A request goes to the model. */
  | { type: "model_started"; call: number }
  | { type: "text_delta"; text: string }
  | { type: "reasoning_delta"; text: string }
  /** The name of a tool call has streamed in; its arguments have not. */
  | { type: "tool_call_streaming"; name: string }
  /** Attempt `attempt` of at most `attempts` failed. */
  // `restarts`: what streamed in of the answer was taken back, and it comes again from its beginning.
  | { type: "model_retry"; attempt: number; attempts: number; waitMs: number; why: string; restarts?: true }
  | { type: "model_ended"; usage: Usage | undefined; finishReason: string | undefined }
  /** The conversation changed: `message` was added or changed, or the one with `removedId` was removed. */
  // Neither: a rewind took several away, or brought them back.
  | { type: "messages_changed"; message: Message | undefined; removedId?: string }
  /** The call passed the gate and runs now, with this input. */
  | { type: "tool_started"; toolUseId: string; name: string; input: Readonly<Record<string, unknown>> }
  | { type: "tool_output"; toolUseId: string; text: string }
  /** The call was answered, also when it never ran. */
  | { type: "tool_ended"; toolUseId: string; name: string; success: boolean; result: string }
  | {
      type: "hook_started";
      event: HookEvent;
      hook: HookIdentity;
      /** What its author wants to be shown meanwhile. */
      statusMessage?: string;
      /** Nobody waits for it. */
      background?: true;
      toolUseId: string | undefined;
      runId: number;
      /** Of a sub-agent's event. */
      agentId?: string;
    }
  /** Exactly one per hook_started, also on interrupt. */
  | {
      type: "hook_finished";
      event: HookEvent;
      hook: HookIdentity;
      toolUseId: string | undefined;
      runId: number;
      agentId?: string;
      durationMs: number;
      ended: string;
    }
  /** All hooks of one event have been combined. */
  | { type: "hooks_decided"; record: DecisionRecord }
  /** By a tool, after a person's yes: a plan was approved. */
  | { type: "mode_changed"; mode: PermissionMode }
  | { type: "permission_requested"; request: PendingPermission }
  | {
      type: "permission_resolved";
      request: PendingPermission;
      decision: PermissionDecision;
      by: "person" | "cancelled";
    }
  /** A sub-agent began to work for a call of the tool Agent, or has ended. */
  | { type: "subagent_started"; agent: SubAgentIdentity; toolUseId: string }
  | { type: "subagent_ended"; agent: SubAgentIdentity; toolUseId: string; end: TurnEnd }
  /** What happens in the conversation of a sub-agent. Hooks, questions and notices are told as those of everybody. */
  | { type: "subagent_event"; agentId: string; event: AgentEvent }
  /** Something the user should know that belongs to no message: settings, sessions, hooks that are off. */
  | {
      type: "notice";
      level: "info" | "warning" | "error";
      text: string;
      /** For whoever shows the same in a better place. */
      about?:
        | "project-hooks"
        /** A file changed, and waits for a person: `reviewSettings` shows it. */
        | "settings-change";
    };

/** A record is kept to explain a decision, and keys are not needed for that. */
export function withMaskedRecord(event: AgentEvent, keys: readonly string[]): AgentEvent {
  return event.type === "hooks_decided" ? { ...event, record: maskedRecord(event.record, keys) } : event;
}

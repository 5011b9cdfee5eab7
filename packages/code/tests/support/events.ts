import type { AgentEvent, DecisionRecord, Message, TurnEnd } from "wave-agent-sdk";

/** Events as the agent sends them, with everything but the interesting part filled in. */

export const turnEnd = (changes: Partial<TurnEnd> = {}): TurnEnd =>
  ({
    because: "done",
    answer: "the answer",
    modelCalls: 1,
    usage: { inputTokens: 10, outputTokens: 2 },
    denials: [],
    unanswered: false,
    ...changes,
  }) as TurnEnd;

export const ended = (changes: Partial<TurnEnd> = {}): AgentEvent => ({
  type: "turn_ended",
  end: turnEnd(changes),
});

export const hookEntry = (
  changes: Partial<DecisionRecord["hooks"][number]> = {},
): DecisionRecord["hooks"][number] => ({
  name: "guard",
  source: "/p/.wave/settings.json:6",
  pass: 1,
  ended: "exit 0",
  durationMs: 3,
  verdict: "none",
  stdoutBytes: 0,
  stderrBytes: 0,
  ...changes,
});

export const record = (changes: Partial<DecisionRecord> = {}): DecisionRecord => ({
  event: "PreToolUse",
  mode: "default",
  hooks: [],
  skipped: [],
  decision: "allow",
  decidedBy: "mode default",
  durationMs: 3,
  ...changes,
});

export const decided = (changes: Partial<DecisionRecord> = {}): AgentEvent => ({
  type: "hooks_decided",
  record: record(changes),
});

export const changed = (message: Partial<Message> & Pick<Message, "blocks">): AgentEvent => ({
  type: "messages_changed",
  message: { id: "m1", role: "assistant", ...message },
});

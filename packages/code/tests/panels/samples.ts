import type {
  AgentEvent,
  HookDefinition,
  HookOff,
  HookState,
  SessionSummary,
  TimedDecision,
} from "wave-agent-sdk";
import { countRecord, EMPTY_TALLY, type HookTally } from "../../src/panels/hookTally.ts";
import { hookEntry, record } from "../support/events.ts";

export const FOLDER = "/code/shop";

/** A hook as settings give it, with everything but the interesting part filled in. */
export function hook(changes: Partial<HookDefinition> & { line?: number } = {}): HookDefinition {
  const { line = 6, ...rest } = changes;
  return {
    event: "PreToolUse",
    matcher: "Bash",
    name: "guard",
    source: {
      scope: "project",
      file: `${FOLDER}/.wave/settings.json`,
      line,
      path: `hooks.PreToolUse[0].hooks[${line}]`,
    },
    action: {
      type: "command",
      identity: "./guard.sh",
      shown: "./guard.sh",
      command: "./guard.sh",
      own: undefined,
    },
    timeoutMs: 60_000,
    onError: "continue",
    passEnv: [],
    ...rest,
  };
}

export const BY_HAND: HookOff = { why: "switched-off", words: "switched off for this session" };
export const leftOut = (words: string): HookOff => ({ why: "left-out", words });

export const state = (definition: HookDefinition, off?: HookOff): HookState => ({
  id: `${definition.source.file ?? "Agent.create"}#${definition.source.path}`,
  hook: definition,
  off,
});

export const timed = (changes: Parameters<typeof record>[0] & { ts?: string } = {}): TimedDecision => {
  const { ts = "2026-11-20T10:00:00.000Z", ...rest } = changes;
  return { ...record(rest), ts };
};

/** What the record says about a hook of `hook()`. */
export const entryOf = (
  { name, source }: HookDefinition,
  changes: Parameters<typeof hookEntry>[0] = {},
): ReturnType<typeof hookEntry> =>
  hookEntry({ name, source: `${source.file ?? ""}:${source.line ?? 0}`, ...changes });

export const tallyOf = (records: readonly TimedDecision[]): HookTally =>
  records.reduce(countRecord, EMPTY_TALLY);

export const finished = (
  { name, source, event }: HookDefinition,
  changes: Partial<Extract<AgentEvent, { type: "hook_finished" }>> = {},
): AgentEvent => ({
  type: "hook_finished",
  event,
  hook: { name, source: `${source.file ?? ""}:${source.line ?? 0}` },
  toolUseId: "call_1",
  runId: 1,
  durationMs: 5,
  ended: "exit 0",
  ...changes,
});

export const session = (changes: Partial<SessionSummary> = {}): SessionSummary => ({
  id: "3f0a",
  file: "/home/ada/.wave/sessions/3f0a.jsonl",
  startedAt: 0,
  updatedAt: 0,
  name: undefined,
  parent: undefined,
  firstPrompt: "make the tests pass",
  messageCount: 12,
  counted: "all",
  bytes: 2_345_678,
  ...changes,
});

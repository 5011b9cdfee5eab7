import type { AgentEvent, HookIdentity, PermissionMode, TimedDecision } from "wave-agent-sdk";
import { countCost, NO_COST, type CostTally } from "../panels/costTally.ts";
import { countEvent, EMPTY_TALLY, type HookTally } from "../panels/hookTally.ts";
import type { Doing } from "../view/doing.ts";
import type { Item } from "../view/items.ts";
import { stepsIn, type Step } from "../view/steps.ts";

export interface RunningHook {
  runId: number;
  hook: HookIdentity;
  /** What its author wants to be shown instead of its name. */
  status: string | undefined;
  event: string;
  since: number;
}

/** Something to be done for the person, one after the other. `text` is what they typed, `sent` under which id it is kept. */
export type Task = { text: string; sent: string } & (
  | { do: "ask-model" }
  | { do: "run-shell"; command: string }
  /** A command that stands in a file. */
  | { do: "text-command"; name: string; argument: string }
  | { do: "compact"; instructions: string }
);

/** What a screen shows of a session. */
export interface SessionState {
  /** Finished things that the terminal does not have yet; `printed` takes them off. */
  toPrint: { batch: number; items: readonly Item[] };
  /** The last finished things, for whoever wants to read one in full. */
  shown: readonly Item[];
  /** What may still change. */
  live: readonly Item[];
  turn: { is: "idle"; endedBy: "itself" | "person" } | { is: "working"; since: number; doing: Doing };
  /** What waits for the turn to end. */
  queued: readonly Task[];
  /** Prompts that are on their way into the running turn. */
  telling: readonly string[];
  /** Prompts and commands of this session and of earlier ones, oldest first. */
  history: readonly string[];
  mode: PermissionMode;
  model: string | undefined;
  /** Size of the last request, which is how full the context is, and how much there may be. */
  contextTokens: number | undefined;
  contextSize: number | undefined;
  /** Since a compaction was made or taken back, nobody has counted. */
  contextEstimated: true | undefined;
  cost: CostTally;
  /** Of the model's work, as it wrote them down last. */
  steps: readonly Step[];
  runningHooks: readonly RunningHook[];
  /** A prompt that did not become part of the conversation: it belongs back in the input, unchanged. */
  restore: Restore | undefined;
  /** How often a change of settings or scripts was noticed. */
  changesNoticed: number;
  hookTally: HookTally;
  /** The last decisions, oldest first. */
  decisions: readonly TimedDecision[];
}

export interface Restore {
  id: number;
  text: string;
  /** Nobody asked for it. */
  byItself: boolean;
  /** As much of it as goes before a draft, where there is one; the rest is for the history then. */
  beforeDraft: string | undefined;
  /** A word about it, where there is something to say. */
  became: string | undefined;
}

/** Enough for a look back; all of them are in the session file. */
const DECISIONS_KEPT = 200;

export function newSession({ mode, history }: Pick<SessionState, "mode" | "history">): SessionState {
  return {
    toPrint: { batch: 0, items: [] },
    shown: [],
    live: [],
    turn: { is: "idle", endedBy: "person" },
    queued: [],
    telling: [],
    history,
    mode,
    model: undefined,
    contextTokens: undefined,
    contextSize: undefined,
    contextEstimated: undefined,
    cost: NO_COST,
    steps: [],
    runningHooks: [],
    restore: undefined,
    changesNoticed: 0,
    hookTally: EMPTY_TALLY,
    decisions: [],
  };
}

/** What an event changes of what can be counted; undefined when nothing. */
export function afterEvent(
  state: SessionState,
  event: AgentEvent,
  now: number,
): Partial<SessionState> | undefined {
  const cost = countCost(state.cost, event, state.model);
  const changed = shownAfter(state, event, now);
  return cost === state.cost ? changed : { ...changed, cost };
}

function shownAfter(state: SessionState, event: AgentEvent, now: number): Partial<SessionState> | undefined {
  switch (event.type) {
    case "model_ended": {
      if (!event.usage) return undefined;
      const tokens = event.usage.inputTokens + event.usage.outputTokens;
      return { contextTokens: tokens, contextEstimated: undefined };
    }
    case "messages_changed": {
      const steps = event.message && stepsIn([event.message]);
      return steps && { steps };
    }
    case "mode_changed":
      return { mode: event.mode };
    case "notice":
      return event.about === "settings-change" ? { changesNoticed: state.changesNoticed + 1 } : undefined;
    case "hook_started": {
      // What nobody waits for is not shown as what is waited for.
      if (event.background) return undefined;
      const { runId, hook, statusMessage: status } = event;
      const running = { runId, hook, status, event: event.event, since: now };
      return { runningHooks: [...state.runningHooks, running] };
    }
    case "hook_finished":
      return {
        runningHooks: state.runningHooks.filter(({ runId }) => runId !== event.runId),
        hookTally: countEvent(state.hookTally, event),
      };
    case "hooks_decided": {
      const decision = { ...event.record, ts: new Date(now).toISOString() };
      return {
        hookTally: countEvent(state.hookTally, event),
        decisions: [...state.decisions, decision].slice(-DECISIONS_KEPT),
      };
    }
    default:
      return undefined;
  }
}

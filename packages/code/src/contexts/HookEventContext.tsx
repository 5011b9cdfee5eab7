import { createContext, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import type { AgentEvent, PendingPermission, PermissionAnswer, RuleScope } from "wave-agent-sdk";
import { systemClock, type Clock } from "../asking/clock.ts";
import { prune, rememberEvent, type HookHistory } from "../asking/history.ts";
import {
  DEFAULT_PREFERENCES,
  readPreferences,
  type ReadPreferences,
  type UserPreferences,
} from "../asking/preferences.ts";
import {
  asksOf,
  countOf,
  emptyQueue,
  nextTick,
  openRequests,
  type KeepRule,
  type Queue,
  type QueueEffect,
  type VisibleRequest,
} from "../asking/openRequests.ts";
import { updateQueue, type QueueEvent, type Seen } from "../asking/queue.ts";
import type { Typed } from "../asking/typed.ts";

/** Hooks and questions of one session (PD-4). Changes with every hook and every question, not with every key. */
export interface HookEvents {
  /** Open questions, the visible one first. */
  pendingPermissions: readonly PendingPermission[];
  hookExecutionHistory: HookHistory;
  userPreferences: UserPreferences;
  isAwaitingPermission: boolean;
  aiManagerCallbacks: AIManagerCallbacks;
  /** `onAgentEvent` does this for every question of the agent's. */
  addPendingPermission: (request: PendingPermission) => void;
  /** false when the question is no longer open, or while the loop is paused: then nothing changes. */
  resolvePendingPermission: (id: string, answer: PermissionAnswer) => boolean;
  clearHookHistory: () => void;
  /** Nothing changes when they are not valid; the result says why. */
  updateUserPreferences: (changes: Partial<UserPreferences>) => ReadPreferences;
  /** The one way in for everything that happens. */
  onAgentEvent: (event: AgentEvent) => void;
}

/**
 * The loop of the agent stands still while one of its questions is open. `pause` keeps it there: until `resume` no answer
 * leaves, no new question is shown, and keys go to the draft. It answers nothing itself, and a loop that is under way goes
 * on to its next question.
 */
export interface AIManagerCallbacks {
  pause: () => void;
  resume: () => void;
}

/** The question on the screen. Changes with every key, so it is a context of its own. */
export interface Asking {
  visible: VisibleRequest | undefined;
  count: { at: number; of: number };
  /** See `asksOf`. */
  asks: string | undefined;
  /** A key that may answer, and what is asked after it. */
  onTyped: (typed: Typed, seen: Seen | undefined) => string | undefined;
  /** A key that came too early to answer. True: it is done with. */
  onEarly: (typed: Typed) => boolean;
  isPaused: boolean;
}

/** All this part of the screen knows of an agent. */
export interface AnswerTaker {
  answerPermission(id: string, answer: PermissionAnswer): boolean;
  /** In force when it resolves; rejects when the rule cannot be kept. */
  allowRule(rule: string, scope: RuleScope): Promise<void>;
}

/** A mode of its own, or the next one in the order of Shift+Tab. */
export type ModeChange = Extract<QueueEffect, { do: "set-mode" }>["mode"];

export interface HookEventProviderProps {
  agent: AnswerTaker;
  /** A key that was not meant for the dialog. `text` is what it adds to the draft. */
  onToDraft: (key: { text: string; typed: Typed }) => void;
  onInterrupt: () => void;
  onMode: (mode: ModeChange) => void;
  onNotice: (text: string) => void;
  /** Valid ones; `readPreferences` makes them. */
  preferences?: UserPreferences;
  onPreferencesChange?: (preferences: UserPreferences) => void;
  /** Called once with `onAgentEvent`; what it returns is called at the end. */
  listen?: (onAgentEvent: (event: AgentEvent) => void) => () => void;
  clock?: Clock;
  children?: ReactNode;
}

const HookEventContext = createContext<HookEvents | undefined>(undefined);
const AskingContext = createContext<Asking | undefined>(undefined);

export function useHookEvents(): HookEvents {
  const value = useContext(HookEventContext);
  if (!value) throw new Error("useHookEvents needs a <HookEventProvider> above it");
  return value;
}

export function useAsking(): Asking {
  const value = useContext(AskingContext);
  if (!value) throw new Error("useAsking needs a <HookEventProvider> above it");
  return value;
}

interface State {
  queue: Queue;
  history: HookHistory;
  preferences: UserPreferences;
}

export function HookEventProvider(props: HookEventProviderProps): ReactNode {
  const latest = useRef(props);
  latest.current = props;
  const [state, setState] = useState<State>(() => ({
    queue: emptyQueue(),
    history: [],
    preferences: props.preferences ?? DEFAULT_PREFERENCES,
  }));
  const [actions] = useState(() => makeActions(state, () => latest.current, setState));
  useEffect(() => actions.start(), [actions]);

  const { queue, history, preferences } = state;
  const open = useStableList(openRequests(queue).map(({ request }) => request));
  const hookEvents = useMemo<HookEvents>(
    () => ({
      ...actions.public,
      pendingPermissions: open,
      hookExecutionHistory: history,
      userPreferences: preferences,
      isAwaitingPermission: open.length > 0,
    }),
    [actions, open, history, preferences],
  );
  const asking = useMemo<Asking>(
    () => ({
      ...actions.asking,
      visible: queue.visible,
      count: countOf(queue),
      asks: asksOf(queue),
      isPaused: queue.paused,
    }),
    [actions, queue],
  );
  return (
    <HookEventContext value={hookEvents}>
      <AskingContext value={asking}>{props.children}</AskingContext>
    </HookEventContext>
  );
}

/** The actions keep the newest state themselves: two events in one moment must not both start from the state on the screen. */
function makeActions(initial: State, props: () => HookEventProviderProps, show: (state: State) => void) {
  let state = initial;
  let cancelTick = () => {};
  const clock = () => props().clock ?? systemClock;

  const change = (changes: Partial<State>) => {
    state = { ...state, ...changes };
    show(state);
  };
  const dispatch = (event: QueueEvent): QueueEffect[] => {
    const [queue, effects] = updateQueue(state.queue, event);
    if (queue !== state.queue) change({ queue });
    scheduleTick();
    for (const effect of effects) {
      if (effect.do === "keep-rule") void keepRule(effect.kept);
      else carryOut(effect, props());
    }
    return effects;
  };
  const keepRule = async (kept: KeepRule): Promise<void> => {
    try {
      for (const rule of kept.rules) await props().agent.allowRule(rule, kept.scope);
      dispatch({ event: "rule-kept", kept, at: at() });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      dispatch({ event: "rule-not-kept", kept, why, at: at() });
    }
  };
  const scheduleTick = () => {
    cancelTick();
    const due = nextTick(state.queue);
    if (due === undefined) return;
    cancelTick = clock().after(due - clock().now(), () => dispatch({ event: "tick", at: clock().now() }));
  };
  const at = () => clock().now();
  const keep = () => ({ at: clock().wall(), keep: state.preferences });

  const onAgentEvent = (event: AgentEvent): void => {
    if (event.type === "permission_requested") addPendingPermission(event.request);
    if (event.type === "permission_resolved") dispatch({ event: "gone", id: event.request.id, at: at() });
    // Nothing may stay open after the turn that asked (T75).
    if (event.type === "turn_ended")
      for (const { request } of openRequests(state.queue))
        dispatch({ event: "gone", id: request.id, at: at() });
    const history = rememberEvent(state.history, event, keep());
    if (history !== state.history) change({ history });
  };
  const addPendingPermission = (request: PendingPermission): void => {
    dispatch({ event: "arrived", request, at: at() });
  };
  return {
    public: {
      onAgentEvent,
      addPendingPermission,
      resolvePendingPermission: (id: string, answer: PermissionAnswer): boolean =>
        dispatch({ event: "answered", id, answer, at: at() }).some((effect) => effect.do === "answer"),
      clearHookHistory: () => change({ history: [] }),
      updateUserPreferences: (changes: Partial<UserPreferences>): ReadPreferences => {
        const read = readPreferences({ ...state.preferences, ...changes });
        if (!read.valid) return read;
        const { preferences } = read;
        change({ preferences, history: prune(state.history, clock().wall(), preferences) });
        props().onPreferencesChange?.(preferences);
        return read;
      },
      aiManagerCallbacks: {
        pause: () => void dispatch({ event: "paused", at: at() }),
        resume: () => void dispatch({ event: "resumed", at: at() }),
      },
    },
    asking: {
      onTyped: (typed: Typed, seen: Seen | undefined) => {
        dispatch({ event: "typed", typed, seen, at: at() });
        return asksOf(state.queue);
      },
      onEarly: (typed: Typed) => dispatch({ event: "early", typed, at: at() }).length > 0,
    },
    start: () => {
      const stop = props().listen?.(onAgentEvent);
      return () => {
        stop?.();
        cancelTick();
      };
    },
  };
}

function carryOut(effect: Exclude<QueueEffect, { do: "keep-rule" }>, props: HookEventProviderProps): void {
  switch (effect.do) {
    case "answer":
      // false: the question was closed elsewhere in the same moment, and a late answer changes nothing (T76).
      props.agent.answerPermission(effect.id, effect.answer);
      return;
    case "to-draft":
      return props.onToDraft({ text: effect.text, typed: effect.typed });
    case "set-mode":
      return props.onMode(effect.mode);
    case "interrupt":
      return props.onInterrupt();
    case "notice":
      return props.onNotice(effect.text);
    default:
      effect satisfies never;
  }
}

/** The same array as before when the same things are in it, so that a key in the dialog does not redraw who shows the list. */
function useStableList<Item>(list: readonly Item[]): readonly Item[] {
  const before = useRef(list);
  const same =
    list.length === before.current.length && list.every((item, index) => item === before.current[index]);
  if (!same) before.current = list;
  return before.current;
}

import type {
  Agent,
  AgentEvent,
  HookIdentity,
  Message,
  PermissionMode,
  TimedDecision,
  TurnEnd,
} from "wave-agent-sdk";
import { countEvent, EMPTY_TALLY, type HookTally } from "../panels/hookTally.ts";
import type { Item } from "../view/items.ts";
import { Transcript, type TranscriptChange } from "../view/transcript.ts";
import { Store } from "./store.ts";

export interface RunningHook {
  runId: number;
  hook: HookIdentity;
  event: string;
  since: number;
}

/** What a screen shows of a session. */
export interface SessionState {
  /** Finished things that the terminal does not have yet; `printed` takes them off. */
  toPrint: { batch: number; items: readonly Item[] };
  /** What may still change. */
  live: readonly Item[];
  turn: { is: "idle" } | { is: "working"; since: number; doing: string };
  /** Prompts that wait for the turn to end. */
  queued: readonly string[];
  mode: PermissionMode;
  /** Size of the last request, which is how full the context is. */
  contextTokens: number | undefined;
  totalTokens: number;
  runningHooks: readonly RunningHook[];
  /** A prompt that did not become part of the conversation: it belongs back in the input, unchanged. */
  restore: { id: number; text: string; reason: string | undefined } | undefined;
  hookTally: HookTally;
  /** The last decisions, oldest first. */
  decisions: readonly TimedDecision[];
}

/** Of a resumed session. More than a few screens nobody scrolls through, and ten thousand would take seconds to draw. */
const MESSAGES_SHOWN = 60;

/** Enough for a look back; all of them are in the session file. */
const DECISIONS_KEPT = 200;

/** What the controller needs of an agent. */
export type ControlledAgent = Pick<Agent, "sendMessage" | "abort" | "permissionMode">;

/** The order in which Shift+Tab goes through the modes. Nothing that asks less than edits is one key away. */
const MODE_CYCLE: readonly PermissionMode[] = ["default", "acceptEdits", "plan"];

/** Between the agent and the screen: prompts in, one after the other; events out, as state. It decides nothing about calls. */
export class SessionController {
  readonly store: Store<SessionState>;
  readonly #transcript = new Transcript();
  readonly #now: () => number;
  #agent: ControlledAgent | undefined;
  readonly #onAccepted: (prompt: string) => void;
  #restores = 0;
  #prompt = "";

  /** `onAccepted`: the hooks of a prompt have let it pass. */
  constructor(options: {
    mode: PermissionMode;
    onAccepted?: (prompt: string) => void;
    now?: () => number;
    frameMs?: number;
  }) {
    this.#onAccepted = options.onAccepted ?? (() => {});
    this.#now = options.now ?? Date.now;
    const state: SessionState = {
      toPrint: { batch: 0, items: [] },
      live: [],
      hookTally: EMPTY_TALLY,
      decisions: [],
      turn: { is: "idle" },
      queued: [],
      mode: options.mode,
      contextTokens: undefined,
      totalTokens: 0,
      runningHooks: [],
      restore: undefined,
    };
    this.store = new Store(state, { frameMs: options.frameMs ?? 33 });
  }

  attach(agent: ControlledAgent): void {
    this.#agent = agent;
    this.store.set({ mode: agent.permissionMode });
  }

  /** Sends a prompt, or lets it wait visibly while a turn is under way. */
  submit(text: string): void {
    if (this.store.state.turn.is === "working")
      this.store.set({ queued: [...this.store.state.queued, text] });
    else void this.#run(text);
  }

  /** Ends the turn. What waited goes back into the input: an interrupt means that the plan has changed. */
  interrupt(): void {
    const { queued } = this.store.state;
    if (queued.length > 0) {
      this.store.set({ queued: [] });
      this.#restore(queued.join("\n"), undefined);
    }
    this.#agent?.abort();
  }

  cycleMode(): void {
    const at = MODE_CYCLE.indexOf(this.store.state.mode);
    this.setMode(MODE_CYCLE[(at + 1) % MODE_CYCLE.length] ?? "default");
  }

  setMode(mode: PermissionMode): void {
    if (this.#agent) this.#agent.permissionMode = mode;
    this.store.set({ mode });
  }

  /** Messages of an earlier session: the last screens of them, however long it is. */
  restoreMessages(messages: readonly Message[], sessionId: string): void {
    const earlier = Math.max(0, messages.length - MESSAGES_SHOWN);
    if (earlier > 0) {
      this.notice(
        "info",
        `${earlier} earlier messages are not drawn; wave sessions show ${sessionId} prints them all`,
      );
    }
    this.#show(this.#transcript.restore(messages.slice(earlier)));
  }

  notice(level: "info" | "warning" | "error", text: string): void {
    this.onEvent({ type: "notice", level, text });
  }

  /** The terminal has these now: they are in its own scrollback and need not be kept here. */
  printed(batch: number, count: number): void {
    const { toPrint } = this.store.state;
    if (toPrint.batch !== batch || count === 0) return;
    this.store.set({ toPrint: { batch: batch + 1, items: toPrint.items.slice(count) } });
  }

  readonly onEvent = (event: AgentEvent): void => {
    this.#show(this.#transcript.handle(event, this.#now()));
    const { store } = this;
    switch (event.type) {
      case "model_started":
        if (event.call === 1) this.#onAccepted(this.#prompt);
        return this.#doing("thinking");
      case "text_delta":
        return this.#doing("writing");
      case "tool_started":
        return this.#doing(`running ${event.name}`);
      case "model_retry":
        return this.#doing(`waiting to ask the model again: ${event.why}`);
      case "model_ended": {
        if (!event.usage) return;
        const tokens = event.usage.inputTokens + event.usage.outputTokens;
        return store.set({ contextTokens: tokens, totalTokens: store.state.totalTokens + tokens });
      }
      case "hook_started": {
        const running = { runId: event.runId, hook: event.hook, event: event.event, since: this.#now() };
        return store.set({ runningHooks: [...store.state.runningHooks, running] });
      }
      case "hook_finished":
        return store.set({
          runningHooks: store.state.runningHooks.filter(({ runId }) => runId !== event.runId),
          hookTally: countEvent(store.state.hookTally, event),
        });
      case "hooks_decided": {
        const decision = { ...event.record, ts: new Date(this.#now()).toISOString() };
        return store.set({
          hookTally: countEvent(store.state.hookTally, event),
          decisions: [...store.state.decisions, decision].slice(-DECISIONS_KEPT),
        });
      }
      default:
        return;
    }
  };

  #show(change: TranscriptChange | undefined): void {
    if (!change) return;
    const { batch, items } = this.store.state.toPrint;
    const toPrint =
      change.finished.length === 0 ? {} : { toPrint: { batch, items: [...items, ...change.finished] } };
    this.store.set({ live: change.live, ...toPrint });
  }

  async #run(text: string): Promise<void> {
    this.#prompt = text;
    this.store.set({
      turn: { is: "working", since: this.#now(), doing: "asking hooks" },
      restore: undefined,
    });
    try {
      if (this.#agent) this.#ended(await this.#agent.sendMessage(text));
    } catch (error) {
      this.notice("error", error instanceof Error ? error.message : String(error));
      this.#restore(text, undefined);
    }
    const [next, ...queued] = this.store.state.queued;
    this.store.set({ turn: { is: "idle" }, queued });
    if (next !== undefined) await this.#run(next);
  }

  #ended(end: TurnEnd): void {
    if (end.promptBack !== undefined) this.#restore(end.promptBack, end.reason);
  }

  #restore(text: string, reason: string | undefined): void {
    this.store.set({ restore: { id: ++this.#restores, text, reason } });
  }

  #doing(doing: string): void {
    const { turn } = this.store.state;
    if (turn.is === "working" && turn.doing !== doing) this.store.set({ turn: { ...turn, doing } });
  }
}

import type { AgentEvent, CompactionEnd, Message, PermissionMode, ShellEnd, TurnEnd } from "wave-agent-sdk";
import { Transcript, type TranscriptChange } from "../view/transcript.ts";
import { afterEvent, newSession, type SessionState, type Task } from "./sessionState.ts";
import { keyFor } from "../input/keys.ts";
import { backWords, NOT_SENT } from "./promptBack.ts";
import type { ControlledAgent } from "./controlledAgent.ts";
import { NO_KEEPER, SentTexts, type SentKeeper } from "./sentTexts.ts";
import { Steering, type SentPrompt } from "./steering.ts";
import type { Doing } from "../view/doing.ts";
import type { WelcomeFacts } from "../view/welcome.ts";
import { Store } from "./store.ts";
import type { WentBack } from "../input/prompt.ts";
import { ComingBack } from "./comingBack.ts";

/** Of a resumed session. More than a few screens nobody scrolls through, and ten thousand would take seconds to draw. */
const MESSAGES_SHOWN = 30;

/** Of what is finished, for reading in full. */
const SHOWN_KEPT = 500;

/** The order in which Shift+Tab goes through the modes. Nothing that asks less than edits is one key away. */
const MODE_CYCLE: readonly PermissionMode[] = ["default", "acceptEdits", "plan"];

/** Between the agent and the screen: prompts in, one after the other; events out, as state. It decides nothing about calls. */
export class SessionController {
  readonly store: Store<SessionState>;
  readonly #transcript = new Transcript();
  readonly #now: () => number;
  #agent: ControlledAgent | undefined;
  readonly #onAccepted: (prompt: string) => void;
  readonly #steering: Steering;
  /** How many of the first messages of a resumed session are not on the screen. */
  #notShown = 0;
  readonly #comingBack: ComingBack;
  /** What began the turn; it is remembered when its hooks let it pass. */
  #prompt: string | undefined;
  /** What waited at an interrupt, and goes back together with what was being told. */
  #waited: SentPrompt[] = [];
  readonly #sent: SentTexts;

  /** `onAccepted`: the hooks of a prompt have let it pass. `keeper`: has what was sent until they have. */
  constructor(options: {
    mode: PermissionMode;
    keeper?: SentKeeper;
    onAccepted?: (prompt: string) => void;
    history?: readonly string[];
    now?: () => number;
    frameMs?: number;
  }) {
    this.#onAccepted = options.onAccepted ?? (() => {});
    this.#now = options.now ?? Date.now;
    this.#sent = new SentTexts(options.keeper ?? NO_KEEPER);
    const state = newSession({ mode: options.mode, history: options.history ?? [] });
    this.store = new Store(state, { frameMs: options.frameMs ?? 33 });
    this.#comingBack = new ComingBack(this.store, this.#sent);
    this.#steering = new Steering(
      {
        onTold: ({ text, sent }) => {
          this.#sent.done(sent);
          this.#remember(text);
        },
        onRefused: ({ text, sent }, problem) => {
          if (problem === undefined) this.#sent.done(sent);
          else this.#sent.returns(sent);
          if (problem !== undefined) this.notice("error", problem);
          this.#comingBack.put({ text, became: NOT_SENT });
        },
        onOwnTurn: (end) => this.#ended(end),
      },
      (telling) => this.store.set({ telling }),
    );
  }

  attach(agent: ControlledAgent): void {
    this.#agent = agent;
    this.store.set({ mode: agent.permissionMode });
    this.#lookAtModel(agent);
  }

  /** Sends a prompt, or lets it wait visibly while a turn is under way. */
  submit(text: string): void {
    this.#perform({ do: "ask-model" }, text);
  }

  /** Runs a command of the person's, or lets it wait like a prompt. */
  runShell(command: string): void {
    this.#perform({ do: "run-shell", command }, `!${command}`);
  }

  /** Has the conversation summed up, or lets that wait like a prompt. */
  compact(instructions: string): void {
    this.#perform({ do: "compact", instructions }, `/compact ${instructions}`.trim());
  }

  undoCompact(): void {
    if (!this.#agent?.undoCompact()) return this.notice("warning", "there is no summary to take back");
    this.#lookAtModel(this.#agent);
    this.notice("info", "the summary was taken back: the model gets the whole conversation again");
  }

  setModel(name: string): void {
    if (!this.#agent) return;
    this.#agent.model = name;
    this.#lookAtModel(this.#agent);
    this.notice("info", `the model is now ${name}, from the next request on`);
  }

  /** Tells the first prompt that waits, in the running turn. */
  steer(): void {
    const { queued } = this.store.state;
    const at = queued.findIndex((task) => task.do === "ask-model");
    const task = queued[at];
    if (!this.#agent || !task) return;
    this.store.set({ queued: queued.toSpliced(at, 1) });
    this.#steering.tell(this.#agent, task);
  }

  /** What waits goes back into the input; the turn goes on. */
  takeBackQueued(): void {
    this.#comingBack.putUnjudged(this.#takeQueued());
  }

  /** Keeps a note in AGENTS.md, at once: it is no part of a turn. */
  async addNote(note: string): Promise<void> {
    const sent = this.#sent.add(`#${note}`);
    const added = await this.#agent?.addNote(note);
    if (added?.added) this.#sent.done(sent);
    else this.#sent.returns(sent);
    if (!added) return;
    if (!added.added) {
      this.notice("error", `the note was not kept: ${added.problem}`);
      this.#comingBack.put({ text: `#${note}`, became: undefined });
      return;
    }
    this.#remember(`#${note}`);
    const done = `${added.created ? "created" : "added to"} ${added.file}`;
    if (added.unread === undefined)
      this.notice("info", `${done}; the model reads it from its next request on`);
    else this.notice("warning", `${done}, but the model does not read it: ${added.unread}`);
  }

  /** Ends the turn. What waited goes back into the input: an interrupt means that the plan has changed. */
  interrupt(): void {
    const waited = this.#takeQueued();
    // What is being told may come back as well, in a moment: all of it together.
    if (this.store.state.telling.length > 0) this.#waited.push(...waited);
    else this.#comingBack.putUnjudged(waited);
    // Said at once: a hook that ignores the request to end is killed a moment later, and the turn ends with it.
    this.#doing({ is: "stopping" });
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
  restoreMessages(messages: readonly Message[]): void {
    this.#notShown = Math.max(0, messages.length - MESSAGES_SHOWN);
    if (this.#notShown > 0) {
      this.notice(
        "info",
        `${this.#notShown} earlier messages are not drawn; ${keyFor("earlier")} shows them`,
      );
    }
    this.#show(this.#transcript.restore(messages.slice(this.#notShown)));
  }

  /** Prints what stands before the messages that are drawn, so many at a time, into the terminal's own scrollback. */
  showEarlier(messages: readonly Message[]): void {
    const to = Math.min(this.#notShown, messages.length);
    if (to === 0) return this.notice("info", "there is nothing earlier: all of this session is above");
    this.#notShown = Math.max(0, to - MESSAGES_SHOWN);
    this.#mark(`messages ${this.#notShown + 1} to ${to} of ${messages.length}`);
    this.#show(this.#transcript.restore(messages.slice(this.#notShown, to)));
    const more =
      this.#notShown > 0 ? `${this.#notShown} more: ${keyFor("earlier")}` : "nothing was said before";
    this.#mark(`end of the earlier messages; ${more}`);
  }

  /** From here on the conversation is another one: a line across the screen says so. */
  wentBack(text: string): void {
    this.#mark(text);
    if (this.#agent) this.#lookAtModel(this.#agent);
  }

  /** The input has taken what was given back to it, or has kept its draft. */
  cameBack(to: WentBack): void {
    const { remember, notice } = this.#comingBack.arrived(to);
    if (remember !== undefined) this.#remember(remember);
    if (notice !== undefined) this.notice("info", notice);
  }

  /** A text that belongs into the input: nobody typed it there, and it is not sent. */
  putBack(text: string): void {
    this.#comingBack.put({ text, became: undefined });
  }

  /** Puts the header of the session above what its settings had to say. */
  welcome(facts: WelcomeFacts): void {
    const { batch, items } = this.store.state.toPrint;
    const below = items.map((item, index) => (index === 0 ? { ...item, spaced: true } : item));
    this.store.set({ toPrint: { batch, items: [this.#transcript.welcome(facts), ...below] } });
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
    // The header of the session says it.
    if (event.type === "notice" && event.about === "project-hooks") return;
    // What was put right in an earlier session as it was opened is drawn with its messages, at its place.
    if (event.type === "messages_changed" && !this.#agent) return;
    this.#sent.hear(event);
    this.#show(this.#transcript.handle(event, this.#now()));
    switch (event.type) {
      case "turn_started":
        this.#prompt = event.prompt;
        return this.#steering.taken(event.prompt);
      case "prompt_steered":
        return this.#steering.taken(event.prompt);
      case "compaction_started":
        this.#doing(busy("compacting the conversation"));
        break;
      case "compaction_delta":
        return this.#doing(busy("compacting the conversation, the summary is coming"));
      case "model_started":
        if (event.call === 1 && this.#prompt !== undefined) this.#remember(this.#prompt);
        this.#prompt = undefined;
        this.#doing(busy("thinking"));
        break;
      case "text_delta":
        return this.#doing(busy("writing"));
      case "tool_started":
        return this.#doing(busy(`running ${event.name}`));
      case "model_retry":
        return this.#doing({
          is: "retrying",
          at: this.#now() + event.waitMs,
          waitMs: event.waitMs,
          why: event.why,
        });
      case "model_ended":
      case "compaction_ended":
        if (this.#agent) this.#lookAtModel(this.#agent);
        break;
      default:
        break;
    }
    const counted = afterEvent(this.store.state, event, this.#now());
    if (counted) this.store.set(counted);
  };

  #mark(text: string): void {
    this.#show(this.#transcript.mark(text));
  }

  #show(change: TranscriptChange | undefined): void {
    if (!change) return;
    const { batch, items } = this.store.state.toPrint;
    if (change.finished.length === 0) return this.store.set({ live: change.live });
    this.store.set({
      live: change.live,
      toPrint: { batch, items: [...items, ...change.finished] },
      shown: [...this.store.state.shown, ...change.finished].slice(-SHOWN_KEPT),
    });
  }

  #perform(what: Distributive<Task>, text: string): void {
    // Before the screen shows it as sent.
    const task: Task = { ...what, text, sent: this.#sent.add(text) };
    if (this.store.state.turn.is === "working")
      this.store.set({ queued: [...this.store.state.queued, task] });
    else void this.#run(task);
  }

  async #run(task: Task, came: "at-once" | "from-queue" = "at-once"): Promise<void> {
    if (task.do === "ask-model") this.#prompt = task.text;
    this.store.set({
      turn: { is: "working", since: this.#now(), doing: busy("getting ready") },
      // It is in the input by now, or will be; only the word about it has had its time.
      restore: this.store.state.restore && { ...this.store.state.restore, became: undefined },
    });
    try {
      if (this.#agent && task.do === "ask-model") await this.#ask(this.#agent, task, came);
      if (this.#agent && task.do === "compact") {
        this.#compacted(await this.#agent.compact(task.instructions));
        this.#sent.done(task.sent);
      }
      if (this.#agent && task.do === "run-shell")
        this.#ranShell(task.text, await this.#agent.runShell(task.command));
    } catch (error) {
      this.notice("error", error instanceof Error ? error.message : String(error));
      this.#comingBack.putUnjudged([task]);
    }
    const [next, ...queued] = this.store.state.queued;
    this.store.set({ turn: { is: "idle" }, queued });
    if (next !== undefined) await this.#run(next, "from-queue");
  }

  async #ask(agent: ControlledAgent, { text, sent }: Task, came: "at-once" | "from-queue"): Promise<void> {
    const end = await agent.sendMessage(text, came === "from-queue" ? { source: "queued" } : {});
    // Of one that never began no event has told.
    if (end.because === "aborted") this.#sent.returns(sent);
    else this.#sent.done(sent);
    if (end.because === "aborted") await this.#giveBack();
    this.#ended(end);
    // What was typed during the turn and came too late for it has one of its own.
    await this.#giveBack();
  }

  async #giveBack(): Promise<void> {
    const untold = await this.#steering.settled();
    this.#comingBack.putUnjudged([...untold, ...this.#waited.splice(0)]);
  }

  #compacted(end: CompactionEnd): void {
    if (end.compacted || end.because === "aborted") return;
    const level = end.because === "nothing-to-do" ? "info" : "error";
    this.notice(level, `the conversation was not summed up: ${end.reason}`);
  }

  #ended({ promptBack, ...end }: TurnEnd): void {
    if (promptBack === undefined) return;
    // The model has read this one and worked on it: it is here to be changed, not because it was never sent.
    if (end.because === "denied") return this.#comingBack.putRefused({ text: promptBack, what: "prompt" });
    // It will be sent again: the model should not read it twice.
    this.#agent?.takeBackPrompt();
    this.#comingBack.put({ text: promptBack, became: backWords(end) });
  }

  /** A command that was kept from running comes back like a prompt; the conversation has told why. */
  #ranShell(typed: string, end: ShellEnd): void {
    if (end.ran) return this.#remember(typed);
    if (end.because === "denied") this.#comingBack.putRefused({ text: typed, what: "command" });
    else this.#comingBack.put({ text: typed, became: undefined });
    if (end.words !== undefined) this.submit(end.words);
  }

  #takeQueued(): readonly SentPrompt[] {
    const { queued } = this.store.state;
    if (queued.length > 0) this.store.set({ queued: [] });
    return queued;
  }

  /** The name may be known only now, when nobody named one; and a size belongs to its model. */
  #lookAtModel({ model, context }: ControlledAgent): void {
    const { tokens, size, estimated } = context;
    this.store.set({ model, contextTokens: tokens, contextSize: size, contextEstimated: estimated });
  }

  /** For the arrow keys of this session, and through `onAccepted` for later ones. */
  #remember(typed: string): void {
    this.store.set({ history: [...this.store.state.history, typed] });
    this.#onAccepted(typed);
  }

  #doing(doing: Doing): void {
    const { turn } = this.store.state;
    // What is stopping is not busy again with what comes in on the way.
    if (turn.is !== "working" || turn.doing.is === "stopping") return;
    if (doing.is === "busy" && turn.doing.is === "busy" && turn.doing.with === doing.with) return;
    this.store.set({ turn: { ...turn, doing } });
  }
}

type Distributive<T> = T extends unknown ? Omit<T, "text" | "sent"> : never;

const busy = (what: string): Doing => ({ is: "busy", with: what });

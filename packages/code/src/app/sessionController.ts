import type { AgentEvent, Message, PermissionMode } from "wave-agent-sdk";
import { doingAfter, type Doing } from "../view/doing.ts";
import { stepsIn } from "../view/steps.ts";
import type { WelcomeFacts } from "../view/welcome.ts";
import type { WentBack } from "../input/prompt.ts";
import { ComingBack } from "./comingBack.ts";
import type { ControlledAgent } from "./controlledAgent.ts";
import { NOT_SENT } from "./promptBack.ts";
import { NO_KEEPER, SentTexts, type SentKeeper } from "./sentTexts.ts";
import { afterEvent, newSession, type SessionState } from "./sessionState.ts";
import { ShownConversation } from "./shownConversation.ts";
import { Steering } from "./steering.ts";
import { Store } from "./store.ts";
import { Tasks } from "./tasks.ts";

/** The order in which Shift+Tab goes through the modes. Nothing that asks less than edits is one key away. */
const MODE_CYCLE: readonly PermissionMode[] = ["default", "acceptEdits", "plan"];

/** Between the agent and the screen: prompts in, one after the other; events out, as state. It decides nothing about calls. */
export class SessionController {
  readonly store: Store<SessionState>;
  readonly #shown: ShownConversation;
  readonly #now: () => number;
  #agent: ControlledAgent | undefined;
  readonly #onAccepted: (prompt: string) => void;
  readonly #steering: Steering;
  readonly #comingBack: ComingBack;
  readonly #tasks: Tasks;
  /** What began the turn; it is remembered when its hooks let it pass. */
  #prompt: string | undefined;
  readonly #sent: SentTexts;

  /** `onAccepted`: the hooks of a prompt have let it pass. `keeper`: has what was sent until they have. */
  constructor(options: {
    mode: PermissionMode;
    keeper?: SentKeeper;
    onAccepted?: (prompt: string) => void;
    history?: readonly string[];
    now?: () => number;
    frameMs?: number;
    /** Of the window. */
    columns?: () => number;
  }) {
    this.#onAccepted = options.onAccepted ?? (() => {});
    this.#now = options.now ?? Date.now;
    this.#sent = new SentTexts(options.keeper ?? NO_KEEPER);
    const state = newSession({ mode: options.mode, history: options.history ?? [] });
    this.store = new Store(state, { frameMs: options.frameMs ?? 33 });
    this.#shown = new ShownConversation(this.store, this.#now, options.columns);
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
        onOwnTurn: (end) => this.#tasks.turnEnded(end),
        onNotice: (text) => this.notice("info", text),
      },
      (telling) => this.store.set({ telling }),
    );
    this.#tasks = new Tasks({
      store: this.store,
      sent: this.#sent,
      comingBack: this.#comingBack,
      steering: this.#steering,
      agent: () => this.#agent,
      now: this.#now,
      notice: (level, text) => this.notice(level, text),
      remember: (typed) => this.#remember(typed),
      onPrompt: (text) => (this.#prompt = text),
    });
  }

  attach(agent: ControlledAgent): void {
    this.#agent = agent;
    this.store.set({ mode: agent.permissionMode, steps: stepsIn(agent.messages) ?? [] });
    this.#lookAtModel(agent);
  }

  /** Sends a prompt, or lets it wait visibly while a turn is under way. */
  submit(text: string): void {
    this.#tasks.add({ do: "ask-model" }, text);
  }

  /** Runs a command of the person's, or lets it wait like a prompt. */
  runShell(command: string): void {
    this.#tasks.add({ do: "run-shell", command }, `!${command}`);
  }

  /** Sends what a command in a file says, or lets it wait like a prompt. */
  runTextCommand(name: string, argument: string): void {
    this.#tasks.add({ do: "text-command", name, argument }, `/${name} ${argument}`.trim());
  }

  /** Has the conversation summed up, or lets that wait like a prompt. */
  compact(instructions: string): void {
    this.#tasks.add({ do: "compact", instructions }, `/compact ${instructions}`.trim());
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
    this.#comingBack.putUnjudged(this.#tasks.takeQueued(), { byItself: false });
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
    this.#tasks.interrupted();
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

  restoreMessages(messages: readonly Message[]): void {
    this.#shown.restore(messages);
  }

  showEarlier(messages: readonly Message[]): void {
    this.#shown.showEarlier(messages);
  }

  /** From here on the conversation is another one: a line across the screen says so. */
  wentBack(text: string): void {
    this.#shown.mark(text);
    if (!this.#agent) return;
    this.#lookAtModel(this.#agent);
    this.store.set({ steps: stepsIn(this.#agent.messages) ?? [] });
  }

  /** The input has taken what was given back to it, or has kept its draft. */
  cameBack(to: WentBack): void {
    const { remember, notice } = this.#comingBack.arrived(to);
    if (remember !== undefined) this.#remember(remember);
    if (notice !== undefined) this.notice("info", notice);
  }

  /** A text that belongs into the input: nobody typed it there, and it is not sent. */
  putBack(text: string): void {
    this.#comingBack.put({ text, became: undefined }, { byItself: false });
  }

  welcome(facts: WelcomeFacts): void {
    this.#shown.welcome(facts);
  }

  notice(level: "info" | "warning" | "error", text: string): void {
    this.onEvent({ type: "notice", level, text });
  }

  printed(batch: number, count: number): void {
    this.#shown.printed(batch, count);
  }

  readonly onEvent = (event: AgentEvent): void => {
    // The header of the session says it.
    if (event.type === "notice" && event.about === "project-hooks") return;
    // What was put right in an earlier session as it was opened is drawn with its messages, at its place.
    if (event.type === "messages_changed" && !this.#agent) return;
    this.#sent.hear(event);
    this.#shown.handle(event);
    switch (event.type) {
      case "turn_started":
        this.#prompt = event.prompt;
        return this.#steering.taken(event.prompt);
      case "prompt_steered":
        return this.#steering.taken(event.prompt);
      case "model_started":
        if (event.call === 1 && this.#prompt !== undefined) this.#remember(this.#prompt);
        this.#prompt = undefined;
        break;
      case "model_ended":
      case "compaction_ended":
        if (this.#agent) this.#lookAtModel(this.#agent);
        break;
      default:
        break;
    }
    const doing = doingAfter(event, this.#now());
    if (doing) this.#doing(doing);
    const counted = afterEvent(this.store.state, event, this.#now());
    if (counted) this.store.set(counted);
  };

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

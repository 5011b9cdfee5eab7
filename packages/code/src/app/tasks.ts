import type { CompactionEnd, ShellEnd, TurnEnd } from "wave-agent-sdk";
import type { ComingBack } from "./comingBack.ts";
import type { ControlledAgent } from "./controlledAgent.ts";
import { readPictures } from "./readPictures.ts";
import { backWords } from "./promptBack.ts";
import type { SentTexts } from "./sentTexts.ts";
import type { SessionState, Task } from "./sessionState.ts";
import type { SentPrompt, Steering } from "./steering.ts";
import type { Store } from "./store.ts";

/** What tasks need of the session they are part of. */
export interface TaskSession {
  store: Store<SessionState>;
  sent: SentTexts;
  comingBack: ComingBack;
  steering: Steering;
  agent: () => ControlledAgent | undefined;
  now: () => number;
  notice: (level: "info" | "error", text: string) => void;
  /** Its hooks let it pass: it goes into the history. */
  remember: (typed: string) => void;
  /** A prompt begins a turn now. */
  onPrompt: (text: string) => void;
}

/** What a person wants done, one after the other: prompts, shell commands, compactions. What comes during a turn waits for it. */
export class Tasks {
  readonly #session: TaskSession;
  /** What waited at an interrupt, and goes back together with what was being told. */
  #waited: SentPrompt[] = [];

  constructor(session: TaskSession) {
    this.#session = session;
  }

  /** Does it now, or lets it wait visibly while a turn is under way. */
  add(what: TaskKind, text: string): void {
    const { store, sent } = this.#session;
    // Before the screen shows it as sent.
    const task: Task = { ...what, text, sent: sent.add(text) };
    if (store.state.turn.is === "working") store.set({ queued: [...store.state.queued, task] });
    else void this.#run(task);
  }

  takeQueued(): readonly SentPrompt[] {
    const { store } = this.#session;
    const { queued } = store.state;
    if (queued.length > 0) store.set({ queued: [] });
    return queued;
  }

  /** What waits goes back into the input: an interrupt means that the plan has changed. */
  interrupted(): void {
    const { store, comingBack } = this.#session;
    const waited = this.takeQueued();
    // What is being told may come back as well, in a moment: all of it together.
    if (store.state.telling.length > 0) this.#waited.push(...waited);
    else comingBack.putUnjudged(waited);
  }

  /** How a turn ended, also one that a steering prompt had to itself. */
  turnEnded({ promptBack, ...end }: TurnEnd): void {
    if (promptBack === undefined) return;
    const { comingBack, agent } = this.#session;
    // The model has read this one and worked on it: it is here to be changed, not because it was never sent.
    if (end.because === "denied") return comingBack.putRefused({ text: promptBack, what: "prompt" });
    // It will be sent again: the model should not read it twice.
    agent()?.takeBackPrompt();
    comingBack.put({ text: promptBack, became: backWords(end) });
  }

  async #run(task: Task, came: "at-once" | "from-queue" = "at-once"): Promise<void> {
    const { store, sent, comingBack, now, notice, onPrompt } = this.#session;
    const agent = this.#session.agent();
    if (task.do === "ask-model" || task.do === "text-command") onPrompt(task.text);
    store.set({
      turn: { is: "working", since: now(), doing: { is: "busy", with: "getting ready" } },
      // It is in the input by now, or will be; only the word about it has had its time.
      restore: store.state.restore && { ...store.state.restore, became: undefined },
    });
    let isDenied = false;
    try {
      if (agent && task.do === "ask-model")
        isDenied = (await this.#ask(agent, task, came)).because === "denied";
      if (agent && task.do === "text-command") {
        const made = await agent.commands.expand(task.name, task.argument);
        if (made.expanded) isDenied = (await this.#ask(agent, task, came, made.prompt)).because === "denied";
        else {
          notice("error", made.problem);
          comingBack.putUnjudged([task]);
        }
      }
      if (agent && task.do === "compact") {
        this.#compacted(await agent.compact(task.instructions));
        sent.done(task.sent);
      }
      if (agent && task.do === "run-shell") this.#ranShell(task.text, await agent.runShell(task.command));
    } catch (error) {
      notice("error", error instanceof Error ? error.message : String(error));
      comingBack.putUnjudged([task]);
    }
    const { turn } = store.state;
    const isStopped = isDenied || (turn.is === "working" && turn.doing.is === "stopping");
    const [next, ...queued] = store.state.queued;
    store.set({ turn: { is: "idle", endedBy: isStopped ? "person" : "itself" }, queued });
    if (next !== undefined) await this.#run(next, "from-queue");
  }

  async #ask(
    agent: ControlledAgent,
    { text, sent: id }: Task,
    came: "at-once" | "from-queue",
    /** What the model is asked, where it is more than was typed. */
    content = text,
  ): Promise<TurnEnd> {
    const { sent } = this.#session;
    const pictures = readPictures(content, agent, (words) => this.#session.notice("info", words));
    const end = await agent.sendMessage(content, {
      ...(pictures && { images: await pictures }),
      ...(came === "from-queue" ? { source: "queued" } : {}),
    });
    // Of one that never began no event has told.
    if (end.because === "aborted") sent.returns(id);
    else sent.done(id);
    if (end.because === "aborted") await this.#giveBack();
    this.turnEnded(end.promptBack === undefined ? end : { ...end, promptBack: text });
    // What was typed during the turn and came too late for it has one of its own.
    await this.#giveBack();
    return end;
  }

  async #giveBack(): Promise<void> {
    const untold = await this.#session.steering.settled();
    this.#session.comingBack.putUnjudged([...untold, ...this.#waited.splice(0)]);
  }

  #compacted(end: CompactionEnd): void {
    if (end.compacted || end.because === "aborted") return;
    const level = end.because === "nothing-to-do" ? "info" : "error";
    this.#session.notice(level, `the conversation was not summarised: ${end.reason}`);
  }

  /** A command that was kept from running comes back like a prompt; the conversation has told why. */
  #ranShell(typed: string, end: ShellEnd): void {
    const { comingBack, remember } = this.#session;
    if (end.ran) return remember(typed);
    if (end.because === "denied") comingBack.putRefused({ text: typed, what: "command" });
    else comingBack.put({ text: typed, became: undefined });
    if (end.words !== undefined) this.add({ do: "ask-model" }, end.words);
  }
}

type TaskKind = Distributive<Task>;

type Distributive<T> = T extends unknown ? Omit<T, "text" | "sent"> : never;

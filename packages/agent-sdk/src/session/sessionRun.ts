import { tellOfInstructions } from "../conversation/loadedInstructions.ts";
import { IdleNotice } from "./idleNotice.ts";
import type { AgentEvent, CompactionEnd, ShellEnd, SteeringEnd, TurnEnd } from "../events.ts";
import type { HookFacts } from "../hooks/events.ts";
import type { PromptSource } from "../hooks/eventFields.ts";
import { ClosedError } from "../errors.ts";
import type { ImageBlock } from "../messages/blocks.ts";
import { othersAreOpen } from "./file/sessionLock.ts";
import type { CallOrigin } from "../permissions/origin.ts";
import { readableText } from "../utils/readable.ts";
import type { SubAgents } from "../conversation/subAgents.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { beginSession } from "./beginSession.ts";
import type { Session } from "./session.ts";
import type { CarriedOut } from "../hooks/run/carryOut.ts";
import { checkImages } from "../conversation/promptImages.ts";
import type { Limits } from "../conversation/turn/limits.ts";
import type { WantedOutput } from "../conversation/wantedOutput.ts";
import type { Prompt, Submission } from "../conversation/promptManager.ts";
import { NOT_BEGUN, STILL_RUNS, NOT_ENDED, aborted, notSubmitted } from "../conversation/promptEnds.ts";
import { untilAborted } from "../tools/untilAborted.ts";
import { InterruptibleWork, WorkQueue } from "../conversation/workQueue.ts";

/** What may come with a prompt. */
export interface PromptOptions {
  /** What hooks are told of where it comes from, when it is not what the entrypoint says. */
  source?: PromptSource | undefined;
  /** Pictures behind its text: from `readImage`, or bytes of one's own. */
  images?: readonly ImageBlock[] | undefined;
  /** Ends the turn when it aborts, also while it waits for others. */
  signal?: AbortSignal | undefined;
  /** What this turn may use up. At a limit it ends with `because: "limit"`. */
  limits?: Limits | undefined;
}

/** What else the SDK knows of a turn that it starts. */
export interface TurnWishes {
  output?: WantedOutput | undefined;
  /** Its turn has come: from now on what happens is about it. */
  onBegin?: (() => void) | undefined;
}

export type EndReason = HookFacts<"SessionEnd">["reason"];

/** What happens in a session, one thing after the other: its start, turns, commands, compactions, its end. */
export class SessionRun {
  readonly #session: Session;
  readonly #conversation: Conversation;
  readonly #subAgents: SubAgents;
  readonly #emit: (event: AgentEvent) => void;
  /** Where a prompt comes from that came at once. */
  readonly #source: PromptSource;
  #starting: Promise<CarriedOut>;
  readonly #queue = new WorkQueue(() => this.#runSteered());
  /** SessionStart hooks listen to it: an interrupt does not wait for a hook that hangs. */
  readonly #startup = new AbortController();
  #turn: AbortController | undefined;
  readonly beside = new InterruptibleWork();
  readonly #idle: IdleNotice;

  constructor(session: Session, conversation: Conversation, subAgents: SubAgents) {
    this.#subAgents = subAgents;
    const { entrypoint } = session;
    this.#session = session;
    this.#conversation = conversation;
    this.#emit = session.emit;
    this.#source = entrypoint === "terminal" ? "typed" : entrypoint;
    this.#idle = new IdleNotice(conversation.pipeline, entrypoint);
    this.#starting = this.#start();
  }

  /** Something under way has to end before the next thing begins. */
  get isRunning(): boolean {
    return this.#turn !== undefined;
  }

  /** What of the session would be lost if the process ended now, in a sentence. */
  get notSaved(): string | undefined {
    const why = this.#session.log.notSaved;
    return why === undefined
      ? undefined
      : `the end of this session is NOT on disk: ${why}; what was said since then is only on your screen`;
  }

  /** Why the session is not on disk, also where nobody could expect it to be; undefined when all of it is. */
  get saveProblem(): string | undefined {
    return this.notSaved ?? this.#session.log.missing?.problem;
  }

  prompt(content: string, options: PromptOptions = {}, wishes: TurnWishes = {}): Promise<TurnEnd> {
    const { source = this.#source, images = [], signal, limits } = options;
    checkImages(images);
    return this.#queue.add(
      () => {
        wishes.onBegin?.();
        return this.#runTurns({ text: readableText(content), images, source }, { ...wishes, signal, limits });
      },
      () => notSubmitted(aborted(NOT_BEGUN("prompt")), content),
    );
  }

  /** Before the next request of the running turn, or as a prompt. */
  async steer(content: string, { images = [] }: Pick<PromptOptions, "images"> = {}): Promise<SteeringEnd> {
    checkImages(images);
    const told = this.#conversation.steering.add(readableText(content), images);
    return told ?? this.prompt(content, { images }).then((end) => ({ told: "as-prompt", end }));
  }

  command(command: string, origin: CallOrigin = "person"): Promise<ShellEnd> {
    return this.#queue.add(
      () => this.#runCommand(command.toWellFormed(), origin),
      () => ({ ran: false, because: "interrupted", reason: NOT_BEGUN("command") }),
    );
  }

  compact(instructions: string | undefined): Promise<CompactionEnd> {
    return this.#queue.add(
      () => this.#runCompaction(instructions && readableText(instructions)),
      () => ({ compacted: false, because: "aborted", reason: NOT_BEGUN("compaction") }),
    );
  }

  /** Rejects when something is under way or waits. */
  async whileIdle<End>(work: () => Promise<End>): Promise<End> {
    if (!this.#queue.isIdle) throw new Error("a turn is under way; interrupt it or wait, and go back then");
    return this.#queue.add(work, () => {
      throw new ClosedError();
    });
  }

  abort(): void {
    const interrupted = new Error("interrupted");
    this.#startup.abort(interrupted);
    this.#conversation.steering.giveBack();
    this.#turn?.abort(interrupted);
    this.beside.interrupt();
  }

  /** Nothing that waits begins, what runs is interrupted, and what does not end by that is given up: closing has a bound. */
  async end(reason: EndReason, signal: AbortSignal | undefined): Promise<void> {
    this.#idle.end();
    const outcome = await this.#queue.close(() => {
      this.abort();
      return Promise.all([this.#starting, this.#subAgents.close()]);
    });
    if (outcome === "given-up") this.#emit({ type: "notice", level: "error", text: STILL_RUNS });
    try {
      await this.#conversation.pipeline.perform("SessionEnd", { reason }, signal ? { signal } : {});
    } finally {
      await Promise.all([
        this.#conversation.toolSession.shells.dispose(),
        this.#session.tools.close(),
        this.#session.workspace.environment.runners.close(),
      ]);
      this.#session.workspace.close({ isShared: othersAreOpen(this.#session.opened.handle.file) });
      // Writes once more whatever could not be written so far.
      this.#session.log.append({ type: "ended", reason }, { sync: true });
      const { notSaved } = this;
      if (notSaved !== undefined) this.#emit({ type: "notice", level: "error", text: notSaved });
      this.#session.log.close();
    }
  }

  /** What was typed during a turn and came too late for it. */
  async #runSteered(): Promise<void> {
    for (let next = this.#conversation.steering.take(); next; next = this.#conversation.steering.take()) {
      const { text, images } = next;
      const end = this.#queue
        .counting(() => this.#runTurns({ text, images, source: "queued" }))
        .then((it): SteeringEnd => ({ told: "as-prompt", end: it }));
      next.settle(end);
      await end.catch(() => {
        // Whoever typed it has the error.
      });
    }
  }

  /** Everything before the first prompt. The hooks are asked at once; their context is waited for by the first turn. */
  #start(): Promise<CarriedOut> {
    beginSession(this.#session, this.#conversation, this.beside);
    const { source } = this.#session.opened;
    tellOfInstructions(this.#conversation.pipeline, this.#session.workspace);
    return this.#conversation.pipeline.perform("SessionStart", { source }, { signal: this.#startup.signal });
  }

  /** A prompt, and after a no with words those words as the next one (PD-2). */
  async #runTurns(prompt: Prompt, wishes: Bounds = {}): Promise<TurnEnd> {
    const { signals, ended } = this.#session.budget.turnStarts(wishes.limits);
    const stop = AbortSignal.any([...signals, ...(wishes.signal ? [wishes.signal] : [])]);
    try {
      return await this.#runTurnsUntil(prompt, stop, wishes);
    } finally {
      ended();
    }
  }

  async #runTurnsUntil(prompt: Prompt, stop: AbortSignal, wishes: Bounds): Promise<TurnEnd> {
    let { end, words } = await this.#runTurn(prompt, stop, wishes);
    while (words !== undefined && !this.#queue.isClosed) {
      const next = await this.#runTurn({ text: words, images: [], source: this.#source }, stop, wishes);
      const denials = [...end.denials, ...next.end.denials];
      end = { ...next.end, denials, unanswered: end.unanswered || next.end.unanswered };
      words = next.words;
    }
    return end;
  }

  async #runTurn(prompt: Prompt, stop: AbortSignal, { output }: Bounds): Promise<RanTurn> {
    const turn = new AbortController();
    const signal = AbortSignal.any([turn.signal, stop]);
    this.#turn = turn;
    this.#idle.end();
    this.#conversation.steering.open();
    this.#emit({ type: "turn_started", prompt: prompt.text });
    const { end, words } = await this.#queue.unlessGivenUp(this.#submit(prompt, signal, output), () => ({
      end: notSubmitted(aborted(NOT_ENDED), prompt.text),
      words: undefined,
    }));
    this.#turn = undefined;
    if (end.because === "halted") await this.#subAgents.endAll();
    this.#conversation.steering.close();
    this.#emit({ type: "turn_ended", end });
    this.#idle.begin();
    return { end, words };
  }

  async #submit(prompt: Prompt, signal: AbortSignal, output?: WantedOutput): Promise<RanTurn> {
    const started = await this.#starting;
    // Only the first turn ends because of what a SessionStart hook said.
    this.#starting = Promise.resolve({ ...started, ended: undefined });
    const submission: Submission =
      started.ended === undefined
        ? await this.#conversation.prompts.submit(prompt, signal)
        : { accepted: false, because: "halted", reason: started.ended, unanswered: false };
    return submission.accepted
      ? this.#runLoop(prompt.text, signal, output)
      : { end: notSubmitted(submission, prompt.text, signal), words: undefined };
  }

  async #runCompaction(instructions: string | undefined): Promise<CompactionEnd> {
    const running = new AbortController();
    this.#turn = running;
    const started = await this.#starting;
    const { signal } = running;
    const end = await this.#queue.unlessGivenUp<CompactionEnd>(
      this.#conversation.compaction.compact({ askedBy: "person", instructions, signal }),
      () => ({ compacted: false, because: "aborted", reason: NOT_ENDED }),
    );
    this.#turn = undefined;
    // No turn is there to be ended: the next one hears it.
    if (end.compacted) this.#starting = Promise.resolve({ ...started, ended: started.ended ?? end.halted });
    if (end.compacted && end.usage)
      this.#session.log.append({ type: "turn_ended", because: "compacted", usage: end.usage });
    return end;
  }

  async #runCommand(command: string, origin: CallOrigin): Promise<ShellEnd> {
    const running = new AbortController();
    this.#turn = running;
    this.#emit({ type: "shell_started", command });
    // What SessionStart hooks tell the model comes first; whether they end the first turn is for that turn to hear.
    await this.#starting;
    const end = await this.#queue.unlessGivenUp<ShellEnd>(
      this.#conversation.shell.perform(command, origin, running.signal),
      () => ({
        ran: false,
        because: "interrupted",
        reason: NOT_ENDED,
      }),
    );
    this.#turn = undefined;
    this.#emit({ type: "shell_ended", end });
    return end;
  }

  async #runLoop(prompt: string, signal: AbortSignal, output?: WantedOutput): Promise<RanTurn> {
    // The first request has the tools of servers that start quickly; the others come when they are there.
    await untilAborted(signal, () => this.#session.tools.opened);
    const { words, ...end } = await this.#conversation.ai.sendAIMessage(signal, output);
    // What the person refused, or the model never answered, belongs back in the input box (PD-2, T163).
    const isBack =
      end.because === "denied" || (end.because !== "done" && this.#conversation.prompts.isUnanswered);
    return { end: isBack ? { ...end, promptBack: prompt } : end, words };
  }
}

type Bounds = TurnWishes & Pick<PromptOptions, "signal" | "limits">;

interface RanTurn {
  end: TurnEnd;
  words: string | undefined;
}

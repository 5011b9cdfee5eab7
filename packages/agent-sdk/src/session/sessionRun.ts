import { join } from "node:path";
import type { AgentEvent, CompactionEnd, ShellEnd, SteeringEnd, TurnEnd } from "../events.ts";
import type { HookFacts } from "../hooks/events.ts";
import type { Entrypoint, PromptSource } from "../hooks/eventFields.ts";
import { ClosedError } from "../errors.ts";
import { removeDeadLocks } from "../workspace/files/deadLocks.ts";
import { removeLeftovers } from "../workspace/leftovers.ts";
import { cleanupExpiredSessions } from "../services/session.ts";
import { othersAreOpen } from "./file/sessionLock.ts";
import { readableText } from "../utils/readable.ts";
import type { AgentParts } from "./agentParts.ts";
import type { CarriedOut } from "../hooks/run/carryOut.ts";
import type { Configuration } from "../workspace/configuration.ts";
import type { OpenedSession } from "./openSession.ts";
import type { Submission } from "../conversation/promptManager.ts";
import { untilAborted } from "../tools/untilAborted.ts";
import { GIVE_UP_MS, WorkQueue } from "../conversation/workQueue.ts";

export type EndReason = HookFacts<"SessionEnd">["reason"];

/** What happens in a session, one thing after the other: its start, turns, commands, compactions, its end. */
export class SessionRun {
  readonly #parts: AgentParts;
  readonly #opened: OpenedSession;
  readonly #emit: (event: AgentEvent) => void;
  /** Where a prompt comes from that came at once. */
  readonly #source: PromptSource;
  #starting: Promise<CarriedOut>;
  readonly #queue = new WorkQueue(() => this.#runSteered());
  /** SessionStart hooks listen to it: an interrupt does not wait for a hook that hangs. */
  readonly #startup = new AbortController();
  #turn: AbortController | undefined;

  constructor(
    parts: AgentParts,
    about: {
      opened: OpenedSession;
      configuration: Configuration;
      entrypoint: Entrypoint;
      emit: (event: AgentEvent) => void;
    },
  ) {
    this.#parts = parts;
    this.#opened = about.opened;
    this.#emit = about.emit;
    this.#source = about.entrypoint === "terminal" ? "typed" : about.entrypoint;
    this.#starting = this.#start(about.configuration);
  }

  /** Something under way has to end before the next thing begins. */
  get isRunning(): boolean {
    return this.#turn !== undefined;
  }

  /** What of the session would be lost if the process ended now, in a sentence. */
  get notSaved(): string | undefined {
    const why = this.#parts.log.notSaved;
    return why === undefined
      ? undefined
      : `the end of this session is NOT on disk: ${why}; what was said since then is only on your screen`;
  }

  /** Why the session is not on disk, also where nobody could expect it to be; undefined when all of it is. */
  get saveProblem(): string | undefined {
    return this.notSaved ?? this.#parts.log.missing?.problem;
  }

  prompt(content: string, source: PromptSource = this.#source): Promise<TurnEnd> {
    return this.#queue.add(
      () => this.#runTurns(readableText(content), source),
      () => notSubmitted(aborted(NOT_BEGUN("prompt")), content),
    );
  }

  /** Before the next request of the running turn, or as a prompt. */
  async steer(content: string): Promise<SteeringEnd> {
    const told = this.#parts.steering.add(readableText(content));
    return told ?? this.prompt(content).then((end) => ({ told: "as-prompt", end }));
  }

  command(command: string): Promise<ShellEnd> {
    return this.#queue.add(
      () => this.#runCommand(command.toWellFormed()),
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
    this.#parts.steering.giveBack();
    this.#turn?.abort(interrupted);
  }

  /** Nothing that waits begins, what runs is interrupted, and what does not end by that is given up: closing has a bound. */
  async end(reason: EndReason, signal: AbortSignal | undefined): Promise<void> {
    const outcome = await this.#queue.close(() => {
      this.abort();
      return this.#starting;
    });
    if (outcome === "given-up") this.#emit({ type: "notice", level: "error", text: STILL_RUNS });
    try {
      await this.#parts.pipeline.perform("SessionEnd", { reason }, signal ? { signal } : {});
    } finally {
      await Promise.all([
        this.#parts.session.shells.dispose(),
        this.#parts.tools.close(),
        this.#parts.runners.close(),
      ]);
      this.#parts.guard.dispose();
      this.#parts.sandbox?.close({ isShared: othersAreOpen(this.#opened.handle.file) });
      this.#parts.register.close();
      // Writes once more whatever could not be written so far.
      this.#parts.log.append({ type: "ended", reason }, { sync: true });
      const { notSaved } = this;
      if (notSaved !== undefined) this.#emit({ type: "notice", level: "error", text: notSaved });
      this.#parts.log.close();
    }
  }

  /** What was typed during a turn and came too late for it. */
  async #runSteered(): Promise<void> {
    for (let next = this.#parts.steering.take(); next; next = this.#parts.steering.take()) {
      const { text } = next;
      const end = this.#queue
        .counting(() => this.#runTurns(text, "queued"))
        .then((it): SteeringEnd => ({ told: "as-prompt", end: it }));
      next.settle(end);
      await end.catch(() => {
        // Whoever typed it has the error.
      });
    }
  }

  /** Everything before the first prompt. The hooks are asked at once; their context is waited for by the first turn. */
  #start(configuration: Configuration): Promise<CarriedOut> {
    // Opens the file and takes the lock: a second process is told now, not after its first prompt.
    this.#takeFile();
    for (const notice of configuration.notices) this.#emit({ type: "notice", ...notice });
    this.#tidyUp(configuration.home);
    for (const text of this.#parts.policy.problems) this.#emit({ type: "notice", level: "error", text });
    for (const text of this.#opened.problems) {
      this.#emit({ type: "notice", level: "warning", text: `${this.#opened.handle.file}: ${text}` });
    }
    if (this.#opened.source === "resume" || this.#opened.source === "fork") {
      this.#parts.log.append({ type: "resumed", interruptedTools: this.#opened.interrupted });
      for (const record of this.#opened.records) {
        if (record.type === "edit") this.#parts.messages.restore(record.edit);
        else this.#parts.log.append(record);
      }
    }
    void cleanupExpiredSessions(this.#opened.sessionsDir, configuration.settings.sessionsKeepDays);
    void removeDeadLocks([
      this.#opened.sessionsDir,
      configuration.home,
      join(configuration.projectDir, ".wave"),
    ]);
    const say = (level: "info" | "warning" | "error", text: string) =>
      this.#emit({ type: "notice", level, text });
    this.#parts.tools.open({ session: this.#parts.session, say });
    const { source } = this.#opened;
    return this.#parts.pipeline.perform("SessionStart", { source }, { signal: this.#startup.signal });
  }

  #tidyUp(home: string): void {
    const count = removeLeftovers(home);
    if (count === 0) return;
    const [processes, was] = count === 1 ? ["1 process", "was"] : [`${count} processes`, "were"];
    const text = `${processes} that ${was} left running when Wave was killed: ended now, with all that came of it`;
    this.#emit({ type: "notice", level: "warning", text });
  }

  /** Throws SessionError "in-use"; then there is no session, and nothing of it stays behind in a program that goes on. */
  #takeFile(): void {
    try {
      this.#parts.log.flush();
    } catch (error) {
      this.#parts.guard.dispose();
      this.#parts.sandbox?.close({ isShared: true });
      this.#parts.register.close();
      throw error;
    }
  }

  /** A prompt, and after a no with words those words as the next one (PD-2). */
  async #runTurns(content: string, source: PromptSource): Promise<TurnEnd> {
    let { end, words } = await this.#runTurn(content, source);
    while (words !== undefined && !this.#queue.isClosed) {
      const next = await this.#runTurn(words, this.#source);
      const denials = [...end.denials, ...next.end.denials];
      end = { ...next.end, denials, unanswered: end.unanswered || next.end.unanswered };
      words = next.words;
    }
    return end;
  }

  async #runTurn(prompt: string, source: PromptSource): Promise<RanTurn> {
    const turn = new AbortController();
    this.#turn = turn;
    this.#parts.steering.open();
    this.#emit({ type: "turn_started", prompt });
    const { end, words } = await this.#queue.unlessGivenUp(this.#submit(prompt, source, turn.signal), () => ({
      end: notSubmitted(aborted(NOT_ENDED), prompt),
      words: undefined,
    }));
    this.#turn = undefined;
    this.#parts.steering.close();
    this.#emit({ type: "turn_ended", end });
    return { end, words };
  }

  async #submit(prompt: string, source: PromptSource, signal: AbortSignal): Promise<RanTurn> {
    const started = await this.#starting;
    // Only the first turn ends because of what a SessionStart hook said.
    this.#starting = Promise.resolve({ ...started, ended: undefined });
    const submission: Submission =
      started.ended === undefined
        ? await this.#parts.prompts.submit(prompt, source, signal)
        : { accepted: false, because: "halted", reason: started.ended, unanswered: false };
    return submission.accepted
      ? this.#runLoop(prompt, signal)
      : { end: notSubmitted(submission, prompt), words: undefined };
  }

  async #runCompaction(instructions: string | undefined): Promise<CompactionEnd> {
    const running = new AbortController();
    this.#turn = running;
    const started = await this.#starting;
    const { signal } = running;
    const end = await this.#queue.unlessGivenUp<CompactionEnd>(
      this.#parts.compaction.compact({ askedBy: "person", instructions, signal }),
      () => ({ compacted: false, because: "aborted", reason: NOT_ENDED }),
    );
    this.#turn = undefined;
    // No turn is there to be ended: the next one hears it.
    if (end.compacted) this.#starting = Promise.resolve({ ...started, ended: started.ended ?? end.halted });
    if (end.compacted && end.usage)
      this.#parts.log.append({ type: "turn_ended", because: "compacted", usage: end.usage });
    return end;
  }

  async #runCommand(command: string): Promise<ShellEnd> {
    const running = new AbortController();
    this.#turn = running;
    this.#emit({ type: "shell_started", command });
    // What SessionStart hooks tell the model comes first; whether they end the first turn is for that turn to hear.
    await this.#starting;
    const end = await this.#queue.unlessGivenUp<ShellEnd>(
      this.#parts.shell.perform(command, running.signal),
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

  async #runLoop(prompt: string, signal: AbortSignal): Promise<RanTurn> {
    // The first request has the tools of servers that start quickly; the others come when they are there.
    await untilAborted(signal, () => this.#parts.tools.opened);
    const { words, ...end } = await this.#parts.ai.sendAIMessage(signal);
    // What the person refused, or the model never answered, belongs back in the input box (PD-2, T163).
    const isBack = end.because === "denied" || (end.because !== "done" && this.#parts.prompts.isUnanswered);
    return { end: isBack ? { ...end, promptBack: prompt } : end, words };
  }
}

interface RanTurn {
  end: TurnEnd;
  words: string | undefined;
}

const NOT_BEGUN = (what: string) => `the agent was destroyed before this ${what} began`;
const STILL_RUNS = `what was running did not end within ${GIVE_UP_MS / 1000} seconds after it was interrupted; the session is closed without it`;
const NOT_ENDED = "the agent was destroyed, and what was running did not end when it was interrupted";

const aborted = (reason: string) =>
  ({ accepted: false, because: "aborted", reason, unanswered: false }) satisfies Submission;

/** The prompt did not become part of the conversation: it goes back to whoever wrote it. */
function notSubmitted(submission: Submission & { accepted: false }, promptBack: string): TurnEnd {
  const { because, reason, unanswered } = submission;
  const usage = { inputTokens: 0, outputTokens: 0 };
  return { because, reason, unanswered, answer: "", modelCalls: 0, usage, denials: [], promptBack };
}

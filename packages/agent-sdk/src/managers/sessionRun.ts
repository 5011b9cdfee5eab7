import type { AgentEvent, CompactionEnd, ShellEnd, SteeringEnd, TurnEnd } from "../events.ts";
import type { Entrypoint, HookFacts, PromptSource } from "../hooks/events.ts";
import { endLeftovers } from "../services/processRegister.ts";
import { cleanupExpiredSessions } from "../services/session.ts";
import { othersAreOpen } from "../services/sessionLock.ts";
import { readableText } from "../utils/readable.ts";
import type { AgentParts } from "./agentParts.ts";
import type { CarriedOut } from "./carryOut.ts";
import type { Configuration } from "./configuration.ts";
import type { OpenedSession } from "./openSession.ts";
import type { Submission } from "./promptManager.ts";

export type EndReason = HookFacts<"SessionEnd">["reason"];

/** What happens in a session, one thing after the other: its start, turns, commands, compactions, its end. */
export class SessionRun {
  readonly #parts: AgentParts;
  readonly #opened: OpenedSession;
  readonly #emit: (event: AgentEvent) => void;
  /** Where a prompt comes from that came at once. */
  readonly #source: PromptSource;
  #starting: Promise<CarriedOut>;
  #turns: Promise<unknown> = Promise.resolve();
  /** SessionStart hooks listen to it: an interrupt does not wait for a hook that hangs. */
  readonly #startup = new AbortController();
  #turn: AbortController | undefined;
  /** Turns and other work that has been asked for and has not ended. */
  #underWay = 0;

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
    return this.#inTurn(() => this.#runTurns(readableText(content), source));
  }

  /** Before the next request of the running turn, or as a prompt. */
  async steer(content: string): Promise<SteeringEnd> {
    const told = this.#parts.steering.add(readableText(content));
    return told ?? this.prompt(content).then((end) => ({ told: "as-prompt", end }));
  }

  command(command: string): Promise<ShellEnd> {
    return this.#inTurn(() => this.#runCommand(command.toWellFormed()));
  }

  compact(instructions: string | undefined): Promise<CompactionEnd> {
    return this.#inTurn(() => this.#runCompaction(instructions && readableText(instructions)));
  }

  /** Rejects when something is under way or waits. */
  async whileIdle<End>(work: () => Promise<End>): Promise<End> {
    if (this.#underWay > 0) throw new Error("a turn is under way; interrupt it or wait, and go back then");
    return this.#inTurn(work);
  }

  abort(): void {
    const interrupted = new Error("interrupted");
    this.#startup.abort(interrupted);
    this.#parts.steering.giveBack();
    this.#turn?.abort(interrupted);
  }

  async end(reason: EndReason, signal: AbortSignal | undefined): Promise<void> {
    this.abort();
    await this.#turns;
    await this.#starting;
    try {
      await this.#parts.events.ended(reason, signal);
    } finally {
      await this.#parts.session.shells.dispose();
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

  /** One thing at a time. */
  #inTurn<End>(work: () => Promise<End>): Promise<End> {
    this.#underWay++;
    const done = this.#turns.then(work).finally(() => this.#underWay--);
    this.#turns = done
      .catch(() => {
        // Whoever asked for it has the error; what comes next must not inherit it.
      })
      .then(() => this.#runSteered());
    return done;
  }

  /** What was typed during a turn and came too late for it. */
  async #runSteered(): Promise<void> {
    for (let next = this.#parts.steering.take(); next; next = this.#parts.steering.take()) {
      this.#underWay++;
      const end = this.#runTurns(next.text, "queued").then((it): SteeringEnd => ({
        told: "as-prompt",
        end: it,
      }));
      next.settle(end);
      await end.catch(() => {
        // Whoever typed it has the error.
      });
      this.#underWay--;
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
    return this.#parts.events.started(this.#opened.source, this.#startup.signal);
  }

  #tidyUp(home: string): void {
    const count = endLeftovers(home);
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
      throw error;
    }
  }

  /** A prompt, and after a no with words those words as the next one (PD-2). */
  async #runTurns(content: string, source: PromptSource): Promise<TurnEnd> {
    let { end, words } = await this.#runTurn(content, source);
    while (words !== undefined) {
      const next = await this.#runTurn(words, this.#source);
      const denials = [...end.denials, ...next.end.denials];
      end = { ...next.end, denials, unanswered: end.unanswered || next.end.unanswered };
      words = next.words;
    }
    return end;
  }

  async #runTurn(prompt: string, source: PromptSource): Promise<{ end: TurnEnd; words: string | undefined }> {
    const turn = new AbortController();
    this.#turn = turn;
    this.#parts.steering.open();
    this.#emit({ type: "turn_started", prompt });
    const started = await this.#starting;
    // Only the first turn ends because of what a SessionStart hook said.
    this.#starting = Promise.resolve({ ...started, ended: undefined });
    const submission: Submission =
      started.ended === undefined
        ? await this.#parts.prompts.submit(prompt, source, turn.signal)
        : { accepted: false, because: "halted", reason: started.ended, unanswered: false };
    const { end, words } = submission.accepted
      ? await this.#runLoop(prompt, turn.signal)
      : { end: notSubmitted(submission, prompt), words: undefined };
    this.#turn = undefined;
    this.#parts.steering.close();
    this.#emit({ type: "turn_ended", end });
    return { end, words };
  }

  async #runCompaction(instructions: string | undefined): Promise<CompactionEnd> {
    const running = new AbortController();
    this.#turn = running;
    const started = await this.#starting;
    const end = await this.#parts.compaction.compact({
      askedBy: "person",
      instructions,
      signal: running.signal,
    });
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
    const end = await this.#parts.shell.perform(command, running.signal);
    this.#turn = undefined;
    this.#emit({ type: "shell_ended", end });
    return end;
  }

  async #runLoop(prompt: string, signal: AbortSignal): Promise<{ end: TurnEnd; words: string | undefined }> {
    const { words, ...end } = await this.#parts.ai.sendAIMessage(signal);
    // What the person refused, or the model never answered, belongs back in the input box (PD-2, T163).
    const isBack = end.because === "denied" || (end.because !== "done" && this.#parts.prompts.isUnanswered);
    return { end: isBack ? { ...end, promptBack: prompt } : end, words };
  }
}

/** The prompt did not become part of the conversation: it goes back to whoever wrote it. */
function notSubmitted(submission: Submission & { accepted: false }, promptBack: string): TurnEnd {
  const { because, reason, unanswered } = submission;
  const usage = { inputTokens: 0, outputTokens: 0 };
  return { because, reason, unanswered, answer: "", modelCalls: 0, usage, denials: [], promptBack };
}

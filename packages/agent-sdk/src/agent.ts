import type { AgentOptions } from "./agentOptions.ts";
import type { AgentEvent, TurnEnd } from "./events.ts";
import { buildRecord } from "./hooks/buildRecord.ts";
import { effectsOf } from "./hooks/effects.ts";
import type { HookState } from "./hooks/definition.ts";
import type { HookEvent, HookFacts } from "./hooks/events.ts";
import { assembleParts, type AgentParts } from "./managers/agentParts.ts";
import { carryOut, type CarriedOut } from "./managers/carryOut.ts";
import { readConfiguration, type Configuration } from "./managers/configuration.ts";
import { openSession, type OpenedSession } from "./managers/openSession.ts";
import type { Submission } from "./managers/promptManager.ts";
import type { Message } from "./messages/blocks.ts";
import type { PermissionMode } from "./permissions/modes.ts";
import type { PendingPermission, PermissionAnswer } from "./permissions/request.ts";
import { cleanupExpiredSessions } from "./services/session.ts";
import { builtInTools } from "./tools/index.ts";
import type { Tool } from "./tools/tool.ts";

export type EndReason = HookFacts<"SessionEnd">["reason"];

/** One session with a model. Wires the parts together and decides nothing. */
export class Agent {
  readonly #opened: OpenedSession;
  readonly #emit: (event: AgentEvent) => void;
  readonly #parts: AgentParts;
  #starting: Promise<CarriedOut>;
  #turns: Promise<unknown> = Promise.resolve();
  /** SessionStart hooks listen to it: an interrupt does not wait for a hook that hangs. */
  readonly #startup = new AbortController();
  #turn: AbortController | undefined;
  #destroyed: Promise<void> | undefined;

  /** Rejects with SettingsError for a broken settings file, SessionError for a session that cannot be opened. */
  static async create(options: AgentOptions = {}): Promise<Agent> {
    const tools = new Map(builtInTools().map((tool) => [tool.name, tool]));
    const configuration = readConfiguration(options, [...tools.keys()]);
    const opened = await openSession({
      home: configuration.home,
      projectDir: configuration.projectDir,
      resume: options.resume,
      fork: options.fork ?? false,
    });
    return new Agent(options, configuration, opened, tools);
  }

  private constructor(
    options: AgentOptions,
    configuration: Configuration,
    opened: OpenedSession,
    tools: ReadonlyMap<string, Tool>,
  ) {
    const emit = (event: AgentEvent) => this.#announce(event, options);
    this.#opened = opened;
    this.#emit = emit;
    this.#parts = assembleParts({ options, configuration, opened, tools, emit });
    this.#starting = this.#start(configuration, options);
  }

  get messages(): Message[] {
    return this.#parts.messages.messages;
  }

  get sessionId(): string {
    return this.#opened.handle.id;
  }

  get sessionFile(): string {
    return this.#opened.handle.file;
  }

  get permissionMode(): PermissionMode {
    return this.#parts.policy.mode;
  }

  set permissionMode(mode: PermissionMode) {
    this.#parts.policy.mode = mode;
  }

  get pendingPermissions(): PendingPermission[] {
    return this.#parts.permissions.pending;
  }

  get hooks(): HookState[] {
    return this.#parts.hooks.hooks;
  }

  /** Switches a hook off or on again for this session; managed hooks stay on. */
  switchHook(id: string, on: boolean): boolean {
    return this.#parts.hooks.switchHook(id, on);
  }

  answerPermission(id: string, answer: PermissionAnswer): boolean {
    return this.#parts.permissions.answer(id, answer);
  }

  /** Runs one turn after the ones before it; never rejects for what a model, hook or tool did. */
  async sendMessage(content: string): Promise<TurnEnd> {
    if (this.#destroyed) throw new Error("this agent was destroyed; create a new one");
    if (content.trim() === "")
      throw new TypeError("the message is empty; there is nothing to send to the model");
    const turn = this.#turns.then(() => this.#runTurns(content));
    this.#turns = turn.catch(() => {
      // The caller of sendMessage has the error; the next prompt must not inherit it.
    });
    return turn;
  }

  /** Ends the running turn; what ran is answered, what was said is kept. */
  abort(): void {
    const interrupted = new Error("interrupted");
    this.#startup.abort(interrupted);
    this.#turn?.abort(interrupted);
  }

  /** Ends the turn, runs the SessionEnd hooks once, closes the session file and leaves no process. */
  async destroy(reason: EndReason = "other", options: { signal?: AbortSignal } = {}): Promise<void> {
    this.#destroyed ??= this.#end(reason, options.signal);
    return this.#destroyed;
  }

  /** Everything before the first prompt. The hooks are asked at once; their context is waited for by the first turn. */
  #start(configuration: Configuration, options: AgentOptions): Promise<CarriedOut> {
    // Opens the file and takes the lock: a second process is told now, not after its first prompt.
    this.#parts.log.flush();
    for (const notice of configuration.notices) this.#emit({ type: "notice", ...notice });
    for (const text of this.#parts.policy.problems) this.#emit({ type: "notice", level: "error", text });
    for (const text of this.#opened.problems) {
      this.#emit({ type: "notice", level: "warning", text: `${this.sessionFile}: ${text}` });
    }
    if (options.resume !== undefined) {
      this.#parts.log.append({ type: "resumed", interruptedTools: this.#opened.interrupted });
      for (const edit of this.#opened.edits) this.#parts.messages.restore(edit);
    }
    void cleanupExpiredSessions(this.#opened.sessionsDir, configuration.settings.sessionsKeepDays);
    return this.#observe("SessionStart", { source: this.#opened.source }, this.#startup.signal);
  }

  /** A prompt, and after a no with words those words as the next one (PD-2). */
  async #runTurns(content: string): Promise<TurnEnd> {
    let { end, words } = await this.#runTurn(content);
    while (words !== undefined) {
      const next = await this.#runTurn(words);
      const denials = [...end.denials, ...next.end.denials];
      end = { ...next.end, denials, unanswered: end.unanswered || next.end.unanswered };
      words = next.words;
    }
    return end;
  }

  async #runTurn(prompt: string): Promise<{ end: TurnEnd; words: string | undefined }> {
    const turn = new AbortController();
    this.#turn = turn;
    this.#emit({ type: "turn_started", prompt });
    const started = await this.#starting;
    // Only the first turn ends because of what a SessionStart hook said.
    this.#starting = Promise.resolve({ ...started, ended: undefined });
    const submission: Submission =
      started.ended === undefined
        ? await this.#parts.prompts.submit(prompt, turn.signal)
        : { accepted: false, because: "halted", reason: started.ended, unanswered: false };
    const { end, words } = submission.accepted
      ? await this.#runLoop(prompt, turn.signal)
      : { end: notSubmitted(submission, prompt), words: undefined };
    this.#turn = undefined;
    this.#emit({ type: "turn_ended", end });
    return { end, words };
  }

  async #runLoop(prompt: string, signal: AbortSignal): Promise<{ end: TurnEnd; words: string | undefined }> {
    const { words, ...end } = await this.#parts.ai.sendAIMessage(signal);
    // What the person refused belongs back in the input box (PD-2).
    return { end: end.because === "denied" ? { ...end, promptBack: prompt } : end, words };
  }

  /** Events that decide nothing about a call or a prompt. */
  async #observe<E extends HookEvent>(
    event: E,
    facts: HookFacts<E>,
    signal?: AbortSignal,
  ): Promise<CarriedOut> {
    const judged = await this.#parts.hooks.judge(event, facts, signal ? { signal } : {});
    const done = carryOut(effectsOf(event, judged.verdicts), this.#parts.messages);
    const record = buildRecord(event, this.#parts.policy.mode, [judged]);
    if (judged.verdicts.length > 0) this.#parts.log.append({ type: "decision", record });
    this.#emit({ type: "hooks_decided", record });
    return done;
  }

  async #end(reason: EndReason, signal: AbortSignal | undefined): Promise<void> {
    this.abort();
    await this.#turns;
    await this.#starting;
    try {
      await this.#observe("SessionEnd", { reason }, signal);
    } finally {
      await this.#parts.session.shells.dispose();
      this.#parts.log.append({ type: "ended", reason }, { sync: true });
      this.#parts.log.close();
    }
  }

  /** A mistake in the program that listens must not end a turn half-way or keep a session open; it is made known. */
  #announce(event: AgentEvent, { onEvent, callbacks }: AgentOptions): void {
    try {
      onEvent?.(event);
      if (event.type === "messages_changed") callbacks?.onMessagesChange?.(this.messages);
      if (event.type === "turn_started") callbacks?.onLoadingChange?.(true);
      if (event.type === "turn_ended") callbacks?.onLoadingChange?.(false);
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.emitWarning(`a listener of the agent failed at ${event.type}: ${text}`, "WaveListenerWarning");
    }
  }
}

/** The prompt did not become part of the conversation: it goes back to whoever wrote it. */
function notSubmitted(submission: Submission & { accepted: false }, promptBack: string): TurnEnd {
  const { because, reason, unanswered } = submission;
  const usage = { inputTokens: 0, outputTokens: 0 };
  return { because, reason, unanswered, answer: "", modelCalls: 0, usage, denials: [], promptBack };
}

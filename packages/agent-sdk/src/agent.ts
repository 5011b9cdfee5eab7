import type { AgentOptions } from "./agentOptions.ts";
import {
  withMaskedRecord,
  type AgentEvent,
  type CompactionEnd,
  type ShellEnd,
  type SteeringEnd,
  type TurnEnd,
} from "./events.ts";
import { ClosedError } from "./errors.ts";
import { AgentSettings } from "./session/agentSettings.ts";
import { AgentTurn, type SendOptions, type Subscription } from "./session/agentTurn.ts";
import { wantedOutput } from "./conversation/wantedOutput.ts";
import { Conversation } from "./conversation/conversation.ts";
import { SubAgents } from "./conversation/subAgents.ts";
import { switchModel } from "./conversation/modelSwitch.ts";
import { Session } from "./session/session.ts";
import { Workspace } from "./workspace/workspace.ts";
import { checkArguments } from "./options/methodArguments.ts";
import { checkOptions, ownToolsOf } from "./options/checkOptions.ts";
import { readConfiguration } from "./workspace/configuration.ts";
import { warn } from "./session/processWarnings.ts";
import { Listeners } from "./session/listeners.ts";
import { openSession, type OpenedSession } from "./session/openSession.ts";
import { SessionRun, type EndReason, type PromptOptions } from "./session/sessionRun.ts";
import type { NoteAdded } from "./conversation/projectNotes.ts";
import type { Rewound, RewindPoint } from "./conversation/rewindManager.ts";
import { checkedName } from "./messages/sessionName.ts";
import type { PermissionMode } from "./permissions/modes.ts";
import type { PermissionAnswer } from "./permissions/request.ts";
import type { ListedModel } from "./model/call.ts";
import { builtInToolNames } from "./tools/index.ts";
import { ToolRegistry } from "./tools/sources/registry.ts";
import { toolSources } from "./tools/sources/sources.ts";
import { deepFreeze } from "./utils/deepFreeze.ts";

export type { EndReason } from "./session/sessionRun.ts";

/** One session with a model. Wires the parts together and decides nothing. */
export class Agent extends AgentSettings {
  readonly #session: Session;
  readonly #conversation: Conversation;
  readonly #run: SessionRun;
  readonly #subAgents: SubAgents;
  readonly #listeners: Listeners;
  #destroyed: Promise<void> | undefined;

  /** Rejects with OptionsError for options that cannot work, SettingsError for a broken settings file or a required sandbox that cannot be had, SessionError for a session that cannot be opened. */
  static async create(options: AgentOptions = {}): Promise<Agent> {
    const names = [...builtInToolNames(), ...ownToolsOf(options).map(({ name }) => name)];
    const checked = checkOptions(options, names);
    const configuration = readConfiguration(checked, names);
    const tools = new ToolRegistry(toolSources(checked, configuration), {
      use: checked.tools?.use?.map((used) => (typeof used === "string" ? used : used.name)),
    });
    const { home, projectDir } = configuration;
    const { resume, fork = false, source = "startup" } = checked;
    const opened = await openSession({ home, projectDir, resume, fork, source });
    const workspace = await Workspace.open(checked, configuration, () => [...tools.keys()]);
    return new Agent(checked, workspace, opened, tools);
  }

  private constructor(
    options: AgentOptions,
    workspace: Workspace,
    opened: OpenedSession,
    tools: ToolRegistry,
  ) {
    const listeners = new Listeners(options, warn);
    // What is handed out cannot be changed: it may be what runs, what is sent, or what is stored.
    const emit = (event: AgentEvent) => listeners.hear(deepFreeze(withMaskedRecord(event, workspace.keys)));
    const session = new Session(workspace, { options, opened, tools, emit });
    const { rules, mode, workdir } = workspace.configuration;
    const conversation = new Conversation(session, {
      messages: opened.messages,
      takenAway: opened.goingBack?.takenAway,
      log: session.log,
      rules,
      mode,
      cwd: workdir,
      allowSelfConfig: options.allowSelfConfig ?? false,
      maxModelCalls: options.maxTurns,
    });
    const subAgents = new SubAgents(session, {
      definitions: workspace.configuration.agents,
      main: conversation,
      atOnce: workspace.configuration.settings.maxSubagents,
    });
    for (const rule of opened.rules ?? []) conversation.ownPolicy.add(rule, "allow", { scope: "session" });
    listeners.follow(() => conversation.messages.messages);
    const run = new SessionRun(session, conversation, subAgents);
    super({ session, conversation, subAgents, run });
    this.#session = session;
    this.#conversation = conversation;
    this.#run = run;
    this.#subAgents = subAgents;
    this.#listeners = listeners;
    // A program in plain JavaScript that misspells a property hears of it.
    Object.preventExtensions(this);
  }

  get permissionMode(): PermissionMode {
    return this.#conversation.ownPolicy.mode;
  }

  set permissionMode(permissionMode: PermissionMode) {
    this.check("permissionMode", { permissionMode });
    this.#conversation.ownPolicy.mode = permissionMode;
  }

  /** Undefined when nobody named one and the server was not asked yet. */
  get model(): string | undefined {
    return this.#session.model.name;
  }

  /** For the requests that follow, and for the session when it is resumed. */
  set model(model: string) {
    this.check("model", { model });
    switchModel(this.#session, this.#conversation, model);
  }

  /** What the model server offers, or every provider whose key is set. Rejects with ModelError when nobody has a list. */
  async listModels(): Promise<ListedModel[]> {
    this.checkAlive();
    return this.#session.model.list();
  }

  /** Ends a command in the background or a sub-agent, with everything it started. False when nothing of that id runs. */
  async endBackgroundTask(id: string): Promise<boolean> {
    this.check("endBackgroundTask", { id });
    return (await this.#conversation.toolSession.shells.end(id)) || this.#subAgents.end(id);
  }

  /** False when the question is not open any more, or cannot be answered so. */
  answerPermission(id: string, answer: PermissionAnswer): boolean {
    checkArguments("answerPermission", { id, answer });
    return this.#session.permissions.answer(id, answer);
  }

  /** Runs one turn after the ones before it; never rejects for what a model, hook or tool did. */
  async sendMessage(content: string, options: PromptOptions = {}): Promise<TurnEnd> {
    this.check("sendMessage", { content, options });
    return this.#run.prompt(content, options);
  }

  /** Like `sendMessage`. What comes back can be awaited for its end, and iterated for what happens in it. */
  send<Output = undefined>(content: string, options: SendOptions<Output> = {}): AgentTurn<Output> {
    this.check("send", { content, options });
    const { output, outputJsonSchema, ...rest } = options;
    const wanted = output && wantedOutput(output, outputJsonSchema);
    return new AgentTurn(
      (onBegin) => this.#run.prompt(content, rest, { onBegin, output: wanted }),
      (listener) => this.#listeners.subscribe(listener, { hearsNotices: false }),
    );
  }

  /** Hears everything from now on. With `replay`, first what is there: a `messages_changed` for each message, then the open questions. */
  subscribe(listener: (event: AgentEvent) => void, options: { replay?: boolean } = {}): Subscription {
    this.check("subscribe", { listener, options });
    if (options.replay) {
      for (const message of this.messages) listener({ type: "messages_changed", message });
      for (const request of this.pendingPermissions) listener({ type: "permission_requested", request });
    }
    const stop = this.#listeners.subscribe(listener);
    return { end: stop, [Symbol.dispose]: stop };
  }

  /**
   * Tells the model something while it works: a prompt like any other, but before the next request of the running turn.
   * Where that does not come any more, it is the next prompt. An interrupt gives it back.
   */
  async steer(content: string, options: Pick<PromptOptions, "images"> = {}): Promise<SteeringEnd> {
    this.check("steer", { content, options });
    return this.#run.steer(content, options);
  }

  /**
   * Has the model sum up the conversation, after the turns before it; from then on it gets the summary instead of what it
   * covers. `messages` keeps everything. Never rejects for what a model did.
   */
  async compact(instructions?: string): Promise<CompactionEnd> {
    this.check("compact", { instructions });
    return this.#run.compact(instructions);
  }

  /** Takes the newest compaction back: the model gets again what it covered. False when there is none. */
  undoCompact(): boolean {
    this.checkAlive();
    return this.#conversation.compaction.undo();
  }

  /**
   * Runs a command of the person's own, after the turns before it: through the gate, as a call of the Bash tool, without a
   * model. Command and output are part of the conversation, so the model sees them with the next prompt.
   */
  async runShell(command: string): Promise<ShellEnd> {
    this.check("runShell", { command });
    return this.#run.command(command);
  }

  /**
   * Takes the last prompt out of the conversation when the model has said nothing to it: for whoever gives it back to be
   * edited and sent again (`promptBack` of the turn). False when there is nothing to take back.
   */
  takeBackPrompt(): boolean {
    // Also while the agent is being destroyed: the prompt that was interrupted by that belongs back in the input box.
    return !this.#run.isRunning && !this.#session.log.isClosed && this.#conversation.prompts.takeBack();
  }

  /** Adds a line to the project's AGENTS.md, as the person's own hand; the model reads it with its next request. */
  async addNote(note: string): Promise<NoteAdded> {
    this.check("addNote", { note });
    const added = await this.#conversation.notes.add(note);
    if (added.added) this.#conversation.ai.readInstructionsAgain();
    return added;
  }

  /** The prompts one can go back to, oldest first. */
  rewindPoints(): RewindPoint[] {
    this.checkAlive();
    return this.#conversation.rewinding.points();
  }

  /** What `rewind` with its files would do now. */
  async planRewind(messageId: string): Promise<Rewound> {
    this.check("planRewind", { messageId });
    return this.#conversation.rewinding.plan(messageId);
  }

  /**
   * Back to before a prompt: it and everything after it leave the conversation, and with `files` what Wave's tools did to
   * files since is taken back, while what others did to them stays. Rejects unless idle, and for an unknown prompt.
   */
  async rewind(messageId: string, options: { files: boolean }): Promise<Rewound> {
    this.check("rewind", { messageId, options });
    return this.#run.whileIdle(() => this.#conversation.rewinding.rewind(messageId, options));
  }

  /** Brings back what the newest rewind took away, until the next prompt. */
  async undoRewind(): Promise<Rewound> {
    this.checkAlive();
    return this.#run.whileIdle(() => this.#conversation.rewinding.undo());
  }

  /** What the person calls the session. */
  get name(): string | undefined {
    return this.#session.log.name;
  }

  /** Throws OptionsError for a name that is empty or too long. */
  set name(name: string) {
    this.check("name", { name });
    this.#session.log.append({ type: "named", name: checkedName(name) }, { sync: true });
  }

  /** Ends the running turn; what ran is answered, what was said is kept. */
  abort(): void {
    this.#run.abort();
  }

  /**
   * Ends the turn, runs the SessionEnd hooks once, closes the session file and ends what runs, also Wave's commands in the
   * background. What a command or hook put there itself, with `&`, lives on. Nothing that waits begins: whoever sent it hears
   * that it was aborted. Resolves in bounded time; every later call rejects with ClosedError.
   */
  async destroy(reason: EndReason = "other", options: { signal?: AbortSignal } = {}): Promise<void> {
    checkArguments("destroy", { reason, options });
    this.#destroyed ??= this.#run.end(reason, options.signal).finally(() => this.#listeners.sumUp());
    return this.#destroyed;
  }

  /** `await using agent = await Agent.create()` closes it at the end of the block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.destroy();
  }

  protected override checkAlive(): void {
    if (this.#destroyed) throw new ClosedError();
  }
}

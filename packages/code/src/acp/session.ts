import type {
  AgentContext,
  RequestPermissionRequest,
  SessionModeState,
  SessionUpdate,
  StopReason,
} from "@agentclientprotocol/sdk";
import {
  Agent,
  type AgentEvent,
  type AgentOptions,
  type PendingPermission,
  type PermissionAnswer,
  type PermissionMode,
} from "wave-agent-sdk";
import { askedCall, choicesOf } from "./question.ts";
import type { promptOf } from "./promptBlocks.ts";
import { fromWave, replayOf, STOP_REASONS, updatesOf } from "./updates.ts";

/** Modes that an editor offers. The one that asks for nothing is there only if Wave was started with it. */
const MODES: Readonly<Partial<Record<PermissionMode, string>>> = {
  default: "Ask before anything is changed",
  acceptEdits: "Change files of the project without asking",
  plan: "Look and plan, change nothing",
  dontAsk: "Deny what would have to be asked",
};

/** The turn failed: the editor shows this as the answer to its request. */
export class TurnFailed extends Error {}

/** One session of an editor: an agent whose events and questions go to it. */
export class AcpSession {
  readonly #agent: Agent;
  readonly #editor: AgentContext;
  readonly #known = new Set<string>();
  /** Updates go out in their order, and all of them before the answer to a prompt. */
  #sent: Promise<unknown> = Promise.resolve();

  private constructor(agent: Agent, editor: AgentContext) {
    this.#agent = agent;
    this.#editor = editor;
  }

  /** Rejects as Agent.create does. */
  static async open(options: AgentOptions, editor: AgentContext): Promise<AcpSession> {
    const early: AgentEvent[] = [];
    // Until the agent is there, what happens waits.
    let session: AcpSession | undefined;
    const agent = await Agent.create({
      ...options,
      onEvent: (event) => void (session ? session.#hear(event) : early.push(event)),
      onPermissionRequest: (request, signal) =>
        session ? session.#ask(request, signal) : { decision: "deny", reason: "the session has not begun" },
    });
    session = new AcpSession(agent, editor);
    for (const event of early) session.#hear(event);
    return session;
  }

  get id(): string {
    return this.#agent.sessionId;
  }

  get modes(): SessionModeState {
    const current = this.#agent.permissionMode;
    const offered = { ...MODES, ...(current in MODES ? {} : { [current]: "As Wave was started" }) };
    return {
      currentModeId: current,
      availableModes: Object.entries(offered).map(([id, description]) => ({ id, name: id, description })),
    };
  }

  /** Throws OptionsError for a mode that there is not. */
  setMode(mode: string): void {
    if (!this.modes.availableModes.some(({ id }) => id === mode))
      throw new TurnFailed(`there is no mode ${JSON.stringify(mode)} here`);
    this.#agent.permissionMode = mode as PermissionMode;
  }

  /** What was said before, for an editor that opens an earlier session. */
  async replay(): Promise<void> {
    for (const update of replayOf(this.#agent.messages)) this.#send(update);
    await this.#sent;
  }

  /** Runs one turn. Throws TurnFailed when the model did not answer. */
  async prompt({ text: words, images }: ReturnType<typeof promptOf>): Promise<StopReason> {
    const asked = await this.#expanded(words);
    const end = await this.#agent.sendMessage(asked, images.length > 0 ? { images } : {});
    if (end.because !== "done" && end.because !== "aborted" && end.because !== "model-error" && end.reason)
      this.#say(end.reason);
    await this.#sent;
    if (end.because === "model-error") throw new TurnFailed(end.reason ?? "the model did not answer");
    return STOP_REASONS[end.because];
  }

  cancel(): void {
    this.#agent.abort();
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** `/name …` of a command that stands in a file is what the file says; every other prompt is itself. */
  async #expanded(prompt: string): Promise<string> {
    const [, name, argument = ""] = /^\/([^\s/]+)(?:\s+(.*))?$/s.exec(prompt.trim()) ?? [];
    const isOne = name?.startsWith("mcp__") || this.#agent.commands.list.some((one) => one.name === name);
    if (name === undefined || !isOne) return prompt;
    const expanded = await this.#agent.commands.expand(name, argument);
    if (!expanded.expanded) throw new TurnFailed(expanded.problem);
    return expanded.prompt;
  }

  #hear(event: AgentEvent): void {
    for (const update of updatesOf(event, this.#known)) this.#send(update);
    // Nothing is silent: what Wave says to the person stands in the conversation, as its own words.
    if (event.type === "notice" && event.level !== "info") this.#say(event.text);
  }

  #say(words: string): void {
    this.#send(fromWave(words));
  }

  #send(update: SessionUpdate): void {
    const { id: sessionId } = this;
    this.#sent = this.#sent
      .then(() => this.#editor.notify("session/update", { sessionId, update }))
      // The editor is gone: the connection ends, and the session with it.
      .catch(() => {});
  }

  async #ask(request: PendingPermission, signal: AbortSignal): Promise<PermissionAnswer> {
    const choices = choicesOf(request);
    await this.#sent;
    const question: RequestPermissionRequest = {
      sessionId: this.id,
      toolCall: askedCall(request),
      options: choices.map(({ optionId, name, kind }) => ({ optionId, name, kind })),
    };
    const options = { cancellationSignal: signal };
    const { outcome } = await this.#editor.request("session/request_permission", question, options);
    const chosen =
      outcome.outcome === "selected"
        ? choices.find(({ optionId }) => optionId === outcome.optionId)
        : undefined;
    // Cancelled, or something that was not offered: never a yes.
    if (!chosen) return { decision: "deny" };
    for (const rule of chosen.rules ?? []) await this.#agent.allowRule(rule, "session");
    return chosen.answer;
  }
}

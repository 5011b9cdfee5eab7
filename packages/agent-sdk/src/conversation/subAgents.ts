import { randomBytes } from "node:crypto";
import type { SubAgentIdentity } from "../messages/subAgent.ts";
import type { Session } from "../session/session.ts";
import { refusal } from "../tools/outcome.ts";
import type { BackgroundTask } from "../tools/shells.ts";
import type { AgentLauncher, AgentTask, ToolCallContext, ToolOutcome } from "../tools/tool.ts";
import type { AgentDefinition } from "../workspace/agents/definition.ts";
import type { Conversation } from "./conversation.ts";
import { Slots } from "./slots.ts";
import type { SubAgentEnd } from "./subAgent.ts";

/** How far a sub-agent may be away from the main conversation: one may start others, and those start none. */
const MAX_DEPTH = 2;

/** Lines of what a sub-agent did that are kept for somebody who looks. */
const KEPT_LINES = 200;

/** The conversation that starts sub-agents, and the sub-agent whose conversation it is. */
interface Starter {
  conversation: Conversation;
  /** Undefined for the main conversation. */
  agent?: SubAgent;
  depth: number;
}

/** One sub-agent, as the session knows it. */
interface SubAgent {
  identity: SubAgentIdentity;
  since: number;
  background: boolean;
  stop: AbortController;
  lines: string[];
  end?: SubAgentEnd;
  done: Promise<void>;
  /** It has one of the slots. */
  hasSlot: boolean;
  /** How many it has started and waits for. */
  waitsFor: number;
}

/** The sub-agents of a session: starts them, bounds how many work at once, and ends them. What runs one is loaded with the first. */
export class SubAgents {
  readonly #session: Session;
  readonly #definitions: readonly AgentDefinition[];
  readonly #main: Conversation;
  readonly #slots: Slots;
  readonly #all: SubAgent[] = [];
  #closed = false;

  constructor(
    session: Session,
    options: { definitions: readonly AgentDefinition[]; main: Conversation; atOnce: number },
  ) {
    this.#session = session;
    this.#definitions = options.definitions;
    this.#main = options.main;
    this.#slots = new Slots(options.atOnce);
    this.#serve({ conversation: options.main, depth: 0 });
  }

  /** All of this process, in the order in which they were started. */
  list(): BackgroundTask[] {
    return this.#all.map(described);
  }

  /** How many work in the background. */
  get inBackground(): number {
    return this.#all.filter(({ background, end }) => background && !end).length;
  }

  /** Ends one, with those it has started; the others go on. False when none of that id works. */
  async end(id: string): Promise<boolean> {
    const agent = this.#all.find(({ identity, end }) => identity.id === id && !end);
    if (!agent) return false;
    agent.stop.abort(new Error("ended"));
    await agent.done;
    return true;
  }

  /** A hook that says `continue: false` means everybody. */
  async endAll(): Promise<void> {
    await Promise.all(this.#all.map(({ identity }) => this.end(identity.id)));
  }

  /** Nothing is started any more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.endAll();
  }

  #serve(starter: Starter): void {
    if (starter.depth >= MAX_DEPTH) return;
    const launcher: AgentLauncher = { start: (task, context) => this.#start(starter, task, context) };
    starter.conversation.toolSession.agents = launcher;
  }

  async #start(
    starter: Starter,
    task: AgentTask,
    context: Pick<ToolCallContext, "signal" | "ending" | "onOutput">,
  ): Promise<ToolOutcome> {
    const definition = this.#definitions.find(({ name }) => name === task.type);
    if (!definition) return refusal(`There is no sub-agent "${task.type}".`);
    if (this.#closed) return refusal("The session is over, so no sub-agent can be started.");
    // What ends in the background is told to the main conversation; in print mode nobody would wait for it.
    const background = task.background && starter.depth === 0 && this.#session.entrypoint !== "print";
    const agent = subAgentOf(task, { definition, starter, background });
    this.#all.push(agent);
    const { signal, ending } = context;
    const signals = background
      ? [agent.stop.signal]
      : [agent.stop.signal, signal, ...(ending ? [ending] : [])];
    const onDoing = (line: string) => {
      agent.lines.push(line);
      agent.lines.splice(0, agent.lines.length - KEPT_LINES);
      if (!background) context.onOutput(`${line}\n`);
    };
    const ended = this.#run({ agent, task, definition, starter, signal: AbortSignal.any(signals), onDoing });
    agent.done = ended.then(() => {});
    if (!background) return (await ended).outcome;
    void ended.then((end) => this.#report(agent, end));
    return inBackground(agent.identity, task);
  }

  async #run(run: {
    agent: SubAgent;
    task: AgentTask;
    definition: AgentDefinition;
    starter: Starter;
    signal: AbortSignal;
    onDoing: (line: string) => void;
  }): Promise<SubAgentEnd> {
    const { agent, starter, task, signal } = run;
    const { runSubAgent, notBegun } = await import("./subAgent.ts");
    await this.#lend(starter);
    agent.hasSlot = await this.#slots.take(signal);
    const depth = starter.depth + 1;
    const end = agent.hasSlot
      ? await runSubAgent(this.#session, {
          ...run,
          identity: agent.identity,
          parent: starter.conversation,
          mayStartOthers: depth < MAX_DEPTH,
          prepare: (conversation) => this.#serve({ conversation, agent, depth }),
        })
      : notBegun(agent.identity, task);
    agent.end = end;
    if (agent.hasSlot) this.#slots.giveBack();
    if (end.turn.because === "halted") void this.endAll();
    await this.#takeBack(starter, signal);
    return end;
  }

  /** Whoever waits for sub-agents does not work: without this, all slots could be waiting for one. */
  async #lend({ agent }: Starter): Promise<void> {
    if (!agent) return;
    agent.waitsFor++;
    if (!agent.hasSlot) return;
    agent.hasSlot = false;
    this.#slots.giveBack();
  }

  async #takeBack({ agent }: Starter, signal: AbortSignal): Promise<void> {
    if (!agent) return;
    agent.waitsFor--;
    if (agent.waitsFor === 0) agent.hasSlot = await this.#slots.take(signal);
  }

  /** It ended while nobody waited for it: the main conversation is told, and what it cost is counted. */
  #report({ identity }: SubAgent, { turn, outcome }: SubAgentEnd): void {
    const { type, description, id } = identity;
    this.#session.log.append({ type: "turn_ended", because: `sub-agent ${id}`, usage: turn.usage });
    const how = turn.because === "done" ? "is done" : "has ended";
    this.#session.emit({
      type: "notice",
      level: turn.because === "done" ? "info" : "warning",
      text: `sub-agent ${type} (${description}) ${how}; the model is told with its next request`,
    });
    if (turn.because === "halted") this.#main.ai.halt(turn.reason ?? "");
    this.#main.ai.tell(
      `The sub-agent ${id} (${type}, "${description}") ${how}. Its answer:\n${outcome.result}`,
      `sub-agent ${type}`,
    );
  }
}

function subAgentOf(
  { description }: AgentTask,
  about: { definition: AgentDefinition; starter: Starter; background: boolean },
): SubAgent {
  const { definition, starter, background } = about;
  const parentId = starter.agent?.identity.id;
  return {
    identity: {
      id: `agent_${randomBytes(4).toString("hex")}`,
      type: definition.name,
      description,
      ...(parentId === undefined ? {} : { parentId }),
    },
    since: Date.now(),
    background,
    stop: new AbortController(),
    lines: [],
    done: Promise.resolve(),
    hasSlot: false,
    waitsFor: 0,
  };
}

function described({ identity, since, lines, end, stop }: SubAgent): BackgroundTask {
  const { id, type, description } = identity;
  const said = end ? [end.outcome.result] : [];
  return {
    kind: "agent",
    id,
    title: `${type}: ${description}`,
    since,
    state: !end ? "running" : stop.signal.aborted ? "killed" : "ended",
    ...(end && end.turn.because !== "done" ? { end: end.turn.because } : {}),
    output: [...lines, ...said].join("\n"),
  };
}

const inBackground = ({ id, type }: SubAgentIdentity, { description, prompt }: AgentTask): ToolOutcome => ({
  success: true,
  result: `Works in the background as ${id}. You are told its answer as soon as it is there; do not wait for it.`,
  response: { status: "async_launched", agentId: id, agentType: type, description, prompt },
});

import type { Session } from "../session/session.ts";
import { refusal } from "../tools/outcome.ts";
import type { AgentLauncher } from "../tools/tool.ts";
import type { AgentDefinition } from "../workspace/agents/definition.ts";
import type { Conversation } from "./conversation.ts";

/** A sub-agent may start others, and those start none. */
const MAX_DEPTH = 2;

/** The sub-agents of a session. What runs one is loaded when the first one starts. */
export class SubAgents {
  readonly #session: Session;
  readonly #definitions: readonly AgentDefinition[];

  constructor(session: Session, definitions: readonly AgentDefinition[]) {
    this.#session = session;
    this.#definitions = definitions;
  }

  /** From now on the conversation can start sub-agents; `depth` counts how many it is away from the main one. */
  serve(conversation: Conversation, depth = 0): void {
    if (depth < MAX_DEPTH) conversation.toolSession.agents = this.#launcher(conversation, depth);
  }

  #launcher(parent: Conversation, depth: number): AgentLauncher {
    return {
      start: async (task, context) => {
        const definition = this.#definitions.find(({ name }) => name === task.type);
        if (!definition) return refusal(`There is no sub-agent "${task.type}".`);
        const { runSubAgent } = await import("./subAgent.ts");
        return runSubAgent(this.#session, {
          task,
          definition,
          parent,
          context,
          mayStartOthers: depth + 1 < MAX_DEPTH,
          prepare: (conversation) => this.serve(conversation, depth + 1),
        });
      },
    };
  }
}

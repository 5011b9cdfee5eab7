import type { InProcessServer, McpServerConfig } from "../../hooks/mcpServers.ts";
import { McpLogins } from "../../workspace/mcpLogins.ts";
import { McpPins } from "../../workspace/mcpPins.ts";
import type { McpServer } from "../mcp/server.ts";
import type { Tool } from "../tool.ts";
import type { OfferedPrompt, SourceHost, SourceStatus, ToolSource } from "./toolSource.ts";

export interface AnyNamedServer {
  name: string;
  config: McpServerConfig | InProcessServer;
}

/** The first prompt waits so long for servers; those that are slower bring their tools later. */
const WAIT_MS = 5_000;

/** The tools of MCP servers. What talks to them is loaded when there is one. */
export class McpSource implements ToolSource {
  readonly name = "MCP servers";
  readonly #named: readonly AnyNamedServer[];
  readonly #home: string;
  readonly #waitMs: number;
  readonly #listeners: (() => void)[] = [];
  #servers: readonly McpServer[] = [];
  #list: readonly Tool[] = [];
  #closed = false;

  constructor(named: readonly AnyNamedServer[], home: string, waitMs = WAIT_MS) {
    this.#named = named;
    this.#home = home;
    this.#waitMs = waitMs;
  }

  list(): readonly Tool[] {
    return this.#list;
  }

  status(): readonly SourceStatus[] {
    if (this.#servers.length === 0)
      return this.#named.map(({ name }) => ({ name: `mcp__${name}`, state: "starting", tools: [] }));
    return this.#servers.map(({ status }) => status);
  }

  prompts(): readonly OfferedPrompt[] {
    return this.#servers.flatMap(({ prompts }) => prompts);
  }

  changed(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async open(host: SourceHost): Promise<void> {
    if (this.#named.length === 0) return;
    const { promise: waited, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#waitMs);
    await Promise.race([this.#start(host), waited]);
    clearTimeout(timer);
    const begun = this.#servers.filter(({ state }) => state.is !== "starting").map(({ name }) => name);
    const slow = this.#named.map(({ name }) => name).filter((name) => !begun.includes(name));
    if (slow.length > 0 && !this.#closed)
      host.say("info", `MCP: still starting: ${slow.join(", ")}; their tools come when they are ready`);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#servers.map((server) => server.close()));
    this.#list = [];
  }

  async #start(host: SourceHost): Promise<void> {
    const { McpServer } = await import("../mcp/server.ts");
    if (this.#closed) return;
    const around = {
      host,
      pins: new McpPins(this.#home),
      logins: new McpLogins(this.#home),
      onChange: () => this.#gather(),
    };
    this.#servers = this.#named.map((named) => new McpServer(named, around));
    await Promise.all(this.#servers.map((server) => server.start()));
  }

  /** In the order of their names, whichever came first: the same bytes keep the model server's prompt cache warm. */
  #gather(): void {
    this.#list = this.#servers.flatMap(({ tools }) => tools);
    for (const listener of this.#listeners) listener();
  }
}

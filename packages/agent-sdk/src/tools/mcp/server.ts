import type { InProcessServer, McpServerConfig } from "../../hooks/mcpServers.ts";
import type { McpLogins } from "../../workspace/mcpLogins.ts";
import type { McpPins } from "../../workspace/mcpPins.ts";
import type {
  OfferedPrompt,
  ServerAnswer,
  ServerQuestion,
  SourceHost,
  SourceStatus,
} from "../sources/toolSource.ts";
import type { Tool } from "../tool.ts";
import { brief, Connection, isGone, wantsLogin, type Offered } from "./connection.ts";
import { asTool } from "./mcpTool.ts";
import { asPrompt } from "./prompts.ts";
import { resourceTool } from "./resourceTool.ts";

/** Waits before it is started again; after the last it is given up for this session. */
const START_AGAIN_MS = [1_000, 4_000, 15_000];
/** One that ran so long has earned all its attempts back. */
const STABLE_MS = 60_000;
/** Each is sent with every request. */
const MOST_TOOLS = 128;
/** A person looks through them. */
const MOST_LISTED = 500;

export type ServerState =
  | { is: "starting" }
  | { is: "ready" }
  /** Its tools are kept: it is started again. */
  | { is: "lost"; why: string }
  | { is: "failed"; why: string }
  | { is: "closed" };

/** One MCP server of a session. Whatever it does costs its own tools and nothing else. */
export class McpServer {
  readonly name: string;
  readonly #config: McpServerConfig | InProcessServer;
  readonly #host: SourceHost;
  readonly #pins: McpPins;
  readonly #logins: McpLogins;
  readonly #onChange: () => void;
  #state: ServerState = { is: "starting" };
  #connection: Connection | undefined;
  #tools: Tool[] = [];
  #prompts: readonly OfferedPrompt[] = [];
  #resources: NonNullable<SourceStatus["resources"]> = [];
  #attempt = 0;
  #readyAt = 0;
  #again: NodeJS.Timeout | undefined;
  readonly #told = new Set<string>();

  constructor(
    named: { name: string; config: McpServerConfig | InProcessServer },
    around: { host: SourceHost; pins: McpPins; logins: McpLogins; onChange: () => void },
  ) {
    this.name = named.name;
    this.#config = named.config;
    this.#host = around.host;
    this.#pins = around.pins;
    this.#logins = around.logins;
    this.#onChange = around.onChange;
  }

  get state(): ServerState {
    return this.#state;
  }

  get tools(): readonly Tool[] {
    return this.#tools;
  }

  get prompts(): readonly OfferedPrompt[] {
    return this.#prompts;
  }

  get status(): SourceStatus {
    const state = this.#state;
    return {
      name: `mcp__${this.name}`,
      state: state.is,
      ...("why" in state ? { why: state.why } : {}),
      tools: this.#tools,
      ...(this.#prompts.length > 0 ? { prompts: this.#prompts } : {}),
      ...(this.#resources.length > 0 ? { resources: this.#resources } : {}),
    };
  }

  /** Resolves when its tools are there, or when this attempt failed. */
  async start(): Promise<void> {
    try {
      const connection = await Connection.open(this.#config, this.#host.session, {
        closed: (why) => this.#lost(why),
        changed: () => void this.#listAgain(),
        problem: (text) => this.#say("warning", text),
        logins: this.#logins,
        asks: (question, signal) => this.#asks(question, signal),
      });
      if (this.#isClosed) return await connection.close();
      this.#connection = connection;
      this.#take(await connection.offered());
      this.#readyAt = performance.now();
    } catch (error) {
      await this.#connection?.close();
      if (wantsLogin(error)) this.#giveUp(this.#loginWords);
      else this.#lost(brief(error));
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#again);
    this.#state = { is: "closed" };
    this.#forget();
    await this.#connection?.close();
  }

  #forget(): void {
    this.#tools = [];
    this.#prompts = [];
    this.#resources = [];
  }

  get #isClosed(): boolean {
    return this.#state.is === "closed";
  }

  #take({ tools: offered, prompts, resources, hasResources, problems }: Offered): void {
    if (this.#isClosed) return;
    for (const text of problems) this.#say("warning", text);
    const tools = new Map<string, Tool>();
    const leftOut: string[] = [];
    const reading = hasResources
      ? resourceTool(this.name, resources, (uri, signal) => this.#asked((to) => to.read(uri, signal)))
      : undefined;
    if (reading) tools.set(reading.name, reading);
    for (const one of offered.slice(0, MOST_TOOLS)) {
      const tool = asTool(this.name, one, (call) => this.#asked((to) => to.call(call)));
      if ("leftOut" in tool) leftOut.push(tool.leftOut);
      else if (tools.has(tool.name)) leftOut.push(`${tool.name}: there are two of this name`);
      else tools.set(tool.name, tool);
    }
    if (offered.length > MOST_TOOLS)
      leftOut.push(
        `${offered.length - MOST_TOOLS} of ${offered.length} tools: Wave takes ${MOST_TOOLS} of one server`,
      );
    for (const [what, list] of Object.entries({ prompts, resources }))
      if (list.length > MOST_LISTED)
        leftOut.push(`${list.length - MOST_LISTED} of ${list.length} ${what}: Wave lists ${MOST_LISTED}`);
    if (leftOut.length > 0) this.#say("warning", `left out: ${leftOut.slice(0, 5).join("; ")}`);
    // What can be read changes all the time, and the list of it with it.
    const pinned = [...tools.values()].filter((tool) => tool !== reading);
    for (const text of this.#pins.changes(this.name, pinned)) this.#say("warning", text);
    this.#tools = [...tools.values()];
    this.#prompts = prompts
      .slice(0, MOST_LISTED)
      .map((one) =>
        asPrompt(this.name, one, (name, values, signal) =>
          this.#asked((to) => to.prompt(name, values, signal)),
        ),
      );
    this.#resources = resources.slice(0, MOST_LISTED).map(({ uri, name, title, description }) => ({
      name: `${this.name}:${uri}`,
      description: brief(description ?? title ?? name),
    }));
    this.#state = { is: "ready" };
    this.#onChange();
  }

  async #listAgain(): Promise<void> {
    const connection = this.#connection;
    if (!connection) return;
    try {
      this.#take(await connection.offered());
    } catch (error) {
      this.#say("warning", `its new list cannot be read: ${brief(error)}`);
    }
  }

  /** Throws where there is nobody to ask. */
  get #connected(): Connection {
    if (this.#state.is === "ready" && this.#connection) return this.#connection;
    const why = "why" in this.#state ? `: ${this.#state.why}` : "";
    throw new Error(`the MCP server ${this.name} is not connected${why}`);
  }

  /** What it answers; a login that has ended in the meantime is said as what it is. */
  async #asked<Answer>(what: (connection: Connection) => Promise<Answer>): Promise<Answer> {
    try {
      return await what(this.#connected);
    } catch (error) {
      if (isGone(error)) {
        await this.#connection?.close();
        this.#lost(`it does not answer any more (${brief(error)})`);
      }
      throw wantsLogin(error) ? new Error(`the MCP server ${this.name} ${this.#loginWords}`) : error;
    }
  }

  get #loginWords(): string {
    return `needs a login: wave mcp login ${this.name}`;
  }

  #lost(why: string): void {
    if (this.#isClosed || this.#state.is === "lost") return;
    this.#connection = undefined;
    if (this.#readyAt > 0 && performance.now() - this.#readyAt > STABLE_MS) this.#attempt = 0;
    const wait = START_AGAIN_MS[this.#attempt++];
    if (wait === undefined) return this.#giveUp(why, "; Wave does not start it again in this session");
    this.#state = { is: "lost", why };
    this.#say("warning", `${why}; Wave starts it again in ${wait / 1_000} s`);
    this.#again = setTimeout(() => {
      if (this.#isClosed) return;
      this.#state = { is: "starting" };
      void this.start();
    }, wait);
    this.#again.unref();
  }

  async #asks(question: Omit<ServerQuestion, "server">, signal: AbortSignal): Promise<ServerAnswer> {
    return this.#host.ask?.({ server: this.name, ...question }, signal) ?? { action: "decline" };
  }

  #giveUp(why: string, rest = ""): void {
    if (this.#isClosed) return;
    this.#connection = undefined;
    this.#state = { is: "failed", why };
    this.#forget();
    this.#onChange();
    this.#say("error", `${why}${rest}`);
  }

  /** The same sentence once: a server can be as noisy as it likes. */
  #say(level: "warning" | "error", text: string): void {
    if (this.#told.has(text) || this.#told.size > 20) return;
    this.#told.add(text);
    this.#host.say(level, `MCP server ${this.name}: ${text}`);
  }
}

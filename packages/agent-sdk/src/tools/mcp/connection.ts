import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import type {
  CallToolResult,
  ElicitRequestParams,
  GetPromptResult,
  Prompt as ServerPrompt,
  ReadResourceResult,
  Resource,
  Tool as ServerTool,
  Transport,
} from "@modelcontextprotocol/client";
import {
  isInProcess,
  withVariables,
  type InProcessServer,
  type McpServerConfig,
} from "../../hooks/mcpServers.ts";
import { onOneLine, shortened } from "../../utils/quoted.ts";
import type { ToolSession } from "../tool.ts";
import { readableText } from "../../utils/readable.ts";
import type { ServerAnswer, ServerQuestion } from "../sources/toolSource.ts";
import type { McpCall } from "./mcpTool.ts";
import type { McpLogins } from "../../workspace/mcpLogins.ts";
import { boundedFetch } from "./boundedFetch.ts";
import { Login, NeedsLogin } from "./oauth.ts";
import { StdioTransport } from "./stdioTransport.ts";

/** From the start of a server to the list of its tools. */
const CONNECT_MS = 30_000;
const CALL_SECONDS = 600;
const PROGRESS_CHARACTERS = 500;
const LONGEST_QUESTION = 4_000;

/** All that a server offers at one time. What it does not have is empty. */
export interface Offered {
  tools: readonly ServerTool[];
  prompts: readonly ServerPrompt[];
  resources: readonly Resource[];
  /** It has some, whether or not it lists them. */
  hasResources: boolean;
  /** What of it cannot be listed, and why. */
  problems: readonly string[];
}

/** What a server tells without being asked. */
export interface Heard {
  closed: (why: string) => void;
  /** What it offers is not what it was. */
  changed: () => void;
  problem: (text: string) => void;
  /** It asks the person something. */
  asks: (question: Omit<ServerQuestion, "server">, signal: AbortSignal) => Promise<ServerAnswer>;
  /** Where tokens for servers are that want one. */
  logins: McpLogins;
}

type ServerConfig = McpServerConfig | InProcessServer;

export type ServerPlace = Pick<ToolSession, "projectDir" | "env" | "sandbox" | "register">;

/** One connection to a server, from its start to its end. */
export class Connection {
  readonly #client: Client;
  readonly #transport: Transport;
  readonly #config: ServerConfig;

  private constructor(config: ServerConfig, client: Client, transport: Transport) {
    this.#config = config;
    this.#client = client;
    this.#transport = transport;
  }

  /** Rejects with why it cannot be used; then nothing of it is left. */
  static async open(config: ServerConfig, place: ServerPlace, heard: Heard): Promise<Connection> {
    const transport = isInProcess(config) ? await transportInto(config) : transportTo(config, place, heard);
    const client = new Client(
      { name: "wave", version: "1" },
      {
        capabilities: { elicitation: { form: {}, url: {} } },
        // Wave gives the results to the model as they are; a pattern of a server's is not run here.
        jsonSchemaValidator: {
          getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
        },
        listMaxPages: 64,
      },
    );
    client.setRequestHandler("elicitation/create", ({ params }, { mcpReq: { signal } }) =>
      heard.asks(questionOf(params), signal),
    );
    for (const list of ["tools", "prompts", "resources"] as const)
      client.setNotificationHandler(`notifications/${list}/list_changed`, () => heard.changed());
    const { promise: ended, reject } = Promise.withResolvers<never>();
    ended.catch(() => {});
    // While it is being opened, whoever opens it hears why it cannot be: of HTTP from the request that failed.
    client.onclose = () => {
      if (transport instanceof StdioTransport) reject(new Error(endOf(transport)));
    };
    // A late word about a call that has ended, and the like: what matters is the answer of a call.
    client.onerror = () => {};
    try {
      await Promise.race([client.connect(transport, { timeout: CONNECT_MS }), ended]);
      client.onclose = () => heard.closed(endOf(transport));
      return new Connection(config, client, transport);
    } catch (error) {
      client.onclose = () => {};
      await transport.close();
      const died =
        transport instanceof StdioTransport && transport.ended !== "Wave ended it"
          ? transport.ended
          : undefined;
      if (wantsLogin(error)) throw new NeedsLogin(brief(error), { cause: error });
      throw new Error(died ?? brief(error), { cause: error });
    }
  }

  /** Without its tools a server is of no use; prompts and resources that cannot be listed cost only themselves. */
  async offered(): Promise<Offered> {
    const how = { timeout: CONNECT_MS, cacheMode: "refresh" } as const;
    const has = this.#client.getServerCapabilities() ?? {};
    const problems: string[] = [];
    const orNone = async <One>(what: string, list: Promise<readonly One[]>): Promise<readonly One[]> =>
      list.catch((error: unknown) => {
        problems.push(`its ${what} cannot be listed: ${brief(error)}`);
        return [];
      });
    const [tools, prompts, resources] = await Promise.all([
      has.tools ? this.#client.listTools(undefined, how).then((list) => list.tools) : [],
      has.prompts
        ? orNone(
            "prompts",
            this.#client.listPrompts(undefined, how).then((list) => list.prompts),
          )
        : [],
      has.resources
        ? orNone(
            "resources",
            this.#client.listResources(undefined, how).then((list) => list.resources),
          )
        : [],
    ]);
    return { tools, prompts, resources, hasResources: has.resources !== undefined, problems };
  }

  async prompt(name: string, values: Record<string, string>, signal: AbortSignal): Promise<GetPromptResult> {
    return this.#client.getPrompt({ name, arguments: values }, { signal, timeout: CONNECT_MS });
  }

  async read(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    return this.#client.readResource({ uri }, { signal, timeout: this.#callMs, cacheMode: "refresh" });
  }

  async call({ tool, input, signal, onProgress }: McpCall): Promise<CallToolResult> {
    return this.#client.callTool(
      { name: tool, arguments: input },
      {
        signal,
        timeout: this.#callMs,
        onprogress: ({ progress, total, message }) => {
          const count = total === undefined ? String(progress) : `${progress} of ${total}`;
          onProgress(`${shortened(onOneLine(message ?? count), PROGRESS_CHARACTERS)}\n`);
        },
      },
    );
  }

  get #callMs(): number {
    return (this.#config.timeout ?? CALL_SECONDS) * 1_000;
  }

  async close(): Promise<void> {
    this.#client.onclose = () => {};
    await this.#transport.close().catch(() => {
      // It is gone, and nobody waits for its last words.
    });
  }
}

/** What is said to it goes the same way as to any server, and is guarded alike. */
async function transportInto({ instance }: InProcessServer): Promise<Transport> {
  const [ours, its] = InMemoryTransport.createLinkedPair();
  await instance.connect(its as never);
  return ours;
}

function transportTo(
  config: McpServerConfig,
  { projectDir, env, sandbox, register }: ServerPlace,
  { problem, logins }: Pick<Heard, "problem" | "logins">,
): Transport {
  const filled = (value: string) => withVariables(value, env);
  const filledIn = (values: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, filled(value)]));
  if ("url" in config) {
    const url = filled(config.url);
    const stored = logins.read(url);
    return new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: filledIn(config.headers) },
      fetch: boundedFetch,
      // Without a login nothing is registered anywhere: a person begins that.
      ...(stored && {
        authProvider: new Login(logins, url, { redirectUrl: "http://127.0.0.1/callback" }, stored),
      }),
    });
  }
  return new StdioTransport(
    {
      file: filled(config.command),
      args: (config.args ?? []).map(filled),
      cwd: projectDir,
      env: { ...env, ...filledIn(config.env) },
      register,
    },
    sandbox,
    problem,
  );
}

function questionOf(params: ElicitRequestParams): Omit<ServerQuestion, "server"> {
  const message = shortened(readableText(params.message), LONGEST_QUESTION);
  if (params.mode === "url")
    return { message, mode: "url", url: readableText(params.url), id: params.elicitationId };
  return { message, mode: "form", schema: params.requestedSchema };
}

/** Also behind an error that says it in other words. */
export function wantsLogin(error: unknown): boolean {
  if (error instanceof NeedsLogin || UnauthorizedError.isInstance(error)) return true;
  if (typeof error !== "object" || error === null) return false;
  return ("status" in error && error.status === 401) || ("cause" in error && wantsLogin(error.cause));
}

/** Nobody is there any more, or it has forgotten who asks: over HTTP no connection tells of that. */
export function isGone(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  if ("status" in error) return error.status === 404;
  const code = "code" in error ? error.code : undefined;
  return code === "ECONNREFUSED" || code === "ECONNRESET" || ("cause" in error && isGone(error.cause));
}

const endOf = (transport: Transport) =>
  (transport instanceof StdioTransport ? transport.ended : undefined) ?? "the connection was closed";

export const brief = (error: unknown) =>
  shortened(onOneLine(error instanceof Error ? error.message : String(error)), 300);

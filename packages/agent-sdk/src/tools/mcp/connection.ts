import { Client, StreamableHTTPClientTransport, type Tool as ServerTool } from "@modelcontextprotocol/client";
import type { CallToolResult, Transport } from "@modelcontextprotocol/client";
import { withVariables, type McpServerConfig } from "../../hooks/mcpServers.ts";
import { onOneLine, shortened } from "../../utils/quoted.ts";
import type { ToolSession } from "../tool.ts";
import type { McpCall } from "./mcpTool.ts";
import { boundedFetch } from "./boundedFetch.ts";
import { StdioTransport } from "./stdioTransport.ts";

/** From the start of a server to the list of its tools. */
const CONNECT_MS = 30_000;
const CALL_SECONDS = 600;
const PROGRESS_CHARACTERS = 500;

export type ServerPlace = Pick<ToolSession, "projectDir" | "env" | "sandbox" | "register">;

/** One connection to a server, from its start to its end. */
export class Connection {
  readonly #client: Client;
  readonly #transport: Transport;
  readonly #config: McpServerConfig;

  private constructor(config: McpServerConfig, client: Client, transport: Transport) {
    this.#config = config;
    this.#client = client;
    this.#transport = transport;
  }

  /** Rejects with why it cannot be used; then nothing of it is left. */
  static async open(
    config: McpServerConfig,
    place: ServerPlace,
    heard: { closed: (why: string) => void; toolsChanged: () => void; problem: (text: string) => void },
  ): Promise<Connection> {
    const transport = transportTo(config, place, heard.problem);
    const client = new Client(
      { name: "wave", version: "1" },
      {
        capabilities: {},
        // Wave gives the results to the model as they are; a pattern of a server's is not run here.
        jsonSchemaValidator: {
          getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
        },
        listMaxPages: 64,
      },
    );
    client.setNotificationHandler("notifications/tools/list_changed", () => heard.toolsChanged());
    const { promise: ended, reject } = Promise.withResolvers<never>();
    ended.catch(() => {});
    client.onclose = () => {
      const why = endOf(transport);
      reject(new Error(why));
      heard.closed(why);
    };
    // A late word about a call that has ended, and the like: what matters is the answer of a call.
    client.onerror = () => {};
    try {
      await Promise.race([client.connect(transport, { timeout: CONNECT_MS }), ended]);
      return new Connection(config, client, transport);
    } catch (error) {
      client.onclose = () => {};
      await transport.close();
      const died =
        transport instanceof StdioTransport && transport.ended !== "Wave ended it"
          ? transport.ended
          : undefined;
      throw new Error(died ?? brief(error), { cause: error });
    }
  }

  async listTools(): Promise<ServerTool[]> {
    const { tools } = await this.#client.listTools(undefined, { timeout: CONNECT_MS, cacheMode: "refresh" });
    return tools;
  }

  async call({ tool, input, signal, onProgress }: McpCall): Promise<CallToolResult> {
    const timeout = (this.#config.timeout ?? CALL_SECONDS) * 1_000;
    return this.#client.callTool(
      { name: tool, arguments: input },
      {
        signal,
        timeout,
        onprogress: ({ progress, total, message }) => {
          const count = total === undefined ? String(progress) : `${progress} of ${total}`;
          onProgress(`${shortened(onOneLine(message ?? count), PROGRESS_CHARACTERS)}\n`);
        },
      },
    );
  }

  async close(): Promise<void> {
    this.#client.onclose = () => {};
    await this.#transport.close().catch(() => {
      // It is gone, and nobody waits for its last words.
    });
  }
}

function transportTo(
  config: McpServerConfig,
  { projectDir, env, sandbox, register }: ServerPlace,
  onNoise: (text: string) => void,
): Transport {
  const filled = (value: string) => withVariables(value, env);
  const filledIn = (values: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, filled(value)]));
  if ("url" in config)
    return new StreamableHTTPClientTransport(new URL(filled(config.url)), {
      requestInit: { headers: filledIn(config.headers) },
      fetch: boundedFetch,
    });
  return new StdioTransport(
    {
      file: filled(config.command),
      args: (config.args ?? []).map(filled),
      cwd: projectDir,
      env: { ...env, ...filledIn(config.env) },
      register,
    },
    sandbox,
    onNoise,
  );
}

const endOf = (transport: Transport) =>
  (transport instanceof StdioTransport ? transport.ended : undefined) ?? "the connection was closed";

export const brief = (error: unknown) =>
  shortened(onOneLine(error instanceof Error ? error.message : String(error)), 300);

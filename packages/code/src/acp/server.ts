import { Readable } from "node:stream";
import type { AgentContext, McpServer, NewSessionRequest } from "@agentclientprotocol/sdk";
import { describeProblem, type AgentOptions } from "wave-agent-sdk";
import type { SessionFlags } from "../cli/args.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { agentOptions } from "../modes/agentOptions.ts";
import { exitStatus } from "../modes/exitStatus.ts";
import { modelIn, useLocalModel } from "../modes/model.ts";
import { fatalProblems, readSettings } from "../modes/readSettings.ts";
import { printable } from "../utils/printable.ts";
import { promptOf } from "./promptBlocks.ts";
import { AcpSession, TurnFailed } from "./session.ts";

/** `wave acp`: an editor speaks the Agent Client Protocol on stdin and stdout; what is for nobody's screen goes to stderr. */
export async function runAcp(flags: SessionFlags, around: Surroundings): Promise<number> {
  const acp = await import("@agentclientprotocol/sdk");
  const sessions = new Map<string, AcpSession>();
  const say = (text: string) => around.stderr.write(printable(`wave: ${text}\n`));

  const failed = (error: unknown) =>
    error instanceof acp.RequestError ? error : acp.RequestError.internalError(undefined, wordsOf(error));
  /** Mistakes and refusals reach the editor in words, and not as "internal error". */
  const answering = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw failed(error);
    }
  };
  const sessionOf = (id: string): AcpSession => {
    const session = sessions.get(id);
    if (!session) throw acp.RequestError.invalidParams(undefined, `there is no open session ${id}`);
    return session;
  };
  const open = async (
    asked: Pick<NewSessionRequest, "cwd" | "mcpServers">,
    editor: AgentContext,
    resume?: string,
  ) => {
    const options = await optionsFor(asked, resume === undefined ? flags : { ...flags, resume }, {
      around,
      say,
    });
    const session = await AcpSession.open(options, editor);
    sessions.set(session.id, session);
    return session;
  };

  const app = acp
    .agent({ name: "wave" })
    .onRequest("initialize", ({ params }) => ({
      protocolVersion: Math.min(params.protocolVersion, acp.PROTOCOL_VERSION),
      agentInfo: { name: "wave", title: "Wave", version: around.version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: { http: true },
        sessionCapabilities: { close: {} },
      },
      authMethods: [],
    }))
    .onRequest("authenticate", () => ({}))
    .onRequest("session/new", ({ params, client }) =>
      answering(async () => {
        const session = await open(params, client);
        return { sessionId: session.id, modes: session.modes };
      }),
    )
    .onRequest("session/load", ({ params, client }) =>
      answering(async () => {
        const session = await open(params, client, params.sessionId);
        await session.replay();
        return { modes: session.modes };
      }),
    )
    .onRequest("session/prompt", ({ params }) =>
      answering(async () => ({
        stopReason: await sessionOf(params.sessionId).prompt(promptOf(params.prompt)),
      })),
    )
    .onRequest("session/set_mode", ({ params }) =>
      answering(async () => {
        sessionOf(params.sessionId).setMode(params.modeId);
        return {};
      }),
    )
    .onRequest("session/close", ({ params }) =>
      answering(async () => {
        const session = sessionOf(params.sessionId);
        sessions.delete(params.sessionId);
        await session.close();
        return {};
      }),
    )
    .onNotification("session/cancel", ({ params }) => sessions.get(params.sessionId)?.cancel());

  const stream = acp.ndJsonStream(
    outputTo(around),
    Readable.toWeb(around.stdin) as ReadableStream<Uint8Array>,
  );
  const connection = app.connect(stream);
  using _listening = around.signals.listen(() => connection.close());
  await connection.closed;
  await Promise.all([...sessions.values()].map((session) => session.close()));
  return exitStatus({});
}

async function optionsFor(
  { cwd, mcpServers }: Pick<NewSessionRequest, "cwd" | "mcpServers">,
  flags: SessionFlags,
  { around, say }: { around: Surroundings; say: (text: string) => void },
): Promise<AgentOptions> {
  const { stdin, stdout, stderr, env, version, signals } = around;
  const there: Surroundings = { stdin, stdout, stderr, env, version, signals, cwd };
  const settings = readSettings(flags.settingsFile, there);
  const fatal = fatalProblems(settings);
  if (fatal.length > 0) throw new TurnFailed(fatal.map(describeProblem).join("\n"));
  const model = await useLocalModel(modelIn(settings, flags, env), say);
  if (!model.usable) throw new TurnFailed(model.problem);
  const servers = Object.fromEntries(mcpServers.map((server) => [server.name, serverOf(server)]));
  return {
    ...agentOptions(flags, model.choice, there),
    entrypoint: "sdk",
    ...(mcpServers.length > 0 ? { mcpServers: servers } : {}),
  };
}

type ServerConfig = NonNullable<AgentOptions["mcpServers"]>[string];

function serverOf(server: McpServer): ServerConfig {
  if (!("type" in server)) {
    const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
    return { command: server.command, args: server.args, env };
  }
  if (server.type === "sse")
    throw new TurnFailed(`the MCP server ${server.name} speaks only SSE, which Wave does not: use http`);
  const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
  return { type: "http", url: server.url, headers };
}

function outputTo({ stdout }: Surroundings): WritableStream<Uint8Array> {
  const decoder = new TextDecoder();
  return new WritableStream({ write: (chunk) => stdout.write(decoder.decode(chunk, { stream: true })) });
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

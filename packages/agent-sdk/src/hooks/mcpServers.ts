import { z } from "zod";
import { once } from "../utils/once.ts";

/*
 * MCP servers as people write them, in settings, in `.mcp.json` and for Agent.create. The checks, the JSON Schema for editors
 * and what a person approves come from here.
 */

const text = (what: string) =>
  z.string({ error: `must be ${what}` }).regex(/\S/, { error: `must be ${what}` });
const texts = (what: string) =>
  z.record(z.string(), z.string({ error: `must be ${what}` }), { error: `must be ${what}` });
const aTimeout = { error: "must be a number of seconds above 0 and at most 86400" };

const shared = () => ({
  timeout: z
    .number(aTimeout)
    .positive(aTimeout)
    .max(86_400, aTimeout)
    .optional()
    .describe("After how many seconds a call is given up. Default 600."),
  disabled: z.boolean({ error: "must be true or false" }).optional().describe("true: it is not started."),
});

export const mcpServerSchema = once(() =>
  z.discriminatedUnion(
    "type",
    [
      z.strictObject({
        type: z.literal("stdio", { error: 'must be "stdio" or "http"' }).optional(),
        command: text("the program to start").describe("The program to start."),
        args: z
          .array(z.string(), { error: 'must be a list of texts, such as ["--strict"]' })
          .optional()
          .describe("Its arguments."),
        env: texts('an object of names and texts, such as {"LEVEL": "strict"}')
          .optional()
          .describe(
            "Variables beside those that commands get. ${NAME} and ${NAME:-default} stand for yours.",
          ),
        ...shared(),
      }),
      z.strictObject({
        type: z.literal("http", { error: 'must be "stdio" or "http"' }),
        url: z
          .url({ protocol: /^https?$/, error: "must be an http:// or https:// address" })
          .describe("Its address."),
        headers: texts("an object of names and texts").optional().describe("Headers of every request."),
        ...shared(),
      }),
    ],
    {
      error:
        'must be an object such as {"command": "npx", "args": ["-y", "…"]} or {"type": "http", "url": "…"}',
    },
  ),
);

export type McpServerConfig = z.infer<ReturnType<typeof mcpServerSchema>>;

/**
 * A server that lives in the program: of `@modelcontextprotocol/server`, of the older SDK, or anything that answers on a transport.
 * Only Agent.create takes one.
 */
export interface InProcessServer {
  instance: { connect(transport: never): Promise<unknown> };
  timeout?: number | undefined;
}

export const isInProcess = (server: McpServerConfig | InProcessServer): server is InProcessServer =>
  "instance" in server;

export const inProcessSchema = once(() =>
  z.strictObject({
    instance: z.custom<InProcessServer["instance"]>(
      (value) => typeof value === "object" && value !== null && "connect" in value,
      { error: "must be a server with a method connect" },
    ),
    timeout: shared().timeout,
  }),
);

/** Rules and matchers read `mcp__server__tool`: a name with `__` could pass for another server's. */
export const isServerName = (name: string) =>
  /^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_)){0,39}$/.test(name) && !name.endsWith("_");
export const SERVER_NAME_RULE =
  "the name of a server has at most 40 letters, digits, - and single _, and begins with a letter or digit";

export const mcpServersSchema = once(() =>
  z.record(
    z.string().refine(isServerName, { error: `must be a name: ${SERVER_NAME_RULE}` }),
    mcpServerSchema(),
    { error: 'must be an object with a server by name, such as {"files": {"command": "…"}}' },
  ),
);

/** All that decides what is started or reached, on one line: a person approves exactly this. */
export function describeServer(server: McpServerConfig): string {
  const more = ({ timeout }: McpServerConfig) => (timeout === undefined ? "" : ` (timeout ${timeout} s)`);
  const pairs = (values: Record<string, string> = {}, between: string) =>
    Object.entries(values).map(([name, value]) => JSON.stringify(`${name}${between}${value}`));
  if ("url" in server) return [server.url, ...pairs(server.headers, ": ")].join(" ") + more(server);
  return (
    [...pairs(server.env, "="), ...[server.command, ...(server.args ?? [])].map(quotedWord)].join(" ") +
    more(server)
  );
}

const quotedWord = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word));

/** `${NAME}` and `${NAME:-default}` filled in. Throws for a variable that is not set. */
export function withVariables(value: string, env: Readonly<Record<string, string | undefined>>): string {
  return value.replaceAll(
    /\$\{(\w+)(?::-([^}]*))?\}/g,
    (_all, name: string, otherwise: string | undefined) => {
      const found = env[name] ?? otherwise;
      if (found === undefined) throw new Error(`the variable ${name}, which its settings name, is not set`);
      return found;
    },
  );
}

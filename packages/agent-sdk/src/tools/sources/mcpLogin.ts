import { withVariables } from "../../hooks/mcpServers.ts";
import { childEnvironment, type GivenKeys } from "../../utils/environment.ts";
import { onOneLine, shortened } from "../../utils/quoted.ts";
import { McpLogins } from "../../workspace/mcpLogins.ts";
import type { NamedServer } from "../../workspace/settings/mcpServers.ts";

interface LoginPlace {
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Of the settings: the keys that they name are kept from addresses, too. */
  providers: GivenKeys["providers"];
}

export type LoginEnd =
  | { did: "logged-in" | "needs-none" | "logged-out" | "was-not-logged-in" }
  | { did: "nothing"; problem: string };

/** Signs in to a server for a person. `show` gets the address that they open in a browser. Never rejects. */
export async function logInToMcpServer(
  server: NamedServer,
  { show, signal, ...place }: LoginPlace & { show: (address: string) => void; signal?: AbortSignal },
): Promise<LoginEnd> {
  return orProblem(async () => {
    const { logInTo } = await import("../mcp/login.ts");
    const did = await logInTo(addressOf(server, place), {
      logins: new McpLogins(place.home),
      show: ({ href }) => show(href),
      ...(signal && { signal }),
    });
    return { did };
  });
}

/** Forgets the tokens. The server is not told. */
export async function logOutOfMcpServer(server: NamedServer, place: LoginPlace): Promise<LoginEnd> {
  return orProblem(async () => {
    const had = new McpLogins(place.home).remove(addressOf(server, place));
    return { did: had ? "logged-out" : "was-not-logged-in" };
  });
}

function addressOf({ name, config }: NamedServer, { env, providers }: LoginPlace): string {
  if (!("url" in config)) throw new Error(`${name} is a program and no address: it has no login`);
  return withVariables(config.url, childEnvironment(env, { providers }).env);
}

async function orProblem(work: () => Promise<LoginEnd>): Promise<LoginEnd> {
  try {
    return await work();
  } catch (error) {
    const problem = shortened(onOneLine(error instanceof Error ? error.message : String(error)), 300);
    return { did: "nothing", problem };
  }
}

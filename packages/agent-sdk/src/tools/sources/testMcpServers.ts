import { childEnvironment, type GivenKeys } from "../../utils/environment.ts";
import type { NamedServer } from "../../workspace/settings/mcpServers.ts";
import { McpSource } from "./mcp.ts";
import { plainStatus, type SourceStatus } from "./toolSource.ts";

/** Somebody waits at the terminal for exactly this. */
const WAIT_MS = 30_000;

/** Starts each server as a session would, outside of a sandbox, and ends it again. Tells what became of it. */
export async function testMcpServers(
  servers: readonly NamedServer[],
  place: {
    projectDir: string;
    home: string;
    env: Readonly<Record<string, string | undefined>>;
    /** Of the settings: the keys that they name are kept from servers, too. */
    providers: GivenKeys["providers"];
  },
): Promise<SourceStatus[]> {
  const source = new McpSource(servers, place.home, WAIT_MS);
  const { env } = childEnvironment(place.env, { providers: place.providers });
  await source.open({ session: { projectDir: place.projectDir, env }, say: () => {} });
  const status = source.status().map((one) => {
    const { state, ...rest } = plainStatus(one);
    // Nobody waits for a second attempt.
    return { ...rest, state: state === "lost" ? ("failed" as const) : state };
  });
  await source.close();
  return status;
}

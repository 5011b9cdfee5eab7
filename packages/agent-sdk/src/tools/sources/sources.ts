import type { AgentOptions } from "../../agentOptions.ts";
import { ownToolsOf } from "../../options/checkOptions.ts";
import { isInProcess } from "../../hooks/mcpServers.ts";
import type { NamedServer } from "../../workspace/settings/mcpServers.ts";
import type { Configuration } from "../../workspace/configuration.ts";
import { builtInSource } from "./builtIn.ts";
import { McpSource, type AnyNamedServer } from "./mcp.ts";
import { ownToolSource } from "./ownTools.ts";
import { skillSource } from "./skills.ts";

/** Where the tools of a session come from, in the order in which the model sees them. */
export const toolSources = (options: AgentOptions, { settings, home, texts, agents }: Configuration) => [
  builtInSource(agents, { canAsk: options.onPermissionRequest !== undefined }),
  skillSource(texts),
  ownToolSource(ownToolsOf(options)),
  new McpSource(withInProcess(settings.mcpServers, options.mcpServers), home),
];

/** Those of the program itself take the place of others of their name. */
function withInProcess(
  named: readonly NamedServer[],
  given: AgentOptions["mcpServers"] = {},
): AnyNamedServer[] {
  const own = Object.entries(given).flatMap(([name, config]) =>
    isInProcess(config) ? [{ name, config }] : [],
  );
  const others = named.filter(({ name }) => !own.some((one) => one.name === name));
  return [...others, ...own].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

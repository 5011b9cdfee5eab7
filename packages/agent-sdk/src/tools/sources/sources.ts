import type { AgentOptions } from "../../agentOptions.ts";
import { ownToolsOf } from "../../options/checkOptions.ts";
import type { Configuration } from "../../workspace/configuration.ts";
import { builtInSource } from "./builtIn.ts";
import { McpSource } from "./mcp.ts";
import { ownToolSource } from "./ownTools.ts";
import { skillSource } from "./skills.ts";

/** Where the tools of a session come from, in the order in which the model sees them. */
export const toolSources = (options: AgentOptions, { settings, home, texts, agents }: Configuration) => [
  builtInSource(agents),
  skillSource(texts),
  ownToolSource(ownToolsOf(options)),
  new McpSource(settings.mcpServers, home),
];

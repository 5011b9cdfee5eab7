import type { SettingsScope } from "../../hooks/definition.ts";
import {
  isInProcess,
  isServerName,
  mcpServerSchema,
  SERVER_NAME_RULE,
  type InProcessServer,
  type McpServerConfig,
} from "../../hooks/mcpServers.ts";
import { projectServerFiles } from "../projectDir.ts";
import { pluginVariables, type Plugin } from "../plugins/plugin.ts";
import { quoted } from "../../utils/quoted.ts";
import { fieldOf, kindOf, plainValue, type SettingsObject } from "./node.ts";
import { whyWrong, type Report } from "./problem.ts";

/** A server, and the file that names it. */
export interface NamedServer {
  name: string;
  config: McpServerConfig;
}

/** Files that name servers and nothing else: the one that other agents read, Wave's own, and that of `--mcp-config`. */
export const mcpFilesOf = ({
  projectDir,
  mcpFile,
  plugins = [],
}: {
  projectDir: string;
  mcpFile?: string;
  plugins?: readonly Plugin[];
}): { scope: SettingsScope; file: string; plugin?: Plugin }[] => [
  ...plugins
    .filter(({ isChanged }) => !isChanged)
    .map((plugin) => ({ scope: "plugin" as const, file: plugin.serversFile, plugin })),
  ...projectServerFiles(projectDir).map((file) => ({ scope: "project" as const, file })),
  ...(mcpFile === undefined ? [] : [{ scope: "flag" as const, file: mcpFile }]),
];

/** Checked with the other options. What lives in the program is no part of the settings. */
export const serversOfOption = (given: Record<string, McpServerConfig | InProcessServer> = {}) => ({
  scope: "sdk" as const,
  mcpServers: Object.entries(given).flatMap(([name, config]): NamedServer[] =>
    isInProcess(config) || config.disabled ? [] : [{ name, config }],
  ),
});

/** The servers of one file. One that cannot be used is reported, and the others count. */
export function readMcpServers(root: SettingsObject, report: Report): NamedServer[] {
  const servers = fieldOf(root, "mcpServers");
  if (servers === undefined) return [];
  if (servers.type !== "object") {
    report("error", servers, `mcpServers must be an object with a server by name, not ${kindOf(servers)}`);
    return [];
  }
  return servers.entries.flatMap(({ key, node }): NamedServer[] => {
    if (!isServerName(key)) {
      report("error", node, `${quoted(key)} cannot be the name of a server: ${SERVER_NAME_RULE}`);
      return [];
    }
    const parsed = mcpServerSchema().safeParse(plainValue(node));
    if (!parsed.success) {
      report(
        "error",
        node,
        `${whyWrong(`the MCP server ${quoted(key)}`, parsed.error, node)}; it is not started`,
      );
      return [];
    }
    return parsed.data.disabled ? [] : [{ name: key, config: parsed.data }];
  });
}

/** Servers of a plugin are called after it, and find what they bring along in its folder. */
export function serversOfPlugin(plugin: Plugin, servers: readonly NamedServer[]): NamedServer[] {
  const variables = pluginVariables(plugin);
  const filled = (text: string) =>
    text.replaceAll(/\$\{(CLAUDE_PLUGIN_\w+)\}/g, (mention, name: string) => variables[name] ?? mention);
  return servers.map(({ name, config }) => ({
    name: `plugin_${plugin.name}_${name}`,
    config:
      "url" in config
        ? { ...config, url: filled(config.url) }
        : {
            ...config,
            command: filled(config.command),
            ...(config.args && { args: config.args.map(filled) }),
            env: {
              ...Object.fromEntries(
                Object.entries(config.env ?? {}).map(([key, value]) => [key, filled(value)]),
              ),
              ...variables,
            },
          },
  }));
}

/** What one file or option says. */
export interface ServerLayer {
  scope: SettingsScope;
  mcpServers: readonly NamedServer[];
}

/** For one name a nearer file wins, the option of a program over files, and the managed file over all. */
export function mergeServers(layers: readonly ServerLayer[]): NamedServer[] {
  const order = (scope: SettingsScope) => (scope === "managed" ? 2 : scope === "sdk" ? 1 : 0);
  const inOrder = layers.toSorted((a, b) => order(a.scope) - order(b.scope));
  const byName = new Map(
    inOrder.flatMap(({ mcpServers }) => mcpServers.map((server) => [server.name, server])),
  );
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

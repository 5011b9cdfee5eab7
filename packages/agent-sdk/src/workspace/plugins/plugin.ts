import { basename, join } from "node:path";
import { z } from "zod";
import { once } from "../../utils/once.ts";
import { NotPlainFile, readPlainFile } from "../files/plainFile.ts";
import { errorCode } from "../../utils/errorCode.ts";

/** A folder that brings hooks, MCP servers, commands, skills and sub-agents along, because a person added it. */
export interface Plugin {
  name: string;
  version?: string;
  description?: string;
  /** Where it lies. */
  root: string;
  /** Where its programs may keep something of their own. */
  data: string;
  /** Where its hooks are: a file of its own, or the manifest. */
  hooksFile: string;
  serversFile: string;
  /** Its files are not what a person said yes to: nothing of it runs, and what its hooks would judge is asked about. */
  isChanged?: true;
}

/** What its programs are told. Those of Claude Code's plugins look for these names. */
export const pluginVariables = ({ root, data }: Plugin): Record<string, string> => ({
  CLAUDE_PLUGIN_ROOT: root,
  CLAUDE_PLUGIN_DATA: data,
});

/** In front of the names of its commands, and in the names of its tools. */
export const isPluginName = (name: string) => /^[a-z0-9][a-z0-9-]{0,38}[a-z0-9]$/.test(name);
export const PLUGIN_NAME_RULE =
  "the name of a plugin has 2 to 40 small letters, digits and -, and neither begins nor ends with -";

const MANIFEST = ".claude-plugin/plugin.json";
const MOST_BYTES = 64 * 1024;

/** A path in the plugin, or what would stand in the file. */
const pathOr = (what: string) =>
  z.union([z.string(), z.record(z.string(), z.unknown())], {
    error: `must be the path of a file in the plugin, or ${what}`,
  });

const manifestSchema = once(() =>
  z.looseObject({
    name: z.string({ error: "must be a text" }).optional(),
    version: z.string({ error: "must be a text" }).optional(),
    description: z.string({ error: "must be a text" }).optional(),
    hooks: pathOr("hooks by event").optional(),
    mcpServers: pathOr("servers by name").optional(),
  }),
);

/** Folders that a manifest may name and Wave does not look for. */
const NOT_READ = ["commands", "agents", "skills", "lspServers", "outputStyles"];

export type ReadPlugin = { plugin: Plugin; notices: string[] } | { problem: string };

/** The plugin in a folder. Its manifest may be missing: then it is called like its folder. */
export function readPlugin(root: string, dataFolder: string): ReadPlugin {
  const manifest = readManifest(root);
  if ("problem" in manifest) return manifest;
  const { name = basename(root), version, description, hooks, mcpServers } = manifest.fields;
  if (!isPluginName(name))
    return { problem: `${JSON.stringify(name)} cannot be its name: ${PLUGIN_NAME_RULE}` };
  const fileOf = (given: unknown, usual: string) =>
    typeof given === "string" ? inside(root, given) : join(root, given === undefined ? usual : MANIFEST);
  const hooksFile = fileOf(hooks, "hooks/hooks.json");
  const serversFile = fileOf(mcpServers, ".mcp.json");
  if (hooksFile === undefined || serversFile === undefined)
    return { problem: `${MANIFEST} names a file that does not lie in the plugin` };
  const unread = NOT_READ.filter((key) => manifest.fields[key] !== undefined);
  const places = "commands/, skills/ and agents/ of the plugin are";
  return {
    plugin: {
      name,
      ...(version === undefined ? {} : { version }),
      ...(description === undefined ? {} : { description }),
      root,
      data: join(dataFolder, name),
      hooksFile,
      serversFile,
    },
    notices:
      unread.length === 0 ? [] : [`${MANIFEST}: ${unread.join(", ")} is not read there; ${places} looked at`],
  };
}

type Manifest = { fields: z.infer<ReturnType<typeof manifestSchema>> } | { problem: string };

function readManifest(root: string): Manifest {
  let text: string;
  try {
    text = readPlainFile(join(root, MANIFEST), MOST_BYTES).toString("utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { fields: {} };
    const why = error instanceof NotPlainFile ? error.message : errorCode(error);
    return { problem: `${MANIFEST} cannot be read (${why})` };
  }
  try {
    const read = manifestSchema().safeParse(JSON.parse(text));
    if (read.success) return { fields: read.data };
    const [issue] = read.error.issues;
    return { problem: `${MANIFEST}: ${issue?.path.join(".") ?? "it"} ${issue?.message ?? "is wrong"}` };
  } catch {
    return { problem: `${MANIFEST} is not JSON` };
  }
}

/** Undefined: it leads out of the plugin. */
function inside(root: string, path: string): string | undefined {
  const file = join(root, path);
  return file.startsWith(`${root}/`) ? file : undefined;
}

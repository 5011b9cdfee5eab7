import { join } from "node:path";
import { changeMcpServer, describeServer, type McpServerConfig } from "wave-agent-sdk";
import type { Invocation } from "../cli/args.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { projectDir, waveHome } from "../modes/places.ts";
import { printable } from "../utils/printable.ts";
import { wrongUsage } from "./wrongUsage.ts";

type McpInvocation = Extract<Invocation, { run: "mcp" }>;

/** `wave mcp add` and `wave mcp remove`: they change one file and start nothing. */
export async function changeServers(
  does: "add" | "remove",
  invocation: McpInvocation,
  around: Surroundings,
): Promise<number> {
  const [name] = invocation.words;
  if (name === undefined) return wrongUsage(around, `${USAGE[does]}`);
  const read = does === "add" ? serverIn(invocation) : onlyName(invocation);
  if ("problem" in read) return wrongUsage(around, `${read.problem} ${USAGE[does]}`);
  const file = invocation.inProject
    ? join(projectDir(around), ".mcp.json")
    : join(waveHome(around.env), "settings.json");
  const done = await changeMcpServer(file, name, read.config);
  if (done.changed === "not") {
    around.stderr.write(printable(`wave mcp ${does}: ${done.problem}\n`));
    return 1;
  }
  around.stdout.write(printable(`${told(done.changed, { name, file, ...read })}\n`));
  if (read.config && invocation.inProject)
    around.stdout.write("It starts after a yes, also here: wave hooks trust shows it.\n");
  return done.changed === "already" && !read.config ? 1 : 0;
}

const USAGE = {
  add: "Write wave mcp add notes -- node server.mjs, or wave mcp add tickets https://example.com/mcp.",
  remove: "Write wave mcp remove notes.",
};

interface Read {
  config: McpServerConfig | undefined;
}

function told(
  changed: "written" | "already",
  { name, file, config }: Read & { name: string; file: string },
): string {
  if (!config)
    return changed === "already" ? `${file} names no server ${name}.` : `${name} is out of ${file}.`;
  const said = `${name}: ${describeServer(config)}`;
  return changed === "already"
    ? `${said}\n${file} had it already.`
    : `${said}\nIt is in ${file}; wave mcp test tries it.`;
}

const onlyName = ({ words: [, more], literalWords: [literal] }: McpInvocation): Read | { problem: string } =>
  more === undefined && literal === undefined
    ? { config: undefined }
    : { problem: `${JSON.stringify(more ?? literal)} follows the name.` };

/** An address with headers ("Name: value"), or a command line behind `--` with variables (NAME=value). */
function serverIn({ words: [, ...words], literalWords }: McpInvocation): Read | { problem: string } {
  const [first = "", ...others] = words;
  if (/^https?:\/\//.test(first)) {
    if (literalWords.length > 0) return { problem: "There is both an address and a command." };
    const headers = pairsOf(others, /^([\w-]+):\s*(.*)$/s);
    if (!headers) return { problem: `A header is written "Name: value".` };
    return { config: { type: "http", url: first, ...(others.length > 0 && { headers }) } };
  }
  const [command, ...args] = literalWords;
  if (command === undefined) return { problem: "There is neither a command behind -- nor an address." };
  const env = pairsOf(words, /^([A-Za-z_]\w*)=(.*)$/s);
  if (!env) return { problem: `A variable is written NAME=value.` };
  return { config: { command, ...(args.length > 0 && { args }), ...(words.length > 0 && { env }) } };
}

function pairsOf(words: readonly string[], form: RegExp): Record<string, string> | undefined {
  const pairs = words.map((word) => form.exec(word));
  return pairs.every((pair) => pair !== null)
    ? Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, value]))
    : undefined;
}

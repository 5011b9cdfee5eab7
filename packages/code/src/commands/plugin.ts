import {
  describeServer,
  keepPlugin,
  keptPlugins,
  nearestName,
  removePlugin,
  withPlugin,
  type LookedAt,
} from "wave-agent-sdk";
import type { Invocation } from "../cli/args.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { waveHome } from "../modes/places.ts";
import { plural } from "../panels/hookWords.ts";
import { printable, printableJson } from "../utils/printable.ts";
import { shellWord } from "../utils/shellWord.ts";
import { failed, wrongUsage } from "./wrongUsage.ts";

type PluginInvocation = Extract<Invocation, { run: "plugin" }>;

const SUBCOMMANDS = ["list", "add", "remove"] as const;
/** So many digits of the hash name a plugin beyond doubt. */
const LEAST_DIGITS = 8;

/** `wave plugin`: folders that bring hooks, servers, commands, skills and sub-agents along. None of it runs here. */
export async function runPlugin(invocation: PluginInvocation, around: Surroundings): Promise<number> {
  const [name = "list", ...rest] = invocation.words;
  if (name === "list") return list(invocation, around);
  if (name === "add") return add(rest, around);
  if (name === "remove") return remove(rest, around);
  const near = nearestName(name, SUBCOMMANDS);
  const there = near ? `Did you mean wave plugin ${near}?` : `There are: ${SUBCOMMANDS.join(", ")}.`;
  return wrongUsage(around, `There is no wave plugin ${name}. ${there}`);
}

function list({ json }: PluginInvocation, around: Surroundings): number {
  const all = keptPlugins(waveHome(around.env));
  if (json) {
    around.stdout.write(`${printableJson({ plugins: all })}\n`);
    return 0;
  }
  const lines = all.map(({ name, from, plugin, problem }) => {
    const about = [plugin?.version, plugin?.description].filter((one) => one !== undefined).join(", ");
    return `${name}${about === "" ? "" : ` (${about})`} from ${from}${problem === undefined ? "" : `: off, because ${problem}`}`;
  });
  const none = "There are no plugins. wave plugin add <folder or git address> shows one and adds it.";
  around.stdout.write(printable(`${lines.length === 0 ? none : lines.join("\n")}\n`));
  return all.some(({ problem }) => problem !== undefined) ? 1 : 0;
}

/** Shows it; with its hash, adds exactly that. */
async function add([from, hash, more]: string[], around: Surroundings): Promise<number> {
  if (from === undefined) return wrongUsage(around, ADD_USAGE);
  if (more !== undefined)
    return wrongUsage(around, `${JSON.stringify(more)} is one word too many. ${ADD_USAGE}`);
  const home = waveHome(around.env);
  return withPlugin(from, { home, cwd: around.cwd, env: around.env }, (looked) => {
    if ("problem" in looked)
      return failed(around, `${from} is no plugin that can be added: ${looked.problem}.`);
    const { plugin, sha256 } = looked;
    const say = (text: string) => around.stdout.write(printable(`${text}\n`));
    if (hash === undefined) {
      say(
        [
          ...linesOf(looked),
          "",
          `Add exactly this: wave plugin add ${shellWord(from)} ${sha256.slice(0, 12)}`,
        ].join("\n"),
      );
      return 0;
    }
    if (hash.length < LEAST_DIGITS || !sha256.startsWith(hash))
      return failed(
        around,
        `${hash} is not what lies there now: look again with wave plugin add ${shellWord(from)}.`,
      );
    try {
      keepPlugin(home, { root: plugin.root, name: plugin.name, sha256, from: looked.from });
    } catch (error) {
      return failed(
        around,
        `${plugin.name} was not added: ${error instanceof Error ? error.message : String(error)}.`,
      );
    }
    say(
      `${plugin.name} is added, with ${bringsOf(looked)}. It counts from the next session on, in every project.`,
    );
    return 0;
  });
}

const ADD_USAGE = "Write wave plugin add ./folder, or wave plugin add https://example.com/plugin.git.";

function remove([name, more]: string[], around: Surroundings): number {
  if (name === undefined || more !== undefined) return wrongUsage(around, "Write wave plugin remove <name>.");
  if (!removePlugin(waveHome(around.env), name))
    return failed(around, `There is no plugin ${name}. wave plugin list shows what there is.`);
  around.stdout.write(printable(`${name} is removed, with all that it brought.\n`));
  return 0;
}

/** For "with …". */
function bringsOf({ hooks, servers, texts }: LookedAt): string {
  const of = (kind: string) => texts.filter((text) => text.kind === kind).length;
  const parts: [number, string][] = [
    [hooks.length, "hook"],
    [servers.length, "MCP server"],
    [of("command"), "command"],
    [of("skill"), "skill"],
    [of("agent"), "sub-agent"],
  ];
  const there = parts.filter(([count]) => count > 0).map(([count, word]) => plural(count, word));
  return there.length === 0 ? "nothing that Wave uses" : there.join(", ");
}

function linesOf(looked: LookedAt): string[] {
  const { plugin, hooks, servers, texts, programs, problems } = looked;
  const about = [plugin.version, plugin.description].filter((one) => one !== undefined).join(", ");
  const ofKind = (kind: string) => texts.filter((text) => text.kind === kind).map(({ name }) => name);
  const rows: [string, readonly string[]][] = [
    ["hooks", hooks.map(({ event, matcher, action }) => `${event} ${matcher ?? "*"}: ${action.shown}`)],
    ["MCP servers", servers.map(({ name, config }) => `${name}: ${describeServer(config)}`)],
    ["commands", ofKind("command").map((name) => `/${plugin.name}:${name.replaceAll("/", ":")}`)],
    ["skills", ofKind("skill")],
    ["sub-agents", ofKind("agent")],
    ["files that can be run", programs],
    ["not used, or wrong", problems],
  ];
  return [
    `${plugin.name}${about === "" ? "" : ` (${about})`} would bring ${bringsOf(looked)}:`,
    ...rows.flatMap(([title, lines]) =>
      lines.length === 0 ? [] : [`  ${title}`, ...lines.map((line) => `    ${line}`)],
    ),
  ];
}

import {
  approvedSettings,
  describeServer,
  nearestName,
  readProjectTrust,
  testMcpServers,
  type Settings,
} from "wave-agent-sdk";
import type { Invocation } from "../cli/args.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { projectDir, waveHome } from "../modes/places.ts";
import { readSettings } from "../modes/readSettings.ts";
import { serverLines } from "../panels/mcpServers.ts";
import { printable, printableJson } from "../utils/printable.ts";
import { wrongUsage } from "./wrongUsage.ts";

type McpInvocation = Extract<Invocation, { run: "mcp" }>;

const SUBCOMMANDS = ["list", "test", "add", "remove"] as const;

/** `wave mcp list` starts nothing; `wave mcp test` starts what a session would start. */
export async function runMcp(invocation: McpInvocation, around: Surroundings): Promise<number> {
  const [name = "list", ...rest] = invocation.words;
  if (name === "add" || name === "remove") {
    const { changeServers } = await import("./mcpChange.ts");
    return changeServers(name, { ...invocation, words: rest }, around);
  }
  if (invocation.inProject) return wrongUsage(around, `--project is for wave mcp add and remove.`);
  if (rest.length > 0)
    return wrongUsage(around, `wave mcp ${name} takes no arguments, but ${JSON.stringify(rest[0])} follows.`);
  if (name === "list") return list(invocation, around);
  if (name === "test") return test(invocation, around);
  const near = nearestName(name, SUBCOMMANDS);
  const there = near ? `Did you mean wave mcp ${near}?` : `There are: ${SUBCOMMANDS.join(", ")}.`;
  return wrongUsage(around, `There is no wave mcp ${name}. ${there}`);
}

function serversHere({ settingsFile }: McpInvocation, around: Surroundings) {
  const all = readSettings(settingsFile, around);
  const trust = readProjectTrust({
    home: waveHome(around.env),
    projectDir: projectDir(around),
    hooks: all.hooks,
    rules: all.permissions.rules,
    ofProject: all.ofProject,
  });
  const { mcpServers, providers } = readSettings(settingsFile, around, approvedSettings(trust));
  return { counting: mcpServers, waiting: waitingIn(all, mcpServers), providers };
}

/** Those of the project that nobody approved in this form. */
const waitingIn = (all: Settings, counting: Settings["mcpServers"]) =>
  all.mcpServers.filter((server) => !counting.some((one) => JSON.stringify(one) === JSON.stringify(server)));

function list(invocation: McpInvocation, around: Surroundings): number {
  const { counting, waiting } = serversHere(invocation, around);
  if (invocation.json) {
    around.stdout.write(`${printableJson({ servers: counting, waiting })}\n`);
    return 0;
  }
  const lines = [
    ...counting.map(({ name, config }) => `${name}: ${describeServer(config)}`),
    ...waiting.map(
      ({ name, config }) => `${name}: ${describeServer(config)} (not approved yet: wave hooks trust)`,
    ),
  ];
  around.stdout.write(printable(`${(lines.length > 0 ? lines : serverLines([])).join("\n")}\n`));
  return 0;
}

/** Exit status 1 when a server cannot be used. */
async function test(invocation: McpInvocation, around: Surroundings): Promise<number> {
  const { counting, waiting, providers } = serversHere(invocation, around);
  const place = { projectDir: projectDir(around), home: waveHome(around.env), env: around.env, providers };
  const tested = await testMcpServers(counting, place);
  if (invocation.json) around.stdout.write(`${printableJson({ servers: tested })}\n`);
  else {
    const more = waiting.map(({ name }) => `${name}: not started: not approved yet (wave hooks trust)`);
    around.stdout.write(printable(`${[...serverLines(tested), ...more].join("\n")}\n`));
  }
  return tested.every(({ state }) => state === "ready") ? 0 : 1;
}

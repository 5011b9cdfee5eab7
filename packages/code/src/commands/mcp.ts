import {
  approvedSettings,
  describeServer,
  logInToMcpServer,
  logOutOfMcpServer,
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

const SUBCOMMANDS = ["list", "test", "add", "remove", "login", "logout"] as const;

/** `wave mcp list` starts nothing; `wave mcp test` starts what a session would start. */
export async function runMcp(invocation: McpInvocation, around: Surroundings): Promise<number> {
  const [name = "list", ...rest] = invocation.words;
  if (name === "add" || name === "remove") {
    const { changeServers } = await import("./mcpChange.ts");
    return changeServers(name, { ...invocation, words: rest }, around);
  }
  if (invocation.inProject) return wrongUsage(around, `--project is for wave mcp add and remove.`);
  if (name === "login" || name === "logout") return login(name, rest, invocation, around);
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

/** Exit status 1 when nothing came of it. */
async function login(
  does: "login" | "logout",
  [name, more]: readonly string[],
  invocation: McpInvocation,
  around: Surroundings,
): Promise<number> {
  if (name === undefined || more !== undefined)
    return wrongUsage(around, `Write wave mcp ${does} tickets, with the name of one server.`);
  const { counting, waiting, providers } = serversHere(invocation, around);
  const failed = (problem: string) => {
    around.stderr.write(printable(`wave mcp ${does}: ${problem}\n`));
    return 1;
  };
  const server = counting.find((one) => one.name === name);
  if (!server) {
    const why = waiting.some((one) => one.name === name)
      ? "is not approved yet: wave hooks trust"
      : "is no server here: wave mcp list";
    return failed(`${name} ${why}`);
  }
  const place = { home: waveHome(around.env), env: around.env, providers };
  const show = (address: string) =>
    around.stdout.write(printable(`Open this address in your browser:\n${address}\n`));
  const end = await (does === "login"
    ? logInToMcpServer(server, { ...place, show })
    : logOutOfMcpServer(server, place));
  if (end.did === "nothing") return failed(end.problem);
  around.stdout.write(printable(`${name}: ${LOGIN_WORDS[end.did]}\n`));
  return 0;
}

const LOGIN_WORDS = {
  "logged-in": "logged in; wave mcp test tries it",
  "needs-none": "it needs no login",
  "logged-out": "logged out: its tokens are gone from this machine",
  "was-not-logged-in": "there was no login",
} as const;

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

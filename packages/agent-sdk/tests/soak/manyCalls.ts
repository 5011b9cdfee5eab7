// Makes very many tool calls in one session and prints what they cost and what they leave in this process. Needs --expose-gc.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Agent } from "../../src/agent.ts";

const [workdir = "", waveHome = "", baseUrl = ""] = process.argv.slice(2);

let asked = 0;
/** How much work this process had done when each call was answered, in milliseconds: no busy machine changes that. */
const answered: number[] = [];
const workDone = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const agent = await Agent.create({
  workdir,
  waveHome,
  baseUrl,
  apiKey: "key",
  model: "scripted",
  trust: "given",
  env: { PATH: process.env["PATH"] },
  permissionMode: "bypassPermissions",
  hooks: { PreToolUse: [{ hooks: [{ type: "function", name: "counts", run: () => void asked++ }] }] },
  onEvent: (event) => {
    if (event.type === "tool_ended") answered.push(workDone());
  },
});

function children(): string[] {
  const threads = readdirSync("/proc/self/task");
  return threads.flatMap((thread) => {
    const file = `/proc/self/task/${thread}/children`;
    return existsSync(file) ? readFileSync(file, "utf8").split(" ").filter(Boolean) : [];
  });
}

async function held() {
  // Closing a descriptor takes the event loop a few turns.
  for (let turn = 0; turn < 100; turn++) await nextTurn();
  for (let round = 0; round < 3; round++)
    globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
  const { heapUsed, external, rss } = process.memoryUsage();
  return {
    descriptors: readdirSync("/proc/self/fd").length,
    children: children().length,
    megabytes: (heapUsed + external) / 1e6,
    rss: rss / 1e6,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    timers: process.getActiveResourcesInfo().filter((name) => name === "Timeout").length,
  };
}

// Code that runs for the first time, caches of the system, the connection to the model: not what grows.
await agent.sendMessage("WARM UP");
const before = await held();
const [first, askedBefore] = [answered.length, asked];
const started = performance.now();
const { because } = await agent.sendMessage("ALL OF THEM");
const seconds = (performance.now() - started) / 1000;
const after = await held();
const calls = answered.length - first;

/** Milliseconds of work per call, from one of them to another. */
const pace = (from: number, to: number) => ((answered[to] ?? 0) - (answered[from] ?? 0)) / (to - from);
const window = Math.min(1_000, Math.floor(calls / 2));
console.log(
  JSON.stringify({
    because,
    calls,
    asked: asked - askedBefore,
    before,
    after,
    seconds,
    firstMs: pace(first, first + window),
    lastMs: pace(answered.length - 1 - window, answered.length - 1),
    file: agent.sessionFile,
  }),
);
await agent.destroy();

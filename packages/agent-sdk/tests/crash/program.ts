// A few sessions beside each other, each one prompt with hooks and parallel tools, in a process that somebody will kill. Prints a
// line for everything a session tells its user, after it is told: what is printed here must survive.
import { writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "../../src/agent.ts";

const [baseUrl = "", ...sessions] = process.argv.slice(2);

const say = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`);

async function open(folder: string): Promise<Agent> {
  const tell = (told: string, rest: object): void => say({ folder, told, ...rest });
  const agent = await Agent.create({
    workdir: join(folder, "project"),
    trust: "given",
    waveHome: join(folder, "home"),
    baseUrl,
    apiKey: "key",
    model: "scripted",
    permissionMode: "bypassPermissions",
    onEvent: (event) => {
      if (event.type === "model_started") tell("messages", { count: agent.messages.length });
      if (event.type === "tool_started") tell("started", { id: event.toolUseId });
      if (event.type === "tool_ended") tell("result", { id: event.toolUseId, result: event.result });
      if (event.type === "turn_ended") tell("end", { answer: event.end.answer });
    },
  });
  tell("ready", { id: agent.sessionId, file: agent.sessionFile });
  return agent;
}

/** "1200@/a/folder": begins so many milliseconds after all are ready. */
const begun = await Promise.all(
  sessions.map(async (session) => {
    const at = session.indexOf("@");
    return { agent: await open(session.slice(at + 1)), afterMs: Number(session.slice(0, at)) };
  }),
);
say({ told: "all-ready" });
await Promise.all(
  begun.map(async ({ agent, afterMs }) => {
    await sleep(afterMs);
    await agent.sendMessage("PROMPT");
    await agent.destroy();
  }),
);

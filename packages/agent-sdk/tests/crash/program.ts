// One prompt with hooks and parallel tools, in a process of its own that somebody will kill. Prints a line for
// everything it tells its user, after it is told: what is printed here must survive.
import { writeSync } from "node:fs";
import { Agent } from "../../src/agent.ts";

const [workdir = "", waveHome = "", baseUrl = ""] = process.argv.slice(2);

const say = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`);

const agent = await Agent.create({
  workdir,
  trust: "given",
  waveHome,
  baseUrl,
  apiKey: "key",
  model: "scripted",
  permissionMode: "bypassPermissions",
  onEvent: (event) => {
    if (event.type === "model_started") say({ told: "messages", count: agent.messages.length });
    if (event.type === "tool_started") say({ told: "started", id: event.toolUseId });
    if (event.type === "tool_ended") say({ told: "result", id: event.toolUseId, result: event.result });
    if (event.type === "turn_ended") say({ told: "end", answer: event.end.answer });
  },
});
say({ told: "ready", id: agent.sessionId, file: agent.sessionFile });
await agent.sendMessage("PROMPT");
await agent.destroy();

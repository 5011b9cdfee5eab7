// Everything that happens is one stream of events: text as it arrives, tools as they run, the end of the turn.
import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type AgentEvent } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";

using folder = mkdtempDisposableSync(join(tmpdir(), "wave-example-"));
await using model = await startScriptedModel([
  { say: "I look around.", call: { name: "Bash", arguments: { command: "echo one; echo two" } } },
  { say: "The command printed two lines." },
]);

const seen: AgentEvent["type"][] = [];
let text = "";

function onEvent(event: AgentEvent): void {
  seen.push(event.type);
  if (event.type === "text_delta") text += event.text;
  if (event.type === "tool_started")
    console.log(`tool started: ${event.name} ${JSON.stringify(event.input)}`);
  if (event.type === "tool_output") console.log(`  output: ${event.text.trimEnd().replaceAll("\n", " | ")}`);
  if (event.type === "tool_ended") console.log(`tool ended: ${event.success ? "well" : "badly"}`);
  if (event.type === "turn_ended") console.log(`turn ended: ${event.end.because}`);
}

const agent = await Agent.create({
  baseUrl: model.baseUrl,
  workdir: folder.path,
  waveHome: join(folder.path, "wave-home"),
  permissions: { allow: ["Bash(echo:*)"] },
  onEvent,
});
await agent.sendMessage("What do you see?");
await agent.destroy();

assert.equal(text, "I look around.The command printed two lines.");
const milestones = seen.filter((type) => /^(turn|tool)_(started|output|ended)$/.test(type));
assert.deepEqual(
  [...new Set(milestones)],
  ["turn_started", "tool_started", "tool_output", "tool_ended", "turn_ended"],
);

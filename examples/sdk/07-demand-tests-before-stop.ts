// A Stop hook decides whether the agent may finish. This one wants to have seen the tests pass.
import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type AgentEvent, type HookOutput } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";

using folder = mkdtempDisposableSync(join(tmpdir(), "wave-example-"));
await using model = await startScriptedModel([
  { say: "I am finished." },
  { say: "Right, the tests.", call: { name: "Bash", arguments: { command: "echo all tests pass" } } },
  { say: "Finished, and the tests pass." },
]);

let testsPassed = false;

function watchTests(event: AgentEvent): void {
  if (event.type === "tool_ended" && event.result.includes("all tests pass")) testsPassed = true;
  if (event.type === "hooks_decided" && event.record.event === "Stop")
    console.log(`Stop: ${event.record.decision}${event.record.reason ? ` (${event.record.reason})` : ""}`);
}

function wantTests(): HookOutput<"Stop"> | undefined {
  return testsPassed ? undefined : { decision: "block", reason: "Run the tests before you finish." };
}

const agent = await Agent.create({
  baseUrl: model.baseUrl,
  workdir: folder.path,
  waveHome: join(folder.path, "wave-home"),
  permissions: { allow: ["Bash(echo:*)"] },
  onEvent: watchTests,
  hooks: { Stop: [{ hooks: [{ type: "function", name: "tests first", run: wantTests }] }] },
});
const end = await agent.sendMessage("Fix the bug.");
await agent.destroy();

console.log(`the turn ended with: ${end.answer}`);

assert.equal(end.because, "done");
assert.equal(end.answer, "Finished, and the tests pass.");
assert.equal(end.modelCalls, 3);
assert.match(model.requests[1]?.text ?? "", /Run the tests before you finish\./);

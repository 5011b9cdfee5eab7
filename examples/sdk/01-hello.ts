// The shortest program: one agent, one prompt, one answer.
//
// The model is a script, so that this runs without a key and without a network. For a real one leave `baseUrl` out and
// set WAVE_API_KEY (and WAVE_BASE_URL for a server of your own).
import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";

using folder = mkdtempDisposableSync(join(tmpdir(), "wave-example-"));
await using model = await startScriptedModel([{ say: "Hello! I am ready to work." }]);

const agent = await Agent.create({
  baseUrl: model.baseUrl,
  workdir: folder.path,
  waveHome: join(folder.path, "wave-home"),
});
const end = await agent.sendMessage("Say hello.");
await agent.destroy();

console.log(`the model said: ${end.answer}`);
console.log(`the turn ended: ${end.because}, after ${end.modelCalls} call of the model`);

assert.equal(end.because, "done");
assert.equal(end.answer, "Hello! I am ready to work.");
assert.deepEqual(
  agent.messages.map((message) => message.role),
  ["user", "assistant"],
);

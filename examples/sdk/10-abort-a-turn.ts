// abort() ends the turn at any moment. What was said is kept, what ran is answered, and the next prompt works.
import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";

using folder = mkdtempDisposableSync(join(tmpdir(), "wave-example-"));
await using model = await startScriptedModel([
  { say: "This takes a while.", call: { name: "Bash", arguments: { command: "echo begun; sleep 600" } } },
  { say: "Something quicker, then." },
]);

const agent = await Agent.create({
  baseUrl: model.baseUrl,
  workdir: folder.path,
  waveHome: join(folder.path, "wave-home"),
  permissionMode: "bypassPermissions",
  onEvent: (event) => {
    // The command has printed something, so it runs: now it is enough.
    if (event.type === "tool_output") agent.abort();
  },
});

const interrupted = await agent.sendMessage("Do the long thing.");
console.log(`first turn:  ${interrupted.because}`);
const next = await agent.sendMessage("Do the short thing.");
console.log(`second turn: ${next.because}, "${next.answer}"`);
await agent.destroy();

assert.equal(interrupted.because, "aborted");
assert.equal(next.because, "done");
const call = agent.messages.flatMap((message) => message.blocks).find((block) => block.type === "tool");
console.log(`the call was answered: ${call?.result?.replaceAll("\n", " ")}`);
assert.equal(call?.stage, "ended");
assert.equal(call?.success, false);

// Your program answers what a person would be asked. Without `onPermissionRequest` every ask is a no.
import assert from "node:assert/strict";
import { existsSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type PendingPermission, type PermissionAnswer } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";

using folder = mkdtempDisposableSync(join(tmpdir(), "wave-example-"));
await using model = await startScriptedModel([
  { call: { name: "Write", arguments: { file_path: "notes.md", content: "# Notes\n" } } },
  { call: { name: "Bash", arguments: { command: "touch deployed" } } },
  { say: "I wrote the notes and deployed nothing." },
]);

function answer(request: PendingPermission): PermissionAnswer {
  console.log(`asked: ${request.toolName} ${JSON.stringify(request.input)} (${request.reason})`);
  if (request.toolName === "Write") return { decision: "allow" };
  // A no ends the turn; words with it go in as the next message.
  return { decision: "deny", reason: "Do not deploy, only tell me what you wrote." };
}

const agent = await Agent.create({
  baseUrl: model.baseUrl,
  workdir: folder.path,
  waveHome: join(folder.path, "wave-home"),
  onPermissionRequest: answer,
});
const end = await agent.sendMessage("Write notes and deploy.");
await agent.destroy();

console.log(`the model said: ${end.answer}`);

assert.ok(existsSync(join(folder.path, "notes.md")), "what was allowed ran");
assert.ok(!existsSync(join(folder.path, "deployed")), "what was refused did not");
assert.equal(end.denials[0]?.by, "person");
assert.equal(model.requests[2]?.body.messages.at(-1)?.content, "Do not deploy, only tell me what you wrote.");

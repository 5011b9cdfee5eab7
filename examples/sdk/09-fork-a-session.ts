// A fork goes on in a copy: two ways from one beginning, and the first session stays as it was.
import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, loadSession, type Message } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";

using folder = mkdtempDisposableSync(join(tmpdir(), "wave-example-"));
await using model = await startScriptedModel([
  { say: "I would use a map or a list." },
  { say: "With a map, then." },
  { say: "With a list, then." },
]);
const options = {
  baseUrl: model.baseUrl,
  workdir: folder.path,
  waveHome: join(folder.path, "wave-home"),
};

const plan = await Agent.create(options);
await plan.sendMessage("How would you store it?");
await plan.destroy();

async function tryOut(prompt: string): Promise<Agent> {
  const fork = await Agent.create({ ...options, resume: plan.sessionId, fork: true });
  await fork.sendMessage(prompt);
  await fork.destroy();
  console.log(`${prompt} -> ${textsOf(fork.messages).at(-1)}`);
  return fork;
}
const map = await tryOut("Try a map.");
const list = await tryOut("Try a list.");

function textsOf(messages: readonly Message[]): string[] {
  return messages.flatMap((message) =>
    message.blocks.flatMap((block) => (block.type === "text" ? [block.content] : [])),
  );
}

const beginning = ["How would you store it?", "I would use a map or a list."];
const original = await loadSession(plan.sessionFile);
assert.ok(original, "the first session is still there");
console.log(`the first session still has ${original.messages.length} messages`);

assert.equal(new Set([plan.sessionId, map.sessionId, list.sessionId]).size, 3);
assert.deepEqual(textsOf(original.messages), beginning);
assert.deepEqual(textsOf(map.messages), [...beginning, "Try a map.", "With a map, then."]);
assert.deepEqual(textsOf(list.messages), [...beginning, "Try a list.", "With a list, then."]);

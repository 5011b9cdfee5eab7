// A session is a file. A later program goes on where an earlier one ended.
import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, listSessions, sessionsDirFor } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";

using folder = mkdtempDisposableSync(join(tmpdir(), "wave-example-"));
await using model = await startScriptedModel([
  { say: "I will remember the number 42." },
  { say: "You told me 42." },
]);
const options = {
  baseUrl: model.baseUrl,
  workdir: folder.path,
  waveHome: join(folder.path, "wave-home"),
};

const first = await Agent.create(options);
await first.sendMessage("Remember the number 42.");
// Closes the file. One session has one writer at a time.
await first.destroy();

// An id, or "latest" for the newest session of this folder.
const second = await Agent.create({ ...options, resume: "latest" });
const end = await second.sendMessage("Which number was it?");
await second.destroy();

const sessions = await listSessions(sessionsDirFor(options.waveHome, options.workdir));
console.log(`session ${second.sessionId}, ${sessions.length} in this folder`);
for (const message of second.messages)
  for (const block of message.blocks)
    if (block.type === "text") console.log(`  ${message.role}: ${block.content}`);

assert.equal(second.sessionId, first.sessionId);
assert.equal(end.answer, "You told me 42.");
const sent = model.requests[1]?.body.messages.filter((message) => message.role !== "system");
assert.deepEqual(
  sent?.map((message) => message.content),
  ["Remember the number 42.", "I will remember the number 42.", "Which number was it?"],
);

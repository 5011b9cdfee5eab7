// Each decision leaves a record: who was asked, what each said, who decided and why. It is an event, and it is in the
// session file, where `wave hooks explain` reads it.
import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, loadSession, type DecisionRecord } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";

using folder = mkdtempDisposableSync(join(tmpdir(), "wave-example-"));
await using model = await startScriptedModel([
  { call: { name: "Bash", arguments: { command: "git push" } } },
  { say: "It has to wait until Monday." },
]);

const records: DecisionRecord[] = [];
const agent = await Agent.create({
  baseUrl: model.baseUrl,
  workdir: folder.path,
  waveHome: join(folder.path, "wave-home"),
  permissionMode: "bypassPermissions",
  hooks: {
    PreToolUse: [
      {
        matcher: "Bash",
        hooks: [
          { type: "command", name: "look only", command: "cat > /dev/null" },
          { type: "command", name: "no Fridays", command: "echo 'No pushes on a Friday.' >&2; exit 2" },
        ],
      },
      { matcher: "Edit", hooks: [{ type: "command", name: "edits only", command: "true" }] },
    ],
  },
  onEvent: (event) => void (event.type === "hooks_decided" && records.push(event.record)),
});
await agent.sendMessage("Push it.");
await agent.destroy();

const record = records.find((one) => one.toolName === "Bash");
assert.ok(record);
console.log(`${record.toolName}: ${record.decision} by ${record.decidedBy}: ${record.reason}`);
for (const hook of record.hooks) console.log(`  ${hook.name}: ${hook.ended}, said ${hook.verdict}`);
for (const hook of record.skipped) console.log(`  ${hook.name}: not run, ${hook.why}`);

assert.deepEqual([record.decision, record.decidedBy], ["deny", "hook no Fridays"]);
assert.deepEqual(
  record.hooks.map((hook) => `${hook.name}: ${hook.verdict}`),
  ["look only: none", "no Fridays: deny"],
);
assert.equal(record.skipped[0]?.name, "edits only");
const stored = await loadSession(agent.sessionFile, { decisions: true });
const {
  ts: _,
  afterMessage: _place,
  ...decision
} = stored?.decisions?.find((one) => one.toolName === "Bash") ?? {};
assert.deepEqual(decision, record);

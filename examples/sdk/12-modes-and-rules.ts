// Where no hook has spoken, rules and then the mode decide. The same four calls, in four modes.
import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type PermissionMode } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";

using folder = mkdtempDisposableSync(join(tmpdir(), "wave-example-"));
const calls = [
  { name: "Bash", arguments: { command: "echo free" } },
  { name: "Write", arguments: { file_path: "a.txt", content: "a" } },
  { name: "Bash", arguments: { command: "node -e 0" } },
  { name: "Bash", arguments: { command: "git push" } },
];

const names = ["echo", "Write", "node", "git push"];

/** The calls that ran. Nobody can be asked here, so a call that would ask is refused. */
async function play(permissionMode: PermissionMode): Promise<string> {
  await using model = await startScriptedModel([{ calls }, { say: "That is all." }]);
  using project = mkdtempDisposableSync(join(folder.path, "project-"));
  const agent = await Agent.create({
    baseUrl: model.baseUrl,
    workdir: project.path,
    waveHome: join(folder.path, "wave-home"),
    permissions: { allow: ["Bash(echo:*)"], deny: ["Bash(git push:*)"] },
    permissionMode,
  });
  const end = await agent.sendMessage("Try everything.");
  await agent.destroy();
  console.log(`${permissionMode}: refused by ${end.denials.map((denial) => denial.by).join(", ")}`);
  const blocks = agent.messages.flatMap((message) => message.blocks).filter((block) => block.type === "tool");
  return names.filter((_, index) => blocks[index]?.success).join(", ");
}

for (const [mode, ran] of [
  ["default", "echo"],
  ["acceptEdits", "echo, Write"],
  ["plan", "echo"],
  ["bypassPermissions", "echo, Write, node"],
] as const)
  assert.equal(await play(mode), ran);

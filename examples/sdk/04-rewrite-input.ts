// A hook can change what a tool is called with. What the hooks judged last is exactly what runs.
import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type HookInput, type HookOutput } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";

using folder = mkdtempDisposableSync(join(tmpdir(), "wave-example-"));
await using model = await startScriptedModel([
  { call: { name: "Bash", arguments: { command: "echo CI is $CI" } } },
  { say: "Done." },
]);

/** Commands run as they would on the build server. */
function asInCi(input: HookInput<"PreToolUse">): HookOutput<"PreToolUse"> | undefined {
  const command = String(input.tool_input["command"]);
  // Asked once more about its own rewrite (input.pass is 2), the hook has nothing to add.
  if (command.startsWith("export CI=1;")) return undefined;
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      updatedInput: { ...input.tool_input, command: `export CI=1; ${command}` },
    },
  };
}

const agent = await Agent.create({
  baseUrl: model.baseUrl,
  workdir: folder.path,
  waveHome: join(folder.path, "wave-home"),
  // A rewrite is no permission: rules and mode judge the new input.
  permissionMode: "bypassPermissions",
  hooks: {
    PreToolUse: [{ matcher: "Bash", hooks: [{ type: "function", name: "as in CI", run: asInCi }] }],
  },
});
await agent.sendMessage("Is this the build server?");
await agent.destroy();

const call = agent.messages.flatMap((message) => message.blocks).find((block) => block.type === "tool");
console.log(`the model wanted: ${call?.parameters}`);
console.log(`what ran:         ${JSON.stringify(call?.input)}`);
console.log(`its result:       ${call?.result?.trim()}`);

assert.equal(call?.parameters, '{"command":"echo CI is $CI"}');
assert.deepEqual(call?.input, { command: "export CI=1; echo CI is $CI" });
assert.match(call?.result ?? "", /CI is 1/);

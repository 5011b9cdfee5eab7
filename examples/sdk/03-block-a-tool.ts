// A hook can be a function of your program. This one keeps a command from running; the model is told why.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type HookInput, type HookOutput } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";

using folder = mkdtempDisposableSync(join(tmpdir(), "wave-example-"));
mkdirSync(join(folder.path, "build"));
await using model = await startScriptedModel([
  { call: { name: "Bash", arguments: { command: "rm -rf build" } } },
  { say: "Then I leave build/ as it is." },
]);

function noRecursiveRemoval(input: HookInput<"PreToolUse">): HookOutput<"PreToolUse"> | undefined {
  if (!/\brm\s+-\w*r/.test(String(input.tool_input["command"]))) return undefined;
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "Nothing is removed recursively here. Ask a person to do it.",
    },
  };
}

const agent = await Agent.create({
  baseUrl: model.baseUrl,
  workdir: folder.path,
  waveHome: join(folder.path, "wave-home"),
  // Not even this mode lets the call through: a hook's deny holds in all of them.
  permissionMode: "bypassPermissions",
  hooks: {
    // onError "block": a guard that crashes must not let everything pass.
    PreToolUse: [
      {
        matcher: "Bash",
        hooks: [{ type: "function", name: "no rm -r", run: noRecursiveRemoval, onError: "block" }],
      },
    ],
  },
});
const end = await agent.sendMessage("Clean up.");
await agent.destroy();

const [denial] = end.denials;
console.log(`${denial?.toolName} did not run: ${denial?.reason}`);
console.log(`the model went on: ${end.answer}`);

assert.equal(denial?.by, "hook no rm -r");
assert.ok(existsSync(join(folder.path, "build")), "the folder is still there");
assert.match(model.requests[1]?.text ?? "", /Nothing is removed recursively/);

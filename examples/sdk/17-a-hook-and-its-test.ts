// A hook, and a test of it: the hook is a plain function, and the same function guards a real agent with a scripted model.
import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type HookFunction } from "wave-agent-sdk";
import { startScriptedModel, type Scenario } from "wave-agent-sdk/testing";

// The hook, as it would stand in a file of its own.
const noSecrets: HookFunction<"PreToolUse"> = ({ tool_input }) =>
  /(^|\/)\.env$/.test(String(tool_input["file_path"]))
    ? { decision: "block", reason: ".env has secrets; ask me for what you need." }
    : undefined;

/** What an agent that is guarded by the hook answers to one call. */
async function resultOf(call: { name: string; arguments: Record<string, unknown> }) {
  using folder = mkdtempDisposableSync(join(tmpdir(), "wave-example-"));
  writeFileSync(join(folder.path, ".env"), "KEY=secret\n");
  writeFileSync(join(folder.path, "readme.md"), "# Hello\n");
  const scenario: Scenario = [{ call }, { say: "ok" }];
  await using model = await startScriptedModel(scenario);
  await using agent = await Agent.create({
    baseUrl: model.baseUrl,
    workdir: folder.path,
    waveHome: join(folder.path, "wave-home"),
    hooks: {
      PreToolUse: [
        {
          matcher: "Read",
          hooks: [{ type: "function", name: "no secrets", onError: "block", run: noSecrets }],
        },
      ],
    },
  });
  const end = await agent.send("go");
  const results = agent.messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === "tool" ? [block.result ?? ""] : [])),
  );
  return { result: results.join(), denied: end.denials.map(({ by }) => by) };
}

const secret = await resultOf({ name: "Read", arguments: { file_path: ".env" } });
const other = await resultOf({ name: "Read", arguments: { file_path: "readme.md" } });
console.log(secret.result);

assert.deepEqual(secret, {
  result: ".env has secrets; ask me for what you need.",
  denied: ["hook no secrets"],
});
assert.deepEqual(other.denied, []);
assert.match(other.result, /# Hello/);

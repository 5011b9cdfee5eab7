// A UserPromptSubmit hook adds what the model should know. The prompt itself stays as it was typed.
import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type HookInput, type HookOutput } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";

using folder = mkdtempDisposableSync(join(tmpdir(), "wave-example-"));
await using model = await startScriptedModel([{ say: "WAVE-12 is about the greeting." }]);

/** Stands for a ticket system. */
const tickets = new Map([["WAVE-12", "The greeting is spelled wrong."]]);

function ticketText(input: HookInput<"UserPromptSubmit">): HookOutput<"UserPromptSubmit"> | undefined {
  const [id] = /\bWAVE-\d+\b/.exec(input.prompt) ?? [];
  const text = id === undefined ? undefined : tickets.get(id);
  if (text === undefined) return undefined;
  return {
    hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: `${id}: ${text}` },
  };
}

const agent = await Agent.create({
  baseUrl: model.baseUrl,
  workdir: folder.path,
  waveHome: join(folder.path, "wave-home"),
  hooks: { UserPromptSubmit: [{ hooks: [{ type: "function", name: "tickets", run: ticketText }] }] },
});
await agent.sendMessage("What is WAVE-12 about?");
await agent.destroy();

const [, prompt, context] = model.requests[0]?.body.messages ?? [];
assert.equal(prompt?.content, "What is WAVE-12 about?");
assert.ok(typeof context?.content === "string");
console.log(`the prompt:  ${prompt.content}`);
console.log(`the context: ${context.content.replaceAll("\n", " ")}`);

// The model sees where the words come from.
assert.match(context.content, /<wave-hook event="UserPromptSubmit" name="tickets"/);
assert.match(context.content, /WAVE-12: The greeting is spelled wrong\./);

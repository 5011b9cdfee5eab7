// The model can call a function of your program. It passes the same gate as Wave's own tools: hooks, rules, modes, records.
import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, tool } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { z } from "zod";

const tickets = new Map([["T-1", "The login page is blank"]]);

const lookUp = tool({
  name: "LookUpTicket",
  description: "Finds the title of a ticket.",
  // zod here; any Standard Schema will do.
  input: z.object({ id: z.string().describe("Such as T-1") }),
  // It talks to another machine, so default mode asks before it runs. Left out, it counts as a tool that may do anything.
  touches: { network: ["tickets.example"] },
  run: ({ id }) => tickets.get(id) ?? "There is no such ticket.",
});

using folder = mkdtempDisposableSync(join(tmpdir(), "wave-example-"));
await using model = await startScriptedModel([
  { call: { name: "LookUpTicket", arguments: { id: "T-1" } } },
  { call: { name: "LookUpTicket", arguments: { id: "SECRET-1" } } },
  { say: "The login page is blank." },
]);
const agent = await Agent.create({
  baseUrl: model.baseUrl,
  workdir: folder.path,
  waveHome: join(folder.path, "wave-home"),
  // The model gets these two tools and no others.
  tools: { use: ["Read", lookUp] },
  permissions: { allow: ["LookUpTicket"] },
  hooks: {
    PreToolUse: [
      {
        matcher: "LookUpTicket",
        hooks: [
          {
            type: "function",
            name: "no secret tickets",
            onError: "block",
            run: ({ tool_input: { id } }) =>
              String(id).startsWith("SECRET")
                ? { decision: "block", reason: "Secret tickets stay secret." }
                : undefined,
          },
        ],
      },
    ],
  },
});
const end = await agent.sendMessage("What is wrong with T-1?");
await agent.destroy();

const results = agent.messages
  .flatMap((message) => message.blocks)
  .flatMap((block) => (block.type === "tool" ? [block.result] : []));
console.log(results.join("\n"));

assert.deepEqual(results, ["The login page is blank", "Secret tickets stay secret."]);
assert.deepEqual(
  end.denials.map(({ toolName, by }) => `${toolName}: ${by}`),
  ["LookUpTicket: hook no secret tickets"],
);

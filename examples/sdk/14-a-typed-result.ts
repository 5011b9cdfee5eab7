// A review bot: the answer is data with a type, the turn has a budget, and what happens can be watched while it does.
import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { z } from "zod";

const Review = z.object({ verdict: z.enum(["good", "bad"]), notes: z.array(z.string()) });

using folder = mkdtempDisposableSync(join(tmpdir(), "wave-example-"));
await using model = await startScriptedModel([
  // The first answer is no data: the model hears why, and tries again.
  { say: "Looks good to me!" },
  { say: '{ "verdict": "good", "notes": ["The name could be shorter."] }' },
]);
await using agent = await Agent.create({
  baseUrl: model.baseUrl,
  workdir: folder.path,
  waveHome: join(folder.path, "wave-home"),
  // A reviewer looks and changes nothing.
  tools: { use: ["Read", "Grep", "Glob"] },
});

const turn = agent.send("Review the last commit", {
  output: Review,
  limits: { modelCalls: 5, wallMs: 60_000 },
});
let requests = 0;
for await (const event of turn) if (event.type === "model_started") requests++;
const end = await turn;
if (end.because !== "done") throw new Error(end.reason);
console.log(end.output.verdict, end.output.notes);

assert.equal(requests, 2);
assert.deepEqual(end.output, { verdict: "good", notes: ["The name could be shorter."] });

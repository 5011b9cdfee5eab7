// A batch that stops before it gets too expensive: a limit for each job, one for all of them, and a signal for the person.
import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type TurnEnd } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";

using folder = mkdtempDisposableSync(join(tmpdir(), "wave-example-"));
const usage = { input: 900, output: 100 };
await using model = await startScriptedModel(({ body }) =>
  // The second job never comes to an end by itself.
  JSON.stringify(body.messages.findLast(({ role }) => role === "user")).includes("endless")
    ? { call: { name: "LS", arguments: { path: "." } }, usage }
    : { say: "Summarised.", usage },
);
const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
await using agent = await Agent.create({
  baseUrl: model.baseUrl,
  workdir: folder.path,
  waveHome: join(folder.path, "wave-home"),
  limits: { tokens: 7_000 },
});

const ends: Record<string, TurnEnd> = {};
for (const job of ["one", "endless", "three", "four", "five"]) {
  const end = await agent.send(`Summarise ${job}`, { signal: stop.signal, limits: { modelCalls: 3 } });
  ends[job] = end;
  console.log(`${job}: ${end.because}${end.reason === undefined ? "" : ` (${end.reason})`}`);
  // The job was too large: the next one may be smaller. All of them were too large: stop.
  if (end.because === "limit" && end.limit === "tokens") break;
}

assert.equal(ends["one"]?.because, "done");
assert.deepEqual([ends["endless"]?.because, ends["endless"]?.modelCalls], ["limit", 3]);
assert.equal(ends["three"]?.because, "done");
assert.deepEqual(
  Object.values(ends).reduce((tokens, end) => tokens + end.usage.inputTokens + end.usage.outputTokens, 0),
  7_000,
);

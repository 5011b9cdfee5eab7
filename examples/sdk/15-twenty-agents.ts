// A service with twenty agents at once, and one queue of questions for one person. Questions, answers and agents never mix.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type PendingPermission, type PermissionAnswer } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";

using folder = mkdtempDisposableSync(join(tmpdir(), "wave-example-"));
await using model = await startScriptedModel(({ body }) =>
  body.messages.at(-1)?.role === "tool"
    ? { say: "Done." }
    : { call: { name: "Write", arguments: { file_path: "report.md", content: "# Report\n" } } },
);

interface Question {
  customer: number;
  request: PendingPermission;
  answer: (answer: PermissionAnswer) => void;
}
const queue: Question[] = [];

async function serve(customer: number) {
  const workdir = join(folder.path, `customer-${customer}`);
  mkdirSync(workdir);
  await using agent = await Agent.create({
    baseUrl: model.baseUrl,
    model: "scripted",
    workdir,
    waveHome: join(folder.path, "wave-home"),
    // The question waits in the queue until the person gets to it; the other agents go on.
    onPermissionRequest: (request) =>
      new Promise((answer) => {
        queue.push({ customer, request, answer });
      }),
  });
  // Awaited here: the agent is closed at the end of this block.
  return await agent.send("Write the report", { limits: { modelCalls: 5, wallMs: 60_000 } });
}

const customers = Array.from({ length: 20 }, (_, index) => index);
const running = Promise.all(customers.map(serve));

// The person: every third customer pays, the others are told why not.
let answered = 0;
while (answered < customers.length) {
  const question = queue.shift();
  if (!question) {
    await new Promise((wake) => setTimeout(wake, 5));
    continue;
  }
  answered++;
  const pays = question.customer % 3 === 0;
  question.answer(
    pays ? { decision: "allow" } : { decision: "deny", reason: "This customer has no plan.", turn: "go-on" },
  );
}
const ends = await running;
const wrote = customers.filter((customer) =>
  existsSync(join(folder.path, `customer-${customer}`, "report.md")),
);
console.log(`${wrote.length} of ${ends.length} reports were written`);

assert.deepEqual(
  wrote,
  customers.filter((customer) => customer % 3 === 0),
);
assert.ok(ends.every(({ because }) => because === "done"));

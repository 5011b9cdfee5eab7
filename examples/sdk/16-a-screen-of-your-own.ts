// A user interface: a transcript that is always up to date, and questions that it answers when its user clicks.
import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type Message } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";

/** What is on the screen: made of events alone. */
class Screen {
  readonly messages = new Map<string, Message>();
  readonly questions = new Map<string, string>();

  draw(): string {
    const said = [...this.messages.values()].flatMap(({ role, blocks }) =>
      blocks.flatMap((block) => {
        if (block.type === "text") return [`${role}: ${block.content}`];
        return block.type === "tool" ? [`  ${block.name}: ${block.result ?? "…"}`] : [];
      }),
    );
    return [...said, ...[...this.questions.values()].map((question) => `? ${question}`)].join("\n");
  }
}

using folder = mkdtempDisposableSync(join(tmpdir(), "wave-example-"));
await using model = await startScriptedModel([
  { call: { name: "Write", arguments: { file_path: "notes.md", content: "# Notes\n" } } },
  { say: "I wrote the notes." },
]);
await using agent = await Agent.create({
  baseUrl: model.baseUrl,
  workdir: folder.path,
  waveHome: join(folder.path, "wave-home"),
  // Questions are answered with answerPermission, whenever somebody clicks.
  onPermissionRequest: () => new Promise(() => {}),
});

const screen = new Screen();
const drawn: string[] = [];
// `replay`: a window that is opened later begins with what is there.
using _watching = agent.subscribe(
  (event) => {
    if (event.type === "messages_changed" && event.message)
      screen.messages.set(event.message.id, event.message);
    if (event.type === "permission_requested")
      screen.questions.set(event.request.id, `${event.request.toolName}: ${event.request.reason}`);
    if (event.type === "permission_resolved") screen.questions.delete(event.request.id);
    drawn.push(screen.draw());
  },
  { replay: true },
);

const turn = agent.send("Write the notes");
for await (const event of turn) {
  // The user reads the question, and clicks on "yes".
  if (event.type === "permission_requested") agent.answerPermission(event.request.id, { decision: "allow" });
}
console.log(screen.draw());

assert.equal((await turn).because, "done");
assert.ok(
  drawn.some((frame) => frame.includes("? Write")),
  "the question was on the screen",
);
assert.match(screen.draw(), /^user: Write the notes\n {2}Write: .*\nassistant: I wrote the notes\.$/s);

import type { AgentEvent, Message } from "wave-agent-sdk";
import { describe, expect, it } from "vitest";
import { SentTexts, type SentKeeper } from "../../src/app/sentTexts.ts";
import { turnEnd } from "../support/events.ts";

/** What is kept, and what was said of it. */
class Kept implements SentKeeper {
  readonly texts = new Map<string, string>();
  readonly said: string[] = [];

  send(text: string): string {
    const id = `s${this.texts.size + this.said.length}`;
    this.texts.set(id, text);
    return id;
  }

  judging(id: string, messageId: string): void {
    this.said.push(`${this.texts.get(id)} is ${messageId}`);
  }

  settle(id: string): void {
    this.said.push(`${this.texts.get(id)} erased`);
    this.texts.delete(id);
  }

  cameBack(ids: readonly string[]): void {
    for (const id of ids) this.said.push(`${this.texts.get(id)} back`);
  }
}

const prompt = (content: string): Message => ({
  id: `m-${content}`,
  role: "user",
  blocks: [{ type: "text", content }],
});
const started = (text: string): AgentEvent => ({ type: "turn_started", prompt: text });
const steered = (text: string): AgentEvent => ({ type: "prompt_steered", prompt: text });
const shown = (message: Message): AgentEvent => ({ type: "messages_changed", message });
const model: AgentEvent = { type: "model_started", call: 1 };
const ended = (because: "aborted" | "prompt-blocked" | "halted" | "done"): AgentEvent => ({
  type: "turn_ended",
  end: turnEnd({ because, ...(because === "done" ? {} : { promptBack: "p" }) }),
});
const command: Message = {
  id: "c",
  role: "user",
  origin: { ranBy: "person" },
  blocks: [{ type: "tool", id: "t", name: "Bash", parameters: '{"command":"ls"}', stage: "pending" }],
};

type Row = [title: string, sent: string[], events: AgentEvent[], left: string[], said: string[]];

const rows: Row[] = [
  ["is kept while its hooks judge it", ["p"], [started("p"), shown(prompt("p"))], ["p"], ["p is m-p"]],
  [
    "is erased when they let it pass",
    ["p"],
    [started("p"), shown(prompt("p")), model],
    [],
    ["p is m-p", "p erased"],
  ],
  ["is erased when they block it", ["p"], [started("p"), ended("prompt-blocked")], [], ["p erased"]],
  ["is erased when they end the turn", ["p"], [started("p"), ended("halted")], [], ["p erased"]],
  ["is back when they were interrupted", ["p"], [started("p"), ended("aborted")], ["p"], ["p back"]],
  ["is kept while it waits behind another", ["p", "q"], [started("p"), model], ["q"], ["p erased"]],
  ["is kept while it is told", ["p"], [steered("p"), shown(prompt("p"))], ["p"], ["p is m-p"]],
  ["is erased when the next one is told", ["p", "q"], [steered("p"), steered("q")], ["q"], ["p erased"]],
  [
    "is kept also when it was typed with a no",
    [],
    [started("words"), shown(prompt("words"))],
    ["words"],
    ["words is m-words"],
  ],
  ["is one of two that say the same", ["p", "p"], [started("p"), model], ["p"], ["p erased"]],
  [
    "is found also with half a character in it",
    ["a\ud800b"],
    [started("a\ufffdb"), model],
    [],
    ["a\ud800b erased"],
  ],
  [
    "that is a command is erased when it is in the session",
    ["!ls", "!pwd"],
    [shown(command)],
    ["!pwd"],
    ["!ls erased"],
  ],
  ["stays when the turn is not its own", ["q"], [started("p"), model, ended("done")], ["q"], ["p erased"]],
];

describe("a text that was sent", () => {
  it.each(rows)("%s (T163)", (_title, sent, events, left, said) => {
    const kept = new Kept();
    const texts = new SentTexts(kept);
    for (const text of sent) texts.add(text);
    for (const event of events) texts.hear(event);
    texts.cameBack();
    expect([[...kept.texts.values()], kept.said]).toEqual([left, said]);
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "@/events.ts";
import { LiveAnswer } from "@/conversation/liveAnswer.ts";
import type { Block } from "@/messages/blocks.ts";
import { loadSession } from "@/services/session.ts";
import { liveAgent } from "../support/liveAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";

describe("a connection that breaks in the middle of an answer", () => {
  it("costs nothing but words: each call runs once, and what was taken back is nowhere", async () => {
    using folder = tempFolder();
    const log = join(folder.path, "ran.txt");
    const call = (n: number) => ({ name: "Bash", arguments: { command: `echo ${n} >> ${log}` } });
    await using live = await liveAgent(folder.path, [
      { say: "I begin.", call: call(1) },
      { think: "Half a thought", say: "Half a sentence", call: call(2), chunkSize: 5, breakAfter: 12 },
      { say: "Whole.", call: call(2) },
      { say: "Done." },
    ]);
    const end = await live.agent.sendMessage("go");
    expect(end).toMatchObject({ because: "done", answer: "Done.", modelCalls: 3 });
    expect(readFileSync(log, "utf8")).toBe("1\n2\n");
    expect(live.model.requests.map(({ problems }) => problems).flat()).toEqual([]);
    const { events, agent } = live;
    const retried = events.findIndex(({ type }) => type === "model_retry");
    expect(events.slice(retried - 1, retried + 1)).toMatchObject([
      { type: "messages_changed", message: undefined },
      { type: "model_retry", attempt: 1, attempts: 4, restarts: true },
    ]);
    expect(JSON.stringify(agent.messages)).not.toContain("Half");
    expect(JSON.stringify((await loadSession(agent.sessionFile))?.messages)).not.toContain("Half");
  });
});

describe("an answer that never became whole", () => {
  const played = (play: (callbacks: LiveAnswer["callbacks"]) => void) => {
    const shown: Block[][] = [];
    const events: AgentEvent["type"][] = [];
    const live = new LiveAnswer(
      (blocks) => shown.push(blocks),
      (event) => events.push(event.type),
    );
    play(live.callbacks);
    live.end();
    return { live, shown, events };
  };
  const again = { attempt: 1, attempts: 4, waitMs: 1, why: "broke", restarts: true } as const;
  const text = (content: string): Block => ({ type: "text", content });

  it("is the last attempt that had a word to say", () => {
    const { live, shown, events } = played(({ onText, onReasoning, onRetry }) => {
      onReasoning?.("hm");
      onText?.("one two");
      onRetry?.(again);
      onReasoning?.("hm hm");
      onRetry?.(again);
    });
    expect(live.blocks).toEqual([{ type: "reasoning", content: "hm" }, text("one two")]);
    expect(live.text).toBe("one two");
    expect(shown.map((blocks) => blocks.length)).toEqual([1, 2, 0, 1, 0]);
    expect(events).toEqual([
      "reasoning_delta",
      "text_delta",
      "model_retry",
      "reasoning_delta",
      "model_retry",
    ]);
  });

  it("is the newer of two that had words", () => {
    const { live } = played(({ onText, onRetry }) => {
      onText?.("one");
      onRetry?.(again);
      onText?.("two");
    });
    expect(live.blocks).toEqual([text("two")]);
  });

  it("goes on where an attempt failed before it said anything", () => {
    const { live, shown } = played(({ onText, onRetry }) => {
      onRetry?.({ attempt: 1, attempts: 5, waitMs: 1, why: "busy" });
      onText?.("one");
    });
    expect([live.text, shown.length]).toEqual(["one", 1]);
  });
});

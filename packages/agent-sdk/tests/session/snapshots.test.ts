import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "@/events.ts";
import type { Message } from "@/messages/blocks.ts";
import { deepFreeze } from "@/utils/deepFreeze.ts";
import { inFolder, saidIn } from "../support/liveAgent.ts";

const bash = (command: string) => ({ call: { name: "Bash", arguments: { command } } });

/** Tries to change everything that can be reached from a value; undefined when nothing can be. */
function changeable(value: unknown, path: string, seen = new Set<unknown>()): string | undefined {
  if (typeof value !== "object" || value === null || seen.has(value)) return undefined;
  seen.add(value);
  for (const key of [...Object.keys(value), "added"]) {
    const before: unknown = Reflect.get(value, key);
    if (Reflect.set(value, key, "forged")) {
      Reflect.set(value, key, before);
      return `${path}.${key}`;
    }
    const inside = changeable(before, `${path}.${key}`, seen);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

describe("what an agent hands out", () => {
  it("cannot be changed, and changes nothing that is sent, run or stored", async () => {
    const found: string[] = [];
    const look = (event: AgentEvent) => {
      const where = changeable(event, event.type);
      if (where !== undefined) found.push(where);
    };
    await using live = await inFolder(
      [{ say: "I try", ...bash("echo one") }, { say: "done" }, { say: "again" }],
      {
        onEvent: look,
        options: {
          permissionMode: "default",
          permissions: { ask: ["Bash"] },
          onPermissionRequest: (request) => {
            const where = changeable(request, "request");
            if (where !== undefined) found.push(where);
            return { decision: "allow" };
          },
          hooks: {
            PreToolUse: [
              {
                hooks: [
                  {
                    type: "function",
                    // Its input is a copy of its own, which it may do with as it likes.
                    run: (input) => void Object.assign(input.tool_input, { command: "echo forged" }),
                  },
                ],
              },
            ],
          },
        },
      },
    );
    const { agent, model } = live;
    const end = await agent.sendMessage("hello");
    for (const [name, value] of Object.entries({
      end,
      messages: agent.messages,
      hook: agent.hooks[0]?.hook,
      earlierUsage: agent.earlierUsage,
    })) {
      const where = changeable(value, name);
      if (where !== undefined) found.push(where);
    }
    expect(found).toEqual([]);
    expect(() => (agent.messages as Message[]).push({ id: "x", role: "user", blocks: [] })).toThrow(
      TypeError,
    );
    await agent.sendMessage("and now");
    expect(saidIn(model.requests[2])).toEqual([
      "user: hello",
      "assistant: Bash",
      expect.stringMatching(/^tool: one/),
      "assistant: done",
      "user: and now",
    ]);
    expect(readFileSync(agent.sessionFile, "utf8")).not.toContain("forged");
  });

  it("is what it was when it was handed out", async () => {
    const heard: (readonly Message[])[] = [];
    await using live = await inFolder([{ say: "one two three" }, { say: "four" }], {
      options: { callbacks: { onMessagesChange: (messages) => heard.push(messages) } },
    });
    await live.agent.sendMessage("hello");
    const before = live.agent.messages;
    const text = JSON.stringify(before);
    const texts = heard.map((messages) => JSON.stringify(messages));
    expect(live.agent.messages).toBe(before);
    await live.agent.sendMessage("more");
    expect(JSON.stringify(before)).toBe(text);
    expect(heard.slice(0, texts.length).map((messages) => JSON.stringify(messages))).toEqual(texts);
    expect(live.agent.messages).toHaveLength(4);
    // What did not change is the same object: whoever draws it can tell by that.
    expect(live.agent.messages[0]).toBe(before[0]);
  });

  it("may be nested deeper than a program can call", () => {
    const deep: unknown[] = [];
    let inner = deep;
    for (let level = 0; level < 100_000; level++) inner.push((inner = []));
    expect(Object.isFrozen(deepFreeze(deep)[0])).toBe(true);
  });
});

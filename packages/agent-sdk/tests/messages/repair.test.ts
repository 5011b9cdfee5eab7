import { describe, expect, it } from "vitest";
import type { Message } from "@/messages/blocks.ts";
import { applyEdit } from "@/messages/edits.ts";
import { repairEdits } from "@/messages/repair.ts";
import { callMessage, toolBlock, userMessage } from "../support/sessionRecords.ts";

function repaired(messages: Message[], startedToolIds: string[]): Message[] {
  return repairEdits(messages, startedToolIds).reduce<Message[]>(applyEdit, messages);
}

const toolsOf = (messages: Message[]) =>
  messages.flatMap((message) => message.blocks.filter((block) => block.type === "tool"));

describe("a conversation that was cut off", () => {
  it("gets an answer that says what is known for every call without a result (T193, T195)", () => {
    const [running, waiting] = toolsOf(
      repaired([userMessage("m1"), callMessage("m2", "running", "waiting")], ["running"]),
    );
    expect(running).toMatchObject({ stage: "ended", success: false, error: "interrupted; outcome unknown" });
    expect(running?.result).toMatch(/^Interrupted; outcome unknown\..*not run again/);
    expect(waiting).toMatchObject({ stage: "ended", success: false, error: "not started" });
    expect(waiting?.result).toMatch(/^Not started\..*no effect/);
  });

  it("is not touched where every call has its result, also an empty one (T193)", () => {
    const done: Message = {
      ...callMessage("m1"),
      blocks: [toolBlock("t1", { stage: "ended", success: true, result: "" })],
    };
    expect(repairEdits([userMessage("m0"), done], ["t1"])).toEqual([]);
  });

  it("gets one for each call that has none, beside calls that have theirs (T193)", () => {
    const half: Message = {
      ...callMessage("m1"),
      blocks: [toolBlock("done", { stage: "ended", success: true, result: "real" }), toolBlock("cut")],
    };
    expect(repairEdits([half], ["done", "cut"])).toMatchObject([{ toolId: "cut" }]);
  });

  it("needs no second repair (T193)", () => {
    const once = repaired([callMessage("m1", "a", "b"), callMessage("m2", "c")], ["a"]);
    expect(repairEdits(once, ["a"])).toEqual([]);
    expect(toolsOf(once).every((tool) => tool.result !== undefined)).toBe(true);
  });

  it("keeps the result of a newer call that used the same id again (T193)", () => {
    const newer: Message = {
      ...callMessage("m2"),
      blocks: [toolBlock("call_0", { stage: "ended", success: true, result: "real" })],
    };
    expect(toolsOf(repaired([callMessage("m1", "call_0"), newer], [])).at(-1)?.result).toBe("real");
  });
});

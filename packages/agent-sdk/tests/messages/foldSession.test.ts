import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block, Message } from "@/messages/blocks.ts";
import { applyEdit, type TranscriptEdit } from "@/messages/edits.ts";
import { SessionFold } from "@/messages/foldSession.ts";
import type { SessionRecord } from "@/messages/sessionLines.ts";
import { added, answered, callMessage, started, toolBlock, userMessage } from "../support/sessionRecords.ts";

function fold(records: readonly SessionRecord[]): SessionFold {
  const result = new SessionFold();
  for (const record of records) result.add(record);
  return result;
}

const few = (prefix: string) => fc.integer({ min: 1, max: 4 }).map((n) => `${prefix}${n}`);
const block: fc.Arbitrary<Block> = fc.oneof(
  fc.string().map((content): Block => ({ type: "text", content })),
  few("t").map((id): Block => toolBlock(id)),
  fc.string().map((content): Block => ({ type: "warn", content })),
  fc
    .array(few("m"), { maxLength: 2 })
    .map((keeps): Block => ({ type: "summary", content: "sum", keeps, covers: 1, askedBy: "wave" })),
);
const message: fc.Arbitrary<Message> = fc.record({
  id: few("m"),
  role: fc.constantFrom("user" as const, "assistant" as const),
  blocks: fc.array(block, { maxLength: 4 }),
});
// Few ids, so that they collide, are used again after a removal, and miss.
const edit: fc.Arbitrary<TranscriptEdit> = fc.oneof(
  { weight: 4, arbitrary: message.map((value): TranscriptEdit => ({ edit: "add-message", message: value })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(few("m"), block)
      .map(([messageId, value]): TranscriptEdit => ({ edit: "add-block", messageId, block: value })),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(few("t"), fc.string()).map(([toolId, result]): TranscriptEdit => ({
      edit: "update-tool",
      toolId,
      changes: { stage: "ended", result },
    })),
  },
  {
    weight: 1,
    arbitrary: few("m").map((messageId): TranscriptEdit => ({ edit: "remove-message", messageId })),
  },
  { weight: 1, arbitrary: few("m").map((messageId): TranscriptEdit => ({ edit: "rewind", messageId })) },
  {
    weight: 1,
    arbitrary: fc
      .array(message, { maxLength: 3 })
      .map((messages): TranscriptEdit => ({ edit: "bring-back", messages })),
  },
  {
    weight: 1,
    arbitrary: few("m").map((messageId): TranscriptEdit => ({ edit: "undo-compaction", messageId })),
  },
);

describe("the fold of a session", () => {
  it("gives the messages that applying the edits one by one gives (T196)", () => {
    const seed = Number(process.env["WAVE_SEED"] ?? Date.now() % 2 ** 31);
    console.info(`fold against applyEdit: WAVE_SEED=${seed}`);
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 30 }), (edits) => {
        const before = structuredClone(edits);
        const folded = fold(edits.map((value) => ({ type: "edit", edit: value })));
        const one: Message[] = edits.reduce<Message[]>(applyEdit, []);
        expect(folded.messages()).toEqual(one);
        expect(edits).toEqual(before);
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it("names as interrupted the calls that began and have no result (T193, T195)", () => {
    const folded = fold([
      added(callMessage("m1", "answered", "running", "waiting")),
      started("answered"),
      started("running"),
      answered("answered", "ok"),
    ]);
    expect(folded.interruptedTools()).toEqual(["running"]);
  });

  it("does not take a call for begun because an earlier one had the same id (T195)", () => {
    const folded = fold([
      added(callMessage("m1", "call_0")),
      started("call_0"),
      answered("call_0", "ok"),
      added(callMessage("m2", "call_0")),
    ]);
    expect(folded.interruptedTools()).toEqual([]);
  });

  it("adds up what the turns cost", () => {
    expect(fold([added(userMessage("m1"))]).facts.usage).toBeUndefined();
    const turn = (inputTokens: number, cached?: number): SessionRecord => ({
      type: "turn_ended",
      because: "done",
      usage: { inputTokens, outputTokens: 1, ...(cached !== undefined && { cachedInputTokens: cached }) },
    });
    expect(fold([turn(10), turn(20)]).facts.usage).toEqual({ inputTokens: 30, outputTokens: 2 });
    expect(fold([turn(10, 4), turn(20)]).facts.usage).toEqual({
      inputTokens: 30,
      outputTokens: 2,
      cachedInputTokens: 4,
    });
  });
});

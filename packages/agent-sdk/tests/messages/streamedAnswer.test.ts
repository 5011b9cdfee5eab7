import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SessionFold } from "@/messages/foldSession.ts";
import type { SessionRecord } from "@/messages/sessionLines.ts";
import {
  newParts,
  StreamedAnswer,
  type StreamedBlock,
  type StreamedRecord,
} from "@/messages/streamedAnswer.ts";
import { added, userMessage } from "../support/sessionRecords.ts";

/** The records of an answer that was seen in these states, one after the other. */
function recordsOf(states: readonly (readonly StreamedBlock[])[], messageId = "a"): StreamedRecord[] {
  return states.map((blocks, index) => ({
    type: "streamed",
    messageId,
    blocks: blocks.length,
    parts: newParts(states[index - 1] ?? [], blocks),
  }));
}

function putTogether(records: readonly StreamedRecord[]): StreamedAnswer {
  const answer = new StreamedAnswer();
  for (const record of records) answer.add(record);
  return answer;
}

const text = (content: string): StreamedBlock => ({ type: "text", content });
const block = fc.record({
  type: fc.constantFrom("text" as const, "reasoning" as const),
  content: fc.string({ maxLength: 6, minLength: 1 }),
});

describe("an answer that streams in", () => {
  it("is put together from its records as it was seen last, however it changed on the way", () => {
    fc.assert(
      fc.property(fc.array(fc.array(block, { maxLength: 3 }), { minLength: 1, maxLength: 6 }), (states) => {
        const kept = putTogether(recordsOf(states)).cutShort?.blocks.slice(0, -1) ?? [];
        expect(kept).toEqual(states.at(-1));
      }),
    );
  });

  it("is written with no more than what is new", () => {
    const states = ["one", "one two", "one two", "one two three"].map((content) => [text(content)]);
    expect(recordsOf(states).map(({ parts }) => parts.map(({ text: piece }) => piece))).toEqual([
      ["one"],
      [" two"],
      [],
      [" three"],
    ]);
  });

  it("keeps what can be read when a record of it is damaged", () => {
    const [, second, third] = recordsOf([[text("one")], [text("one two")], [text("one two three")]]);
    const answer = putTogether([second, third].filter((record) => record !== undefined));
    expect(answer.cutShort?.blocks[0]).toEqual(text(" two three"));
  });
});

describe("a session whose last answer was cut short", () => {
  const pieces = recordsOf([[text("half an ans")]]);
  const fold = (...records: SessionRecord[]) => {
    const result = new SessionFold();
    for (const record of records) result.add(record);
    return result;
  };
  const cut = { id: "a", role: "assistant", blocks: [text("half an ans"), { type: "warn" }] };

  it("ends with what came of it, and says so", () => {
    const folded = fold(added(userMessage("q")), ...pieces);
    expect(folded.messages()).toMatchObject([{ id: "q" }, cut]);
    expect(folded.messages()[1]?.blocks[1]).toMatchObject({ content: expect.stringMatching(/^cut short: /) });
  });

  it("has the whole answer, once, when it came after all", () => {
    const whole = { id: "a", role: "assistant" as const, blocks: [text("half an answer")] };
    const folded = fold(added(userMessage("q")), ...pieces, added(whole));
    expect([folded.messages(), folded.cutShort]).toEqual([[userMessage("q"), whole], undefined]);
  });

  it("keeps it before what was said afterwards, when nobody wrote it down as a message", () => {
    const folded = fold(added(userMessage("q")), ...pieces, added(userMessage("next")));
    expect(folded.messages()).toMatchObject([{ id: "q" }, cut, { id: "next" }]);
  });

  it("has nothing of an answer that was taken back", () => {
    const taken: SessionRecord = { type: "streamed", messageId: "a", blocks: 0, parts: [] };
    expect(fold(added(userMessage("q")), ...pieces, taken).messages()).toEqual([userMessage("q")]);
  });
});

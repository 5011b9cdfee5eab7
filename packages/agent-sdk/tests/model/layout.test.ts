import { describe, expect, it } from "vitest";
import { Layout, piecesOf } from "@/model/layout.ts";
import type { ApiMessage } from "@/utils/convertMessagesForAPI.ts";

type Answer = Extract<ApiMessage, { role: "assistant" }>;

const call = (id: string) => ({ id, type: "function" as const, function: { name: "LS", arguments: "{}" } });

/** "Hm. " signed 1, "Hello", a call, "Well. " signed 2, " you", a call. */
function laidOut(): Layout {
  const layout = new Layout();
  layout.begin("reasoning", { signature: "1" });
  layout.grow("Hm. ");
  layout.begin("text");
  layout.grow("Hello");
  layout.begin("call");
  layout.begin("reasoning");
  layout.grow("Well. ");
  layout.keep({ signature: "2" });
  layout.begin("text");
  layout.grow(" you");
  layout.begin("call");
  return layout;
}

const answer = (more: Partial<Answer> = {}, fields: object = {}): Answer => ({
  role: "assistant",
  content: "Hello you",
  tool_calls: [call("a"), call("b")],
  vendorData: { from: "v", fields: { ...laidOut().kept()?.fields, reasoning: "Hm. Well. ", ...fields } },
  ...more,
});

describe("the pieces of an answer", () => {
  it("come back in the order in which they came, each with what belongs to it", () => {
    expect(piecesOf(answer())).toEqual([
      { is: "reasoning", text: "Hm. ", fields: { signature: "1" } },
      { is: "text", text: "Hello", fields: {} },
      { is: "call", call: call("a") },
      { is: "reasoning", text: "Well. ", fields: { signature: "2" } },
      { is: "text", text: " you", fields: {} },
      { is: "call", call: call("b") },
    ]);
  });

  it("come without text of blanks alone, which is no part of a message", () => {
    expect(piecesOf(answer({ content: null })).map(({ is }) => is)).toEqual([
      "reasoning",
      "call",
      "reasoning",
      "call",
    ]);
  });

  const plain = [
    { is: "text", text: "Hello you", fields: {} },
    { is: "call", call: call("a") },
    { is: "call", call: call("b") },
  ];
  it.each<[string, Answer]>([
    ["the reasoning is another", answer({}, { reasoning: "Hm. Well." })],
    ["the reasoning is gone", answer({}, { reasoning: undefined })],
    ["the layout is no list", answer({}, { layout: {} })],
    ["the layout has something else in it", answer({}, { layout: [{ is: "text", length: 9 }, "x"] })],
    ["there is none", { role: "assistant", content: "Hello you", tool_calls: [call("a"), call("b")] }],
  ])("are text and calls, without anything that was signed, when %s", (_what, changed) => {
    expect(piecesOf(changed)).toEqual(plain);
  });

  it.each<[string, Partial<Answer>]>([
    ["text", { content: "Hello" }],
    ["more text", { content: "Hello you two" }],
    ["calls", { tool_calls: [call("a")] }],
  ])("are text and calls when somebody changed the %s", (_what, more) => {
    expect(piecesOf(answer(more)).some(({ is }) => is === "reasoning")).toBe(false);
  });

  it("are not kept when none of them has anything to bring back", () => {
    const layout = new Layout();
    layout.begin("text");
    layout.grow("Hello");
    layout.begin("call");
    expect(layout.kept()).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import type { Block, Message } from "@/messages/blocks.ts";
import { checkRequest } from "@/testing/index.ts";
import { convertMessagesForAPI, UNANSWERED } from "@/utils/convertMessagesForAPI.ts";

const message = (role: Message["role"], ...blocks: Block[]): Message => ({ id: "m", role, blocks });
const text = (content: string): Block => ({ type: "text", content });
const tool = (id: string, result?: string): Block => ({
  type: "tool",
  id,
  name: "LS",
  parameters: '{"path":"."}',
  stage: "ended",
  ...(result === undefined ? {} : { result }),
});

describe("what is sent to the model", () => {
  it("leaves out errors and warnings, and messages that have nothing else (FR-020, MB-1)", () => {
    const sent = convertMessagesForAPI([
      message("user", text("hi")),
      message("assistant", { type: "error", content: "E" }),
      message(
        "assistant",
        text("answer"),
        { type: "warn", content: "W" },
        { type: "reasoning", content: "R" },
      ),
    ]);
    expect(sent).toEqual([
      { role: "user", content: "hi" },
      { role: "assistant", content: "answer" },
    ]);
  });

  it("keeps consecutive user messages apart and adds none", () => {
    const sent = convertMessagesForAPI([message("user", text("a")), message("user", text("b"))]);
    expect(sent.map((one) => one.role)).toEqual(["user", "user"]);
  });

  it("answers every call, also one that was interrupted (T193, T194)", () => {
    const sent = convertMessagesForAPI([
      message("user", text("x")),
      message("assistant", tool("1", "r"), tool("2")),
      message("user", text("y")),
    ]);
    expect(sent.slice(2, 4)).toEqual([
      { role: "tool", tool_call_id: "1", content: "r" },
      { role: "tool", tool_call_id: "2", content: UNANSWERED },
    ]);
    expect(checkRequest([{ role: "system", content: "s" }, ...sent])).toEqual([]);
  });

  it("names the hook that speaks, and its text cannot step out of the tag (MB-2, T167)", () => {
    const block: Block = {
      type: "hook",
      hookEvent: "Stop",
      content: "a</wave-hook>b",
      metadata: { hook: 'na"me', source: "s.json:3" },
    };
    const [sent] = convertMessagesForAPI([message("user", block)]);
    expect(sent?.content).toBe(
      '<wave-hook event="Stop" name="na me" source="s.json:3">\na</ wave-hook>b\n</wave-hook>',
    );
  });

  it("has images as parts", () => {
    const [sent] = convertMessagesForAPI([
      message("user", text("see"), { type: "image", mediaType: "image/png", data: "QQ==" }),
    ]);
    expect(sent?.content).toEqual([
      { type: "text", text: "see" },
      { type: "image_url", image_url: { url: "data:image/png;base64,QQ==" } },
    ]);
  });

  it.each([
    ['{"pa', "{}"],
    ["", "{}"],
    ["[1]", "{}"],
    ["null", "{}"],
    ['"ls"', "{}"],
    ['{ "path": "x" }', '{ "path": "x" }'],
  ])("has arguments a strict server can parse: of %o the model gets back %s", (parameters, sent) => {
    const call: Block = { type: "tool", id: "1", name: "LS", parameters, stage: "ended", result: "x" };
    expect(convertMessagesForAPI([message("assistant", call)])).toMatchObject([
      { tool_calls: [{ function: { arguments: sent } }] },
      { role: "tool" },
    ]);
  });
});

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

  it("carries what a server wants back, beside the answer and the call it came with", () => {
    const from = "chat a m";
    const signed = { from, fields: { extra_content: { s: 1 } } };
    const [, sent] = convertMessagesForAPI([
      message("user", text("x")),
      message(
        "assistant",
        {
          type: "reasoning",
          content: "R",
          vendorData: { from, textField: "reasoning_content", fields: { more: 1 } },
        },
        text("answer"),
        { ...tool("1", "r"), vendorData: signed } as Block,
        tool("2", "r"),
      ),
    ]);
    expect(sent).toEqual({
      role: "assistant",
      content: "answer",
      vendorData: { from, fields: { more: 1, reasoning_content: "R" } },
      tool_calls: [
        expect.objectContaining({ id: "1", vendorData: signed }),
        expect.not.objectContaining({ vendorData: expect.anything() }),
      ],
    });
  });

  it("says nothing for a model that said nothing but blanks", () => {
    const sent = convertMessagesForAPI([
      message("user", text("x")),
      message("assistant", text(" \n")),
      message("assistant", text("\n"), tool("1", "r")),
    ]);
    expect(sent.map(({ role, content }) => [role, content])).toEqual([
      ["user", "x"],
      ["assistant", null],
      ["tool", "r"],
    ]);
  });

  it("has no half character in arguments, written out or as an escape", () => {
    const odd: Block = {
      ...tool("1", "r"),
      parameters: '{"a":"\\ud800","b":"\ud83d","c":"\\ud83d\\ude00"}',
    } as Block;
    const [, sent] = convertMessagesForAPI([message("user", text("x")), message("assistant", odd)]);
    const calls = sent?.role === "assistant" ? sent.tool_calls : undefined;
    expect(JSON.parse(calls?.[0]?.function.arguments ?? "")).toEqual({ a: "\ufffd", b: "\ufffd", c: "😀" });
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

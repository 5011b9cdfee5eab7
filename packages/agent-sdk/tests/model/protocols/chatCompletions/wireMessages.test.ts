import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block, Message, VendorData } from "@/messages/blocks.ts";
import { adapted } from "@/model/adaptations.ts";
import { bodyText } from "@/model/askModel.ts";
import { ADAPTATIONS } from "@/model/protocols/chatCompletions/adaptations.ts";
import { encode } from "@/model/protocols/chatCompletions/encode.ts";
import { wireMessages, type WireBody } from "@/model/protocols/chatCompletions/wireMessages.ts";
import { vendorOf, withOwnData } from "@/model/vendorData.ts";
import { wireName } from "@/model/wireNames.ts";
import { checkRequest } from "@/testing/index.ts";
import { convertMessagesForAPI, type ApiMessage } from "@/utils/convertMessagesForAPI.ts";
import { modelCall } from "../../../support/modelRequest.ts";

const call = (id: string, name = "LS") => ({
  id,
  type: "function" as const,
  function: { name, arguments: "{}" },
});
const result = (id: string, content = "done"): ApiMessage => ({
  role: "tool",
  tool_call_id: id,
  content,
});
const calling = (...calls: ReturnType<typeof call>[]): ApiMessage => ({
  role: "assistant",
  content: null,
  tool_calls: calls,
});
const prompt: ApiMessage = { role: "user", content: "go" };

describe("a tool's name on the wire", () => {
  it.each(["Bash", "mcp__a-b__c", "x".repeat(64), "9"])("is itself: %s", (name) => {
    expect(wireName(name)).toBe(name);
  });

  it("is one that every server takes, always the same, and no other name's", () => {
    const odd = [
      "functions.Bash",
      "functions_Bash ",
      "functions Bash",
      "",
      " ",
      "\ud83d",
      "é",
      "x".repeat(65),
      "a/b",
      "a\nb",
    ];
    const made = odd.map(wireName);
    for (const name of made) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(new Set(made).size).toBe(odd.length);
    expect(odd.map(wireName)).toEqual(made);
    expect(wireName("functions.Bash")).toMatch(/^functions_Bash_/);
  });
});

describe("ids on the wire", () => {
  const rows: [string, ApiMessage[]][] = [
    [
      "that are too long",
      [
        prompt,
        calling(call("x".repeat(41)), call("y".repeat(400))),
        result("x".repeat(41)),
        result("y".repeat(400)),
      ],
    ],
    ["that are empty", [prompt, calling(call(""), call("")), result("", "first"), result("", "second")]],
    [
      "that are used twice in one answer",
      [prompt, calling(call("a"), call("a")), result("a", "first"), result("a", "second")],
    ],
    [
      "that every answer counts from the start",
      [prompt, calling(call("0")), result("0"), calling(call("0")), result("0"), prompt],
    ],
    [
      "that have blanks, line breaks or half a character in them",
      [
        prompt,
        calling(call("a b"), call("\n"), call("\ud83d")),
        result("a b"),
        result("\n"),
        result("\ud83d"),
      ],
    ],
  ];
  it.each(rows)("%s are made safe, the same for a call and its result", (_what, messages) => {
    const wire = wireMessages(messages);
    expect(checkRequest(wire)).toEqual([]);
    const ids = wire.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    // Results stay in the order of their calls.
    expect(wire.flatMap((message) => (message.role === "tool" ? [message.tool_call_id] : []))).toEqual(ids);
    expect(wireMessages(messages)).toEqual(wire);
  });

  it.each(["call_abc", "functions.Bash:0", "toolu_01|fc_2", "D681PevKs"])(
    "are themselves where they can be: %s",
    (id) => {
      const wire = wireMessages([prompt, calling(call(id)), result(id)]);
      expect(wire.map(({ tool_calls: calls, tool_call_id: of }) => calls?.[0]?.id ?? of)).toEqual([
        undefined,
        id,
        id,
      ]);
    },
  );
});

describe("what came with an answer", () => {
  const mine = { from: "me", fields: { reasoning_content: "hm" } };
  const theirs = { from: "them", fields: { reasoning_content: "theirs", role: "system" } };
  const signed = { from: "me", fields: { extra_content: { google: { thought_signature: "s" } }, id: "no" } };

  it("goes back beside it to the server and model that gave it, and changes nothing else", () => {
    const said: ApiMessage = {
      role: "assistant",
      content: "hi",
      tool_calls: [{ ...call("a"), vendorData: signed }],
      vendorData: mine,
    };
    const { messages, leftBehind } = withOwnData([said], "me");
    expect(leftBehind).toBe(0);
    expect(wireMessages(messages)).toEqual([
      {
        role: "assistant",
        content: "hi",
        reasoning_content: "hm",
        tool_calls: [{ ...call("a"), extra_content: { google: { thought_signature: "s" } } }],
      },
    ]);
  });

  it("stays behind when another is asked, which is known", () => {
    const said: ApiMessage = { role: "assistant", content: "hi", vendorData: theirs };
    const called: ApiMessage = {
      role: "assistant",
      content: null,
      tool_calls: [{ ...call("a"), vendorData: theirs }],
      vendorData: mine,
    };
    expect(withOwnData([said, called, said], "me")).toEqual({
      messages: [
        { role: "assistant", content: "hi" },
        { role: "assistant", content: null, tool_calls: [call("a")], vendorData: mine },
        { role: "assistant", content: "hi" },
      ],
      leftBehind: 3,
    });
  });

  it("belongs to one model at one server, over one wire", () => {
    const of = { protocol: "chat-completions", address: "https://a/v1", model: "m" } as const;
    const others = [{ model: "n" }, { address: "https://b/v1" }];
    const names = [{}, ...others].map((other) => vendorOf({ ...of, ...other }));
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("the text of a request", () => {
  it("has no half character in it, wherever it comes from", () => {
    const messages: ApiMessage[] = [
      { role: "system", content: "folder \ud800" },
      { role: "user", content: [{ type: "text", text: "\udc00 file" }] },
      { role: "assistant", content: "\ud83d", tool_calls: [call("a", "Ba\ud83d")] },
      result("a", "output \ud83d, and a whole 😀"),
    ];
    const tools = [{ name: "X", description: "\ud800", parameters: { description: "\ud800" } }];
    const text = bodyText(encode(modelCall("http://127.0.0.1:1/v1", { messages, tools })));
    expect(text).not.toMatch(/\\ud[89a-f]/i);
    expect(text).toContain("😀");
    expect(Buffer.from(text).toString()).toBe(text);
  });
});

describe("any conversation", () => {
  const odd = fc.constantFrom(
    "",
    " ",
    "a",
    "a",
    "b",
    "functions.Bash",
    "x".repeat(70),
    "\ud83d",
    "a\nb",
    "é",
    "call_1",
  );
  const data = fc.option(
    fc.record({
      from: fc.constantFrom("me", "them"),
      textField: fc.constantFrom("reasoning_content", "reasoning"),
      fields: fc.constantFrom({}, { extra_content: { s: 1 } }),
    }),
    { nil: undefined },
  );
  const withData = <T extends object>(block: T, vendorData: VendorData | undefined) => ({
    ...block,
    ...(vendorData && { vendorData }),
  });
  const block = fc.oneof(
    fc.tuple(odd, data).map(([content, of]): Block => withData({ type: "text", content }, of)),
    fc.tuple(odd, data).map(([content, of]): Block => withData({ type: "reasoning", content }, of)),
    fc.tuple(odd, odd, fc.option(odd, { nil: undefined }), data).map(([id, name, said, of]): Block => {
      const result = said === undefined ? {} : { result: said };
      const tool = {
        type: "tool" as const,
        id,
        name,
        parameters: `{"a":"${id.length}\\ud800"}`,
        stage: "ended" as const,
      };
      return withData({ ...tool, ...result }, of);
    }),
    odd.map((content): Block => ({ type: "warn", content })),
  );
  const conversation = fc
    .array(fc.tuple(fc.constantFrom("user", "assistant"), fc.array(block, { maxLength: 4 })), {
      maxLength: 8,
    })
    .map((turns): Message[] =>
      turns.map(([role, blocks], at) => ({
        id: String(at),
        role: role === "user" ? "user" : "assistant",
        blocks: role === "user" ? blocks.filter(({ type }) => type === "text") : blocks,
      })),
    );
  const quirks = fc.subarray(ADAPTATIONS.map(({ name }) => name));

  it("becomes a request that the pickiest server takes, whatever was learned about it", () => {
    fc.assert(
      fc.property(conversation, quirks, (messages, learned) => {
        const sent: ApiMessage[] = [
          { role: "system", content: "be" },
          ...convertMessagesForAPI(messages),
          prompt,
        ];
        const wire = wireMessages(withOwnData(sent, "me").messages);
        const body = adapted(
          { model: "m", messages: wire, stream: true },
          ADAPTATIONS,
          new Map(learned.map((name) => [name, "helps"])),
        );
        const text: unknown = JSON.parse(bodyText(body));
        expect(checkRequest((text as WireBody).messages)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

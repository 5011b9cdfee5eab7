import { describe, expect, it } from "vitest";
import * as adaptations from "@/model/adaptations.ts";
import type { Quirk, Quirks, QuirkState } from "@/model/call.ts";
import { ADAPTATIONS } from "@/model/protocols/chatCompletions/adaptations.ts";
import { RESULTS_SEEN } from "@/model/protocols/chatCompletions/wireChanges.ts";
import type { WireBody } from "@/model/protocols/chatCompletions/wireMessages.ts";

const adapted = (body: WireBody, quirks: Quirks) => adaptations.adapted(body, ADAPTATIONS, quirks);
const learnFrom = (refusal: string, body: WireBody, quirks: Quirks) =>
  adaptations.learnFrom(refusal, body, ADAPTATIONS, quirks);
const believe = (quirks: Quirks) => adaptations.believe(ADAPTATIONS, quirks);

const error = (message: string, more: Record<string, unknown> = {}) =>
  JSON.stringify({ error: { message, ...more } });

/** A request that every change would change. */
const BODY: WireBody = {
  model: "m1",
  messages: [
    { role: "system", content: "be" },
    { role: "user", content: "one" },
    { role: "user", content: "two" },
    {
      role: "assistant",
      content: null,
      reasoning: "hm",
      tool_calls: [{ id: "functions.LS:0", type: "function", function: { name: "LS", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "functions.LS:0", content: "" },
    { role: "user", content: "three" },
  ],
  tools: [
    {
      type: "function",
      function: {
        name: "LS",
        description: "Lists.",
        parameters: {
          type: "object",
          properties: {
            path: { type: "string", minLength: 1, description: "Where." },
            type: { const: "f" },
            deep: { type: "array", items: { anyOf: [{ type: "number", minimum: 0 }] } },
          },
          required: ["path"],
          additionalProperties: false,
        },
      },
    },
  ],
  stream: true,
  stream_options: { include_usage: true },
};

/** What servers of the vendors say. */
const SAID: [quirk: Quirk, vendor: string, body: string][] = [
  [
    "no-stream-options",
    "an old vLLM",
    JSON.stringify({ detail: [{ loc: ["body", "stream_options"], msg: "extra fields not permitted" }] }),
  ],
  ["no-stream-options", "Mistral", error("Unrecognized request argument supplied: stream_options")],
  [
    "no-stream",
    "OpenAI",
    error("Your organization must be verified to stream this model.", {
      param: "stream",
      code: "unsupported_value",
    }),
  ],
  ["no-stream", "a gateway", error("Streaming is not supported for this model")],
  ["no-stream", "a gateway", error("This model does not support streaming.")],
  [
    "no-reasoning-with-tools",
    "OpenAI",
    error("Function tools with reasoning_effort are not supported for gpt-5.5 in /v1/chat/completions."),
  ],
  ["answer-limit", "Anthropic", error("max_tokens: Field required")],
  ["no-system-role", "Gemma at vLLM", error("System role not supported")],
  [
    "no-system-role",
    "Gemma at Google",
    error("Developer instruction is not enabled for models/gemma-3-27b-it"),
  ],
  [
    "no-system-role",
    "o1-mini",
    error("Unsupported value: 'messages[0].role' does not support 'system' with this model."),
  ],
  [
    "alternate",
    "Gemma, Llama 2",
    error("Conversation roles must alternate user/assistant/user/assistant/..."),
  ],
  [
    "alternate",
    "Ministral",
    error(
      "After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
    ),
  ],
  [
    "alternate",
    "Mistral",
    JSON.stringify({
      object: "error",
      message: "Unexpected role 'user' after role 'tool'",
      type: "invalid_request_message_order",
      code: "3230",
    }),
  ],
  [
    "alternate",
    "Anthropic",
    error(
      'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
    ),
  ],
  ["alternate", "Bedrock", error("A conversation must alternate between user and assistant roles.")],
  [
    "alternate",
    "Perplexity",
    error(
      "After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s).",
    ),
  ],
  [
    "alternate",
    "DeepSeek R1",
    error(
      "deepseek-reasoner does not support successive user or assistant messages (messages[1] and messages[2] in your input).",
    ),
  ],
  ["alternate", "Zhipu", error("Incorrect role information", { code: "1214" })],
  [
    "nine-letter-ids",
    "Mistral",
    JSON.stringify({
      object: "error",
      message: "Tool call id was call_0 but must be a-z, A-Z, 0-9, with a length of 9.",
      code: "3280",
    }),
  ],
  [
    "plain-ids",
    "Anthropic",
    error("messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"),
  ],
  [
    "named-results",
    "Gemini",
    error("GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty."),
  ],
  [
    "no-null-content",
    "LM Studio",
    JSON.stringify({ error: "Invalid 'content': 'content' field must be a string or an array of objects." }),
  ],
  ["no-null-content", "Ollama", error("invalid message content type: <nil>")],
  ["no-null-content", "an old OpenAI", error("None is not of type 'string' - 'messages.2.content'")],
  ["no-empty-content", "Anthropic", error("messages.2: text content blocks must be non-empty")],
  ["no-empty-content", "Zhipu", error("messages 参数非法。content 不能为空", { code: "1214" })],
  [
    "plain-schemas",
    "Gemini",
    error(
      "Invalid JSON payload received. Unknown name \"additionalProperties\" at 'tools[0].function_declarations[0].parameters': Cannot find field.",
    ),
  ],
  [
    "plain-schemas",
    "a strict parser",
    error("Invalid schema for function 'LS': keyword 'minLength' is not permitted."),
  ],
  [
    "nothing-back",
    "Groq",
    error(
      "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported)]",
    ),
  ],
  [
    "nothing-back",
    "Cerebras",
    JSON.stringify({
      message:
        "messages.2.assistant.reasoning_content: property 'messages.2.assistant.reasoning_content' is unsupported",
      code: "wrong_api_format",
    }),
  ],
  [
    "nothing-back",
    "Mistral",
    JSON.stringify({
      detail: [
        {
          loc: ["body", "messages", 3, "assistant", "reasoning_content"],
          msg: "Extra inputs are not permitted",
        },
      ],
    }),
  ],
  ["nothing-back", "Anthropic", error("messages.1.content.0: Invalid `signature` in `thinking` block")],
  ["nothing-back", "Gemini", error("Thought signature is not valid.")],
  [
    "filled-reasoning",
    "DeepSeek",
    error("The `reasoning_content` in the thinking mode must be passed back to the API."),
  ],
  [
    "filled-reasoning",
    "Kimi",
    error("thinking is enabled but reasoning_content is missing in assistant tool call message at index 2"),
  ],
  [
    "filled-signatures",
    "Gemini",
    error(
      "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.",
    ),
  ],
  [
    "filled-signatures",
    "Vertex",
    error(
      "Unable to submit request because function call default_api:LS in the 3. content block is missing a `thought_signature`.",
    ),
  ],
];

const memory = () => new Map<Quirk, QuirkState>();

describe("a refusal is understood in the words of", () => {
  it.each(SAID)("%s: %s", (quirk, _vendor, body) => {
    const quirks = memory();
    expect(learnFrom(body, BODY, quirks)?.name).toBe(quirk);
    expect([...quirks]).toEqual([[quirk, "tried"]]);
  });

  it("some vendor, for every change there is", () => {
    const said = new Set(SAID.map(([quirk]) => quirk));
    expect(ADAPTATIONS.map(({ name }) => name).filter((name) => !said.has(name))).toEqual([]);
  });

  it.each([
    ["nothing", ""],
    ["a wrong tool", error("tools[0]: no name")],
    ["a model that has no tools", error("registry.ollama.ai/library/gemma:2b does not support tools")],
    ["the price", error("You have no credit left for streaming services")],
    ["a page", "<html><title>Bad Request</title></html>"],
  ])("none when it is about %s", (_what, body) => {
    expect(learnFrom(body, BODY, memory())).toBeUndefined();
  });
});

describe("what was learned", () => {
  const words = error("Conversation roles must alternate user/assistant/user/assistant/...");

  it("is no part of a request before: messages of the user in a row stay apart", () => {
    expect(adapted(BODY, memory())).toEqual(BODY);
  });

  it("is part of every request from then on", () => {
    const quirks = memory();
    learnFrom(words, BODY, quirks);
    const changed = adapted(BODY, quirks);
    expect(changed.messages.map(({ role }) => role).join()).toBe("system,user,assistant,tool,assistant,user");
    believe(quirks);
    expect([...quirks]).toEqual([["alternate", "helps"]]);
    expect(adapted(BODY, quirks)).toEqual(changed);
  });

  it("is forgotten when the server says the same again, and never tried a second time", () => {
    const quirks = memory();
    learnFrom(words, BODY, quirks);
    expect(learnFrom(words, adapted(BODY, quirks), quirks)).toBeUndefined();
    expect([...quirks]).toEqual([["alternate", "no-help"]]);
    expect(adapted(BODY, quirks)).toEqual(BODY);
    expect(learnFrom(words, BODY, quirks)).toBeUndefined();
  });

  it("stays when it helped before and a later request is refused in the same words", () => {
    const quirks = memory();
    learnFrom(words, BODY, quirks);
    believe(quirks);
    expect(learnFrom(words, adapted(BODY, quirks), quirks)).toBeUndefined();
    expect([...quirks]).toEqual([["alternate", "helps"]]);
  });

  it("is only what would make a difference to the request", () => {
    const plain: WireBody = { model: "m1", messages: [{ role: "user", content: "hi" }], stream: true };
    const quirks = memory();
    const learned = SAID.filter(([, , body]) => learnFrom(body, plain, quirks));
    expect(learned.map(([quirk]) => quirk)).toEqual(["no-stream", "answer-limit"]);
  });

  it("comes to an end with a server that always has something new to say", () => {
    const quirks = memory();
    const everything = error(
      SAID.map(([, , body]) => body)
        .join(" ")
        .slice(0, 3_900),
    );
    let asked = 0;
    while (learnFrom(everything, adapted(BODY, quirks), quirks)) asked++;
    expect(asked).toBeLessThanOrEqual(ADAPTATIONS.length);
  });
});

describe("a request is changed so that it", () => {
  const changedBy = (quirk: Quirk, body: WireBody = BODY) => adapted(body, new Map([[quirk, "helps"]]));
  const messagesOf = (quirk: Quirk) => changedBy(quirk).messages;
  const answer = BODY.messages[3];

  it("asks for no token counts", () => {
    expect(JSON.parse(JSON.stringify(changedBy("no-stream-options")))).not.toHaveProperty("stream_options");
  });

  it("asks for the answer in one piece", () => {
    const sent: unknown = JSON.parse(JSON.stringify(changedBy("no-stream")));
    expect(sent).toMatchObject({ stream: false });
    expect(sent).not.toHaveProperty("stream_options");
  });

  it("has the system prompt in its first message", () => {
    expect(messagesOf("no-system-role").slice(0, 2)).toEqual([
      { role: "user", content: "be\n\none" },
      { role: "user", content: "two" },
    ]);
  });

  it("lets roles alternate, with images where they were", () => {
    const picture = { type: "image_url" as const, image_url: { url: "data:x" } };
    const body: WireBody = {
      ...BODY,
      messages: [...BODY.messages, { role: "user", content: [{ type: "text", text: "see" }, picture] }],
    };
    expect(changedBy("alternate", body).messages).toEqual([
      BODY.messages[0],
      { role: "user", content: "one\n\ntwo" },
      answer,
      BODY.messages[4],
      { role: "assistant", content: RESULTS_SEEN },
      { role: "user", content: [{ type: "text", text: "three" }, { type: "text", text: "see" }, picture] },
    ]);
  });

  it("joins what a model said in two messages, and keeps its calls", () => {
    const messages: WireBody["messages"] = [
      { role: "assistant", content: "I look." },
      ...(answer ? [answer] : []),
    ];
    expect(changedBy("alternate", { ...BODY, messages }).messages).toEqual([
      { ...answer, content: "I look." },
    ]);
  });

  it("has text where there was null, or where there was nothing", () => {
    expect(messagesOf("no-null-content").map(({ content }) => content)).toEqual([
      "be",
      "one",
      "two",
      "",
      "",
      "three",
    ]);
    expect(messagesOf("no-empty-content").map(({ content }) => content)).toEqual([
      "be",
      "one",
      "two",
      "(no text)",
      "(no text)",
      "three",
    ]);
  });

  it.each<[Quirk, RegExp]>([
    ["nine-letter-ids", /^[a-zA-Z0-9]{9}$/],
    ["plain-ids", /^[a-zA-Z0-9_-]{1,40}$/],
  ])("has ids that the server takes, the same for call and result: %s", (quirk, pattern) => {
    const [, , , calling, result] = messagesOf(quirk);
    expect(calling?.tool_calls?.[0]?.id).toMatch(pattern);
    expect(result?.tool_call_id).toBe(calling?.tool_calls?.[0]?.id);
  });

  it("names the tool of a result", () => {
    expect(messagesOf("named-results")[4]).toMatchObject({ role: "tool", name: "LS" });
  });

  it("describes tools in the plainest words", () => {
    expect(changedBy("plain-schemas").tools?.[0]?.function.parameters).toEqual({
      type: "object",
      properties: {
        path: { type: "string", description: "Where." },
        type: { enum: ["f"] },
        deep: { type: "array", items: { anyOf: [{ type: "number" }] } },
      },
      required: ["path"],
    });
  });

  it("brings nothing back that came with an answer, or something where nothing came", () => {
    const { reasoning: _, ...bare } = answer ?? { role: "assistant", content: null };
    expect(messagesOf("nothing-back")[3]).toEqual(bare);
    expect(messagesOf("filled-reasoning")[3]).toEqual({ ...answer, reasoning_content: "hm" });
    const silent: WireBody = { ...BODY, messages: [{ role: "assistant", content: "hi" }] };
    expect(changedBy("filled-reasoning", silent).messages).toEqual([
      { role: "assistant", content: "hi", reasoning_content: "(not kept)" },
    ]);
    expect(messagesOf("filled-signatures")[3]?.tool_calls?.[0]).toMatchObject({
      id: "functions.LS:0",
      extra_content: { google: { thought_signature: "skip_thought_signature_validator" } },
    });
  });
});

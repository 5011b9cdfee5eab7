import { describe, expect, it } from "vitest";
import { startScriptedModel, type ScriptedModel, type ScriptedReply } from "@/testing/index.ts";

/**
 * Wave's client and Wave's scripted server are written by the same people. The clients of the vendors are not: what they read, and
 * what they send back, is what the wire is. They are development packages; nothing of Wave loads them.
 */
const KEY = "key-0123456789";
const PATH = { path: "ä/🌊" };
const REPLIES: ScriptedReply[] = [
  {
    think: "Let me see. 🌊",
    say: "I look at both.",
    calls: [
      { name: "LS", arguments: PATH },
      { name: "LS", arguments: {} },
    ],
    chunkSize: 3,
    usage: { input: 1000, output: 50, cached: 600 },
  },
  { say: "Done.", finish: "length" },
  { status: 429, message: "Too fast." },
];
const SCHEMA = { type: "object", properties: { path: { type: "string" } } };

/** What came of three requests, in words that all clients share. */
interface Seen {
  thought: string | undefined;
  said: string;
  calls: [name: string, input: unknown][];
  tokens: [input: number | undefined, output: number | undefined, cached: number | undefined];
  /** After the calls were answered with what the client itself keeps of the first answer. */
  afterwards: string;
  ended: string | null | undefined;
  refused: string;
}

/** Not written as a literal, so that types and bundles do not need the packages. */
async function load<T>(name: string): Promise<T> {
  return (await import(name)) as T;
}

async function refusal(ask: () => Promise<unknown>): Promise<string> {
  try {
    await ask();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("It was not refused.");
}

interface ChatMessage {
  content: string | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}
interface ResponseItem {
  type: string;
  call_id: string;
  name: string;
  arguments: string;
  summary?: { text: string }[];
}
interface OpenAIClient {
  chat: {
    completions: {
      stream(request: object): {
        finalChatCompletion(): Promise<{
          choices: { message: ChatMessage; finish_reason: string }[];
          usage: {
            prompt_tokens: number;
            completion_tokens: number;
            prompt_tokens_details?: { cached_tokens: number };
          };
        }>;
      };
    };
  };
  responses: {
    stream(request: object): {
      finalResponse(): Promise<{
        output: ResponseItem[];
        output_text: string;
        status: string;
        incomplete_details: { reason: string } | null;
        usage: {
          input_tokens: number;
          output_tokens: number;
          input_tokens_details: { cached_tokens: number };
        };
      }>;
    };
  };
}

async function openai(model: ScriptedModel): Promise<OpenAIClient> {
  const { default: OpenAI } = await load<{ default: new (options: object) => OpenAIClient }>("openai");
  return new OpenAI({ apiKey: KEY, baseURL: model.baseUrl, maxRetries: 0 });
}

async function overChat(model: ScriptedModel): Promise<Seen> {
  const client = await openai(model);
  const tools = [{ type: "function", function: { name: "LS", description: "Lists.", parameters: SCHEMA } }];
  const about = { model: "m", tools, stream_options: { include_usage: true } };
  const ask = (messages: object[]) =>
    client.chat.completions.stream({ ...about, messages }).finalChatCompletion();
  const prompt = { role: "user", content: "go" };
  const { choices, usage } = await ask([prompt]);
  const message = choices[0]?.message;
  const calls = message?.tool_calls ?? [];
  const results = calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "fine" }));
  const second = await ask([prompt, { role: "assistant", ...message }, ...results]);
  return {
    // OpenAI has no field for it: those who do each have their own.
    thought: undefined,
    said: message?.content ?? "",
    calls: calls.map(({ function: called }) => [called.name, JSON.parse(called.arguments)]),
    tokens: [usage.prompt_tokens, usage.completion_tokens, usage.prompt_tokens_details?.cached_tokens],
    afterwards: second.choices[0]?.message.content ?? "",
    ended: second.choices[0]?.finish_reason,
    refused: await refusal(() => ask([prompt])),
  };
}

async function overResponses(model: ScriptedModel): Promise<Seen> {
  const client = await openai(model);
  const tools = [{ type: "function", name: "LS", description: "Lists.", parameters: SCHEMA, strict: false }];
  const about = { model: "m", tools, store: false, include: ["reasoning.encrypted_content"] };
  const ask = (input: object[]) => client.responses.stream({ ...about, input }).finalResponse();
  const prompt = { type: "message", role: "user", content: [{ type: "input_text", text: "go" }] };
  const { output, output_text: said, usage } = await ask([prompt]);
  const calls = output.filter(({ type }) => type === "function_call");
  const results = calls.map(({ call_id: id }) => ({
    type: "function_call_output",
    call_id: id,
    output: "fine",
  }));
  const second = await ask([prompt, ...output, ...results]);
  return {
    thought: output.find(({ type }) => type === "reasoning")?.summary?.[0]?.text,
    said,
    calls: calls.map(({ name, arguments: args }) => [name, JSON.parse(args)]),
    tokens: [usage.input_tokens, usage.output_tokens, usage.input_tokens_details.cached_tokens],
    afterwards: second.output_text,
    ended: second.incomplete_details?.reason,
    refused: await refusal(() => ask([prompt])),
  };
}

interface AnthropicMessage {
  content: { type: string; text: string; thinking: string; id: string; name: string; input: unknown }[];
  stop_reason: string;
  usage: { input_tokens: number; output_tokens: number; cache_read_input_tokens: number };
}
interface AnthropicClient {
  messages: { stream(request: object): { finalMessage(): Promise<AnthropicMessage> } };
}

async function overAnthropic(model: ScriptedModel): Promise<Seen> {
  type Module = { default: new (options: object) => AnthropicClient };
  const { default: Anthropic } = await load<Module>("@anthropic-ai/sdk");
  const client = new Anthropic({ apiKey: KEY, baseURL: model.baseUrl.replace(/\/v1$/, ""), maxRetries: 0 });
  const tools = [{ name: "LS", description: "Lists.", input_schema: SCHEMA }];
  const about = { model: "m", max_tokens: 5000, tools, thinking: { type: "adaptive" } };
  const ask = (messages: object[]) => client.messages.stream({ ...about, messages }).finalMessage();
  const prompt = { role: "user", content: "go" };
  const { content, usage } = await ask([prompt]);
  const calls = content.filter(({ type }) => type === "tool_use");
  const results = calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "fine" }));
  const second = await ask([prompt, { role: "assistant", content }, { role: "user", content: results }]);
  return {
    thought: content.find(({ type }) => type === "thinking")?.thinking,
    said: content.find(({ type }) => type === "text")?.text ?? "",
    calls: calls.map(({ name, input }) => [name, input]),
    tokens: [
      usage.input_tokens + usage.cache_read_input_tokens,
      usage.output_tokens,
      usage.cache_read_input_tokens,
    ],
    afterwards: second.content[0]?.text ?? "",
    ended: second.stop_reason,
    refused: await refusal(() => ask([prompt])),
  };
}

interface GooglePart {
  type: string;
  id: string;
  delta: string;
  toolCallId: string;
  toolName: string;
  input: string;
  providerMetadata?: object;
  finishReason: { raw: string };
  usage: { inputTokens: { total: number; cacheRead: number }; outputTokens: { total: number } };
}
interface GoogleModel {
  doStream(request: object): Promise<{ stream: ReadableStream<GooglePart> }>;
}
interface GoogleModule {
  createGoogle(options: object): (model: string) => GoogleModel;
}

async function overGemini(model: ScriptedModel): Promise<Seen> {
  const google = await load<GoogleModule>("@ai-sdk/google");
  const client = google.createGoogle({ apiKey: KEY, baseURL: model.baseUrl.replace(/\/v1$/, "/v1beta") })(
    "gemini-3-m",
  );
  const tools = [{ type: "function", name: "LS", description: "Lists.", inputSchema: SCHEMA }];
  const ask = async (prompt: object[]) => {
    const { stream } = await client.doStream({ prompt, tools });
    const parts: GooglePart[] = [];
    for await (const part of stream) parts.push(part);
    const textOf = (kind: string) =>
      parts
        .filter(({ type }) => type === `${kind}-delta`)
        .map(({ delta }) => delta)
        .join("");
    return { parts, textOf, finish: parts.find(({ type }) => type === "finish") };
  };
  const prompt = { role: "user", content: [{ type: "text", text: "go" }] };
  const { parts, textOf, finish } = await ask([prompt]);
  const calls = parts.filter(({ type }) => type === "tool-call");
  const said = {
    role: "assistant",
    content: calls.map(({ toolCallId, toolName, input, providerMetadata }) => ({
      type: "tool-call",
      toolCallId,
      toolName,
      input: JSON.parse(input) as unknown,
      providerOptions: providerMetadata,
    })),
  };
  const results = calls.map(({ toolCallId, toolName }) => ({
    type: "tool-result",
    toolCallId,
    toolName,
    output: { type: "text", value: "fine" },
  }));
  const second = await ask([prompt, said, { role: "tool", content: results }]);
  return {
    thought: textOf("reasoning"),
    said: textOf("text"),
    calls: calls.map(({ toolName, input }) => [toolName, JSON.parse(input)]),
    tokens: [
      finish?.usage.inputTokens.total,
      finish?.usage.outputTokens.total,
      finish?.usage.inputTokens.cacheRead,
    ],
    afterwards: second.textOf("text"),
    ended: second.finish?.finishReason.raw,
    refused: await refusal(() => ask([prompt])),
  };
}

describe("a vendor's own client reads the scripted model, and is read by it:", () => {
  it.each([
    ["openai, Chat Completions", "chat-completions", overChat, "length"],
    ["openai, Responses", "openai-responses", overResponses, "max_output_tokens"],
    ["@anthropic-ai/sdk", "anthropic-messages", overAnthropic, "max_tokens"],
    ["@ai-sdk/google", "google-gemini", overGemini, "MAX_TOKENS"],
  ] as const)("%s", async (_client, wire, play, ended) => {
    await using model = await startScriptedModel(REPLIES);
    expect(await play(model)).toEqual({
      thought: wire === "chat-completions" ? undefined : "Let me see. 🌊",
      said: "I look at both.",
      calls: [
        ["LS", PATH],
        ["LS", {}],
      ],
      tokens: [1000, 50, 600],
      afterwards: "Done.",
      ended,
      refused: expect.stringContaining("Too fast."),
    } satisfies Seen);
    expect(model.requests.map((request) => [request.wire, request.problems])).toEqual(
      REPLIES.map(() => [wire, []]),
    );
  });
});

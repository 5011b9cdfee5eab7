import { describe, expect, it } from "vitest";
import { readHttpFailure } from "@/services/model/httpErrors.ts";
import { serverText } from "@/services/model/serverWords.ts";
import { TOO_LONG } from "@/services/model/tooLong.ts";

const target = {
  address: "https://m.example/v1",
  apiKey: "sk-1",
  keyFrom: "WAVE_API_KEY",
  model: "m1",
  modelFrom: "WAVE_MODEL",
};
const error = (message: string, more: Record<string, unknown> = {}) => ({ error: { message, ...more } });
const routed = (raw: unknown) =>
  error("Provider returned error", { code: 400, metadata: { raw: JSON.stringify(raw) } });

/** What the servers of the vendors really say. */
const SAID: [vendor: string, status: number | undefined, body: unknown][] = [
  [
    "OpenAI",
    400,
    error(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
      {
        code: "context_length_exceeded",
      },
    ),
  ],
  ["OpenAI", 400, error("Input tokens exceed the configured limit of 272000 tokens.")],
  ["OpenAI", 400, error("Your input exceeds the context window of this model.")],
  [
    "OpenAI (one message)",
    400,
    error(
      "Invalid 'messages[1].content': string too long. Expected a string with maximum length 10485760, but got a string with length 20000000 instead.",
      { code: "string_above_max_length", param: "messages[1].content" },
    ),
  ],
  [
    "OpenAI",
    429,
    error(
      "Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 40120. The input or output tokens must be reduced in order to run successfully.",
      { type: "tokens", code: "rate_limit_exceeded" },
    ),
  ],
  [
    "Anthropic",
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
    },
  ],
  [
    "Anthropic",
    400,
    error(
      "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again",
    ),
  ],
  [
    "Anthropic",
    413,
    { type: "error", error: { type: "request_too_large", message: "Request exceeds the maximum size" } },
  ],
  [
    "Gemini",
    400,
    [
      error("The input token count (582632) exceeds the maximum number of tokens allowed (131072).", {
        code: 400,
      }),
    ],
  ],
  [
    "xAI",
    400,
    {
      code: "Client specified an invalid argument",
      error: "This model's maximum prompt length is 131072 but the request contains 136973 tokens.",
    },
  ],
  [
    "Groq, Cerebras",
    400,
    error("Please reduce the length of the messages or completion.", { code: "context_length_exceeded" }),
  ],
  [
    "Groq, Cerebras",
    400,
    {
      message:
        "Please reduce the length of the messages or completion. Current length is 87391 while limit is 65536",
      code: "context_length_exceeded",
    },
  ],
  [
    "Groq, Cerebras",
    413,
    error(
      "Request too large for model `kimi-k2` in organization `org_1` service tier `on_demand` on tokens per minute (TPM): Limit 10000, Requested 21247, please reduce your message size and try again.",
      { type: "tokens", code: "rate_limit_exceeded" },
    ),
  ],
  [
    "Moonshot",
    400,
    error("Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)", {
      type: "invalid_request_error",
    }),
  ],
  ["Moonshot", 400, error("model max length exceeded, max length:8192")],
  ["Zhipu", 400, error("Prompt exceeds max length", { code: "1261" })],
  ["Zhipu", 400, error("Prompt 超长", { code: 1261 })],
  [
    "Qwen",
    400,
    error("<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 204800]", {
      code: "invalid_parameter_error",
    }),
  ],
  [
    "Qwen",
    400,
    { code: "InvalidParameter", message: "Range of input length should be [1, 30720]", request_id: "1" },
  ],
  ["MiniMax", 400, error("invalid params, context window exceeds limit (2013)")],
  [
    "Copilot",
    400,
    error("prompt token count of 138898 exceeds the limit of 64000", {
      code: "model_max_prompt_tokens_exceeded",
    }),
  ],
  [
    "Copilot",
    400,
    error("prompt token count of 65446 exceeds the limit of 64000", { param: "", code: "", type: "" }),
  ],
  [
    "Cohere",
    400,
    {
      id: "1",
      message:
        "too many tokens: total number of tokens in the prompt cannot exceed 128000 - received 130211. Try using a shorter prompt.",
    },
  ],
  [
    "Cohere",
    400,
    { message: "too many tokens: size limit exceeded by 11326 tokens. Try using shorter or fewer inputs." },
  ],
  ["Bedrock", 400, { message: "Input is too long for requested model." }],
  [
    "TGI, Together",
    422,
    {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 80125 `inputs` tokens and 4096 `max_new_tokens`",
      error_type: "validation",
    },
  ],
  [
    "TGI, Together",
    422,
    { error: "Input validation error: `inputs` must have less than 2048 tokens. Given: 2222" },
  ],
  [
    "TGI, Together",
    400,
    error(
      "Input validation error: inputs tokens + max_new_tokens must be <= 40960. Given: 38984 inputs tokens and 2048 max_new_tokens",
      { type: "invalid_request_error", param: "max_tokens" },
    ),
  ],
  [
    "vLLM",
    400,
    {
      object: "error",
      message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
      code: 400,
    },
  ],
  ["vLLM", 400, error("The decoder prompt (length 5000) is longer than the maximum model length of 4096.")],
  [
    "SGLang",
    400,
    {
      object: "error",
      message: "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
  ],
  [
    "SGLang",
    400,
    {
      object: "error",
      message: "Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).",
      code: 400,
    },
  ],
  [
    "SGLang",
    400,
    { message: "Requested token count exceeds the model's maximum context length of 32768 tokens." },
  ],
  [
    "llama.cpp",
    400,
    error("request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it", {
      type: "exceed_context_size_error",
      code: 400,
    }),
  ],
  ["llama.cpp", 500, error("Context size has been exceeded.", { type: "server_error", code: 500 })],
  ["llama.cpp", 500, error("Requested tokens (2285) exceed context window of 2048")],
  [
    "LM Studio",
    undefined,
    {
      error:
        "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
    },
  ],
  ["Ollama", 400, { error: "the input length exceeds the context length" }],
  ["Ollama", 400, error("prompt too long; exceeded max context length by 12 tokens")],
  [
    "OpenRouter",
    400,
    error(
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens.",
      { code: 400 },
    ),
  ],
  [
    "OpenRouter",
    400,
    routed({
      object: "error",
      message:
        "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    }),
  ],
  [
    "Mistral",
    400,
    {
      object: "error",
      message:
        "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
      code: "3051",
    },
  ],
  ["in Chinese", 400, error("输入长度超过模型最大上下文长度")],
  ["any server with status 413", 413, ""],
];

const bodyOf = (said: unknown) => (typeof said === "string" ? said : JSON.stringify(said));

describe("a conversation that is too long is known by the words of", () => {
  it.each(SAID)("%s (status %s)", (_vendor, status, said) => {
    const { error: failure, retry } = readHttpFailure({ status, body: bodyOf(said) }, target);
    expect({ kind: failure.kind, again: retry.again }).toEqual({ kind: "context-too-long", again: "no" });
    expect(failure.message).toMatch(
      /^The conversation is too long for the model "m1".*; start a new session, or choose a model with a larger context\.$/,
    );
  });

  it("each vendor in the table, and every row is needed for one", () => {
    const texts = SAID.map(([vendor, , said]) => ({ vendor, text: serverText(bodyOf(said)) }));
    for (const { vendor, says } of TOO_LONG) {
      if (vendor === "any") continue;
      const own = texts.filter((each) => each.vendor === vendor);
      expect(
        own.some(({ text }) => says.test(text)),
        vendor,
      ).toBe(true);
    }
  });
});

describe("what is not about the length of the conversation is", () => {
  const rows: [string, number | undefined, unknown, string][] = [
    [
      "a limit by the minute that a wait helps against",
      429,
      error(
        "Rate limit reached for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Used 28000, Requested 5000. Please try again in 6s.",
      ),
      "rate-limited",
    ],
    [
      "a large request that fits into a minute",
      429,
      error("Request too large for m1 on tokens per min (TPM): Limit 30000, Requested 3000."),
      "rate-limited",
    ],
    [
      "Anthropic's limit by the minute",
      429,
      error("This request would exceed your organization's rate limit of 40,000 input tokens per minute.", {
        type: "rate_limit_error",
      }),
      "rate-limited",
    ],
    [
      "a limit that comes in the middle of a stream",
      undefined,
      error("This request would exceed the rate limit of 40,000 input tokens per minute.", {
        type: "rate_limit_error",
      }),
      "rate-limited",
    ],
    [
      "too many requests with another status",
      503,
      error("Too Many Requests: maximum context length queue"),
      "rate-limited",
    ],
    [
      "a call's id",
      400,
      error(
        "Invalid 'messages[11].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 46 instead.",
      ),
      "bad-request",
    ],
    [
      "a tool's description",
      400,
      error(
        "Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024.",
      ),
      "bad-request",
    ],
    [
      "the length of the answer",
      400,
      error("max_tokens is too large: 100000. This model supports at most 16384 completion tokens."),
      "bad-request",
    ],
    [
      "the length of the answer in Groq's words",
      400,
      error(
        "max_tokens must be less than or equal to 16384, the maximum value for max_tokens is less than the context_window for this model",
      ),
      "bad-request",
    ],
    ["another number 1261", 400, error("limit 1261 of tools", { code: "x" }), "bad-request"],
    ["a range of another field", 400, error("Range of max_tokens should be [1, 8192]"), "bad-request"],
  ];
  it.each(rows)("%s", (_what, status, said, kind) => {
    expect(readHttpFailure({ status, body: bodyOf(said) }, target).error.kind).toBe(kind);
  });
});

export const error = (message: string, more: Record<string, unknown> = {}) => ({
  error: { message, ...more },
});
const routed = (raw: unknown) =>
  error("Provider returned error", { code: 400, metadata: { raw: JSON.stringify(raw) } });

/** What the servers of the vendors really say. */
export const SAID: [vendor: string, status: number | undefined, body: unknown][] = [
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

export const bodyOf = (said: unknown) => (typeof said === "string" ? said : JSON.stringify(said));

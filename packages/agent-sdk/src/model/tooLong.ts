/**
 * How servers say that a conversation is too long for the model, vendor by vendor. `serverText` gives what is matched: codes
 * first, then the message.
 */
export const TOO_LONG: readonly { vendor: string; says: RegExp }[] = [
  // Also the words of Azure, DeepSeek, Mistral, Groq, Together, OpenRouter and vLLM.
  { vendor: "OpenAI", says: /context_length_exceeded|maximum context length|input tokens exceed/i },
  { vendor: "OpenAI (one message)", says: /messages\[\d+\]\.content[^:]*: string too long/i },
  { vendor: "Anthropic", says: /prompt is too long|exceed context limit|request_too_large/i },
  { vendor: "Gemini", says: /input token count[^.]{0,40} exceeds/i },
  { vendor: "xAI", says: /maximum prompt length/i },
  { vendor: "Groq, Cerebras", says: /reduce the length of the (messages|prompt)/i },
  { vendor: "Moonshot", says: /exceeded model token limit|model max length exceeded/i },
  { vendor: "Zhipu", says: /^1261 |prompt exceeds max length|model_context_window_exceeded/i },
  { vendor: "Qwen", says: /range of input length should be/i },
  { vendor: "MiniMax", says: /context window exceeds limit/i },
  { vendor: "Copilot", says: /model_max_prompt_tokens_exceeded|prompt token count of \d+ exceeds/i },
  { vendor: "Cohere", says: /too many tokens: /i },
  { vendor: "Bedrock", says: /input is too long for requested model/i },
  { vendor: "TGI, Together", says: /`?inputs`? (tokens \+ `?max_new_tokens|must have less than)/i },
  { vendor: "vLLM", says: /longer than the maximum model length/i },
  { vendor: "SGLang", says: /longer than the model's context length|exceeds the maximum allowed length/i },
  { vendor: "llama.cpp", says: /exceed_context_size|exceeds the available context size/i },
  { vendor: "LM Studio", says: /loaded with context length|context[^.]{0,10}overflow/i },
  { vendor: "Ollama", says: /prompt too long|exceeds the context length/i },
  // In other words of the same kind, and in Chinese.
  { vendor: "any", says: /maximum (model|sequence) length|(input|prompt)( text)? is too long/i },
  { vendor: "any", says: /context (size|length|window)[^.]{0,40}(exceed|overflow|too (long|large))/i },
  { vendor: "any", says: /exceed[^.]{0,60}context (size|length|window|limit)/i },
  { vendor: "any", says: /(输入|提示词|prompt|上下文)[^。]{0,12}(超长|过长|超过|超出)/i },
];

/** One request asks for more than a minute allows: no wait helps, and a shorter conversation does. */
const MORE_THAN_A_MINUTE =
  /request too large\b.{0,200}tokens per min\w*[^:]{0,20}: limit (?<limit>\d+), requested (?<wanted>\d+)/is;

/** Something else that is too long or too large: an id, a name, a schema, the answer that was asked for. */
const SOMETHING_ELSE =
  /tool_calls\[\d+\]\.|tools\[\d+\]|tool_call_id|max_(completion_)?tokens['"`]? (is too|must be|cannot|should|at)|maximum value for `?max_tokens/i;

/** Whether a refusal is about the length of the conversation, so that a compaction helps. `text` is from `serverText`. */
export function saysTooLong(text: string): boolean {
  return !SOMETHING_ELSE.test(text) && TOO_LONG.some(({ says }) => says.test(text));
}

export function wantsMoreThanAMinute(text: string): boolean {
  const counts = MORE_THAN_A_MINUTE.exec(text)?.groups;
  return counts !== undefined && Number(counts["wanted"]) > Number(counts["limit"]);
}

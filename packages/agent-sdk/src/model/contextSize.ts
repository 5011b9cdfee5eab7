/** Tokens that well-known models take, by the beginning of their names; the longest beginning that fits counts. */
const SIZES: Readonly<Record<string, number>> = {
  "gpt-3.5-turbo": 16_385,
  "gpt-4": 8_192,
  "gpt-4-32k": 32_768,
  "gpt-4-turbo": 128_000,
  "gpt-4.1": 1_047_576,
  "gpt-4o": 128_000,
  "gpt-5": 400_000,
  "gpt-5-chat": 128_000,
  "gpt-5.1-chat": 128_000,
  "gpt-5.2-chat": 128_000,
  "gpt-5.4": 1_050_000,
  "gpt-5.4-mini": 400_000,
  "gpt-5.4-nano": 400_000,
  o1: 200_000,
  "o1-mini": 128_000,
  "o1-preview": 128_000,
  o3: 200_000,
  "o4-mini": 200_000,
  claude: 200_000,
  "gemini-2": 1_048_576,
  "gemini-3": 1_048_576,
  "grok-3": 131_072,
  "grok-4": 256_000,
  "deepseek-chat": 128_000,
  "deepseek-reasoner": 128_000,
};

/** Only names that a provider gives: how much of a model of one's own is used, its server decides. */
export function knownContextSize(model: string): number | undefined {
  // Routers put the provider before the name: openai/gpt-4o.
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  const beginnings = Object.keys(SIZES).filter((beginning) => name === beginning || begins(name, beginning));
  const longest = beginnings.toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : SIZES[longest];
}

/** "gpt-4" is not the beginning of "gpt-42", and neither is "o1" of "o100". */
const begins = (name: string, beginning: string) =>
  name.startsWith(beginning) && !/[a-z0-9]/.test(name.charAt(beginning.length));

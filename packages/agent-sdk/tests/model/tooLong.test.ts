import { describe, expect, it } from "vitest";
import { readHttpFailure } from "@/model/httpErrors.ts";
import { serverText } from "@/model/serverWords.ts";
import { TOO_LONG } from "@/model/tooLong.ts";
import { bodyOf, error, SAID } from "../support/tooLongWords.ts";

const target = {
  address: "https://m.example/v1",
  apiKey: "sk-1",
  keyFrom: "WAVE_API_KEY",
  model: "m1",
  modelFrom: "WAVE_MODEL",
};
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

import { PRICES_AS_OF, type AgentEvent, type HookIdentity, type Usage } from "wave-agent-sdk";
import { describe, expect, it } from "vitest";
import { costLines, countCost, NO_COST } from "../../src/panels/costTally.ts";

const started: AgentEvent = { type: "model_started", call: 1 };
const ended = (usage: Usage | undefined): AgentEvent => ({
  type: "model_ended",
  usage,
  finishReason: "stop",
});
const used = (inputTokens: number, outputTokens: number, cachedInputTokens?: number): Usage => ({
  inputTokens,
  outputTokens,
  ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
});
const hook: HookIdentity = { name: "guard", source: "settings.json:1" };
const ran = (durationMs: number): AgentEvent => ({
  type: "hook_finished",
  event: "Stop",
  hook,
  toolUseId: undefined,
  runId: 1,
  durationMs,
  ended: "exit 0",
});
const summing: AgentEvent = { type: "compaction_started", askedBy: "person" };
const summed = (end: Extract<AgentEvent, { type: "compaction_ended" }>["end"]): AgentEvent => ({
  type: "compaction_ended",
  end,
});

function lines(events: readonly [event: AgentEvent, model?: string][], before?: Usage): string[] {
  return costLines(
    events.reduce((tally, [event, model]) => countCost(tally, event, model), NO_COST),
    before,
  );
}

describe("/cost", () => {
  it("tells tokens and calls of each model, the time in hooks, and what is not known", () => {
    const message = { id: "s", role: "user", blocks: [] } as const;
    expect(
      lines([
        [started, "m1"],
        [ended(used(1_000, 200, 600)), "m1"],
        [ran(400)],
        [started, "m2"],
        [ended(used(50, 5)), "m2"],
        [summing],
        [summed({ compacted: true, message: { ...message, blocks: [] }, usage: used(40, 4, 0) }), "m1"],
        [ran(2_100)],
      ]),
    ).toEqual([
      "1,299 tokens in this session",
      "  m1: 2 calls, 1,040 input (600 of them cached) and 204 output tokens",
      "  m2: 1 call, 50 input and 5 output tokens",
      "  hooks: 2 runs, 2.5 s together",
      "  not known: the price of m1, m2, which Wave has no price list of; how much was cached in 1 call",
    ]);
  });

  it("says which calls are in none of the numbers", () => {
    expect(
      lines([
        [started],
        [ended(undefined)],
        [started, "m"],
        [summing, "m"],
        [summed({ compacted: false, because: "nothing-to-do", reason: "" }), "m"],
        [summing, "m"],
        [summed({ compacted: false, because: "aborted", reason: "" }), "m"],
      ]),
    ).toEqual([
      "0 tokens in this session",
      "  a model without a name: 1 call, 0 input and 0 output tokens",
      "  hooks: none ran",
      `  not known: the tokens of 1 call, which the server did not tell; the tokens of 2 calls without a whole answer: under way, interrupted or failed`,
    ]);
  });

  it("counts what a session cost before it was resumed", () => {
    expect(lines([], used(10, 2))).toEqual([
      "12 tokens in this session",
      "  before it was resumed: 10 input and 2 output tokens; of which models is not recorded",
      "  hooks: none ran",
      "  not known: the price of 12 tokens from before it was resumed",
    ]);
  });

  it("tells the money of what has a price, with the day of the price list, and what has none", () => {
    const paid = (costUsd: number) => ({ ...used(1_000, 100, 0), costUsd });
    const before = { ...used(500, 50), costUsd: 1.5, unpricedTokens: 20 };
    expect(
      lines(
        [
          [started],
          [ended(paid(0.0031)), "openai/gpt-5.4"],
          [started],
          [ended(paid(0.002)), "openai/gpt-5.4"],
          [started],
          [ended(used(10, 1, 0)), "lab/m"],
        ],
        before,
      ),
    ).toEqual([
      `2,761 tokens in this session, $1.51 by the price lists of ${PRICES_AS_OF}`,
      "  openai/gpt-5.4: 2 calls, 2,000 input (0 of them cached) and 200 output tokens, $0.0051",
      "  lab/m: 1 call, 10 input (0 of them cached) and 1 output tokens",
      "  before it was resumed: 500 input and 50 output tokens, $1.50; of which models is not recorded",
      "  hooks: none ran",
      "  not known: the price of lab/m, which Wave has no price list of; the price of 20 tokens from before it was resumed",
    ]);
  });

  it("has nothing that is not known, when all is", () => {
    const all = lines([[started], [ended({ ...used(10, 1, 0), costUsd: 0.5 }), "openai/x"]]);
    expect(all.at(-1)).toBe("  hooks: none ran");
  });
});

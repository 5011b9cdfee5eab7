import { describe, expect, it } from "vitest";
import type { TurnFailure } from "@/errors.ts";
import { batchesOf } from "@/conversation/turn/batches.ts";
import {
  afterAnswer,
  afterCompaction,
  afterUndo,
  atTurnStart,
  isNearlyFull,
  type ContextState,
} from "@/conversation/turn/context.ts";
import { nextStep, type TurnState } from "@/conversation/turn/nextStep.ts";
import { prepareCall } from "@/conversation/turn/prepareCall.ts";

const TOO_LONG: TurnFailure = { kind: "context", message: "too long", canRetry: false };

const fresh: TurnState = {
  ending: undefined,
  pendingCalls: [],
  answered: false,
  modelCalls: 0,
  maxModelCalls: undefined,
  refusedCalls: 0,
  stopBlocks: 0,
  context: { tokens: undefined, size: undefined, compaction: "may-help", refusal: undefined },
  steering: "none",
  output: "none",
  limitReached: undefined,
};
const context = (changes: Partial<ContextState>) => ({ context: { ...fresh.context, ...changes } });
const full = { tokens: 86, size: 100 };
const LIMIT = { because: "limit", limit: "tokens", reason: "over" } as const;
const call = { id: "1", type: "function" as const, index: 0, function: { name: "LS", arguments: "{}" } };

describe("the next step of a turn", () => {
  it.each<[string, Partial<TurnState>, object]>([
    ["calls the model at the start", {}, { do: "call-model" }],
    [
      "runs the calls of an answer",
      { pendingCalls: [call], modelCalls: 1 },
      { do: "run-tools", calls: [call] },
    ],
    [
      "asks the Stop hooks when the model ended by itself",
      { answered: true, modelCalls: 1 },
      { do: "ask-stop-hooks" },
    ],
    ["calls the model again after a blocked stop", { modelCalls: 1, stopBlocks: 1 }, { do: "call-model" }],
    [
      "finishes for the reason that was given",
      { ending: { because: "denied" }, pendingCalls: [call] },
      { do: "finish", ending: { because: "denied" } },
    ],
    [
      "finishes at the limit of model calls",
      { modelCalls: 3, maxModelCalls: 3 },
      { do: "finish", ending: { because: "max-turns" } },
    ],
    [
      "finishes at a limit of the program's",
      { modelCalls: 3, limitReached: LIMIT },
      { do: "finish", ending: LIMIT },
    ],
    [
      "runs the calls of the last answer before a limit ends the turn",
      { pendingCalls: [call], limitReached: LIMIT },
      { do: "run-tools" },
    ],
    [
      "checks data before the Stop hooks are asked",
      { answered: true, output: "unchecked" },
      { do: "check-output" },
    ],
    [
      "asks the Stop hooks about data that fits",
      { answered: true, output: "fits" },
      { do: "ask-stop-hooks" },
    ],
    [
      "still asks the Stop hooks at that limit",
      { modelCalls: 3, maxModelCalls: 3, answered: true },
      { do: "ask-stop-hooks" },
    ],
    [
      "tells what the person typed before the next request",
      { steering: "waits", modelCalls: 1 },
      { do: "take-steering" },
    ],
    [
      "answers all calls before that",
      { steering: "waits", pendingCalls: [call] },
      { do: "run-tools", calls: [call] },
    ],
    ["lets the turn end before that", { steering: "waits", answered: true }, { do: "ask-stop-hooks" }],
    ["compacts when the context is nearly full", context(full), { do: "compact", because: "nearly-full" }],
    ["does not compact with room left", context({ tokens: 85, size: 100 }), { do: "call-model" }],
    ["does not compact when the size is not known", context({ tokens: 1e9 }), { do: "call-model" }],
    [
      "does not compact again when that did not help",
      context({ ...full, compaction: "did-not-help" }),
      { do: "call-model" },
    ],
    [
      "compacts when the server took the request for too long, also where it did not help before",
      context({ refusal: TOO_LONG, compaction: "did-not-help" }),
      { do: "compact", because: "refused" },
    ],
    [
      "ends with that word when there was a compaction just before",
      context({ refusal: TOO_LONG, compaction: "just-made" }),
      { do: "finish", ending: { because: "context-full", reason: "too long", failure: TOO_LONG } },
    ],
    [
      "does not count a refused request towards the limit",
      { modelCalls: 1, refusedCalls: 1, maxModelCalls: 1 },
      { do: "call-model" },
    ],
  ])("%s", (_title, state, step) => {
    expect(nextStep({ ...fresh, ...state })).toMatchObject(step);
  });
});

describe("a compaction that Wave makes by itself", () => {
  const start: ContextState = { ...fresh.context, size: 100 };

  it("is tried again only after there was room in between", () => {
    const made = afterCompaction(afterAnswer(start, 90), "compacted");
    expect(made).toMatchObject({ tokens: undefined, compaction: "just-made" });
    const stillFull = afterAnswer(made, 90);
    expect(stillFull.compaction).toBe("did-not-help");
    expect(afterAnswer(stillFull, 95).compaction).toBe("did-not-help");
    expect(afterAnswer(stillFull, 10).compaction).toBe("may-help");
  });

  it("that failed ends a turn whose request was refused, and the next prompt may try once more", () => {
    const failed = afterCompaction({ ...start, refusal: TOO_LONG }, "failed");
    expect(nextStep({ ...fresh, context: failed })).toMatchObject({ ending: { because: "context-full" } });
    const next = { ...atTurnStart(failed), refusal: TOO_LONG };
    expect(nextStep({ ...fresh, context: next })).toMatchObject({ do: "compact" });
  });

  it("does not undo what a person undid", () => {
    const undone = afterUndo(afterCompaction(start, "compacted"));
    const full = afterAnswer(atTurnStart(undone), 95);
    expect(isNearlyFull(full)).toBe(true);
    expect(nextStep({ ...fresh, context: full })).toEqual({ do: "call-model" });
  });
});

describe("the calls of one answer", () => {
  it.each([
    ["rrr", ["rrr"]],
    ["rwr", ["r", "w", "r"]],
    ["rrwwr", ["rr", "w", "w", "r"]],
    ["", []],
  ])("%s run as %o: reading neighbours together, everything else alone", (calls, batches) => {
    expect(batchesOf(calls.split(""), (one) => one === "r").map((batch) => batch.join(""))).toEqual(batches);
  });
});

describe("the arguments of a call", () => {
  const prepared = (text: string) =>
    prepareCall(
      { ...call, function: { name: "Read", arguments: text } },
      ["file_path"],
      (path) => `/abs/${path}`,
    );
  it.each([
    [
      "an object",
      '{"file_path": "a", "limit": 2}',
      { input: { file_path: "/abs/a", limit: 2 }, broken: undefined },
    ],
    ["nothing", "", { input: {}, broken: undefined }],
    ["broken JSON", '{"file', { input: {}, broken: { raw: '{"file' } }],
    ["a list", "[1]", { input: {}, broken: { error: "the arguments are not a JSON object" } }],
    ["a path of the wrong type", '{"file_path": 3}', { input: { file_path: 3 }, broken: undefined }],
    ["names of the prototype", '{"constructor": "x"}', { input: { constructor: "x" } }],
  ])("that are %s are read", (_name, text, expected) => {
    expect(prepared(text)).toMatchObject(expected);
  });

  it.each([
    ["cut in the middle", '{"file_path": "a', "cut"],
    ["cut before they began", "", "cut"],
    ["whole", '{"file_path": "a"}', "whole"],
  ])("at the end of an answer that reached its limit are %s", (_name, text, expected) => {
    const ended = { ...call, endedAt: "output-limit" as const, function: { name: "Read", arguments: text } };
    const { broken } = prepareCall(ended, [], (path) => path);
    if (expected === "whole") expect(broken).toBeUndefined();
    else expect(broken?.error).toMatch(/reached its output limit .* make it smaller/);
  });
});

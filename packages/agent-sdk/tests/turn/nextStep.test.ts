import { describe, expect, it } from "vitest";
import { batchesOf } from "@/turn/batches.ts";
import { nextStep, type TurnState } from "@/turn/nextStep.ts";
import { prepareCall } from "@/turn/prepareCall.ts";

const fresh: TurnState = {
  ending: undefined,
  pendingCalls: [],
  answered: false,
  modelCalls: 0,
  maxModelCalls: undefined,
  stopBlocks: 0,
};
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
      "still asks the Stop hooks at that limit",
      { modelCalls: 3, maxModelCalls: 3, answered: true },
      { do: "ask-stop-hooks" },
    ],
  ])("%s", (_title, state, step) => {
    expect(nextStep({ ...fresh, ...state })).toMatchObject(step);
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
});

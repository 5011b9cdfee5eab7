import { z } from "zod";
import { once } from "../utils/once.ts";
import { commonInput, context, outputOf } from "./eventFields.ts";
import type { HookEventRow } from "./eventRow.ts";
import { ASIDE, LOOKS_ON } from "./otherEvents.ts";

// The rows of events about the model itself, for the table in `events.ts`.

const model = () =>
  z.string().describe("the model, as it is named to the person; empty until the server was asked");

export const preModelRequest = {
  ...LOOKS_ON,
  ...ASIDE,
  matchOn: "model",
  input: once(() => commonInput().extend({ hook_event_name: z.literal("PreModelRequest"), model: model() })),
  output: once(() => outputOf("PreModelRequest", {}, {})),
  args: (input) => [String(input["model"])],
} as const satisfies HookEventRow;

const tokens = (what: string) => z.number().describe(what);

export const postModelRequest = {
  ...LOOKS_ON,
  ...ASIDE,
  matchOn: "model",
  input: once(() =>
    commonInput().extend({
      hook_event_name: z.literal("PostModelRequest"),
      model: model(),
      status: z.enum(["success", "error", "interrupted"]).describe("how the request ended"),
      error: z.string().nullable().describe("what went wrong"),
      token_usage: z
        .object({
          input: tokens("all that was sent"),
          cached_input: tokens("of the input: read from the cache"),
          cache_write_input: tokens("of the input: written to the cache"),
          output: tokens("all that was answered"),
          total: tokens("input and output together"),
        })
        .nullable()
        .describe("what it cost, as far as the server says it"),
      duration_ms: z.number().describe("from the request to the end of the answer"),
    }),
  ),
  output: once(() => outputOf("PostModelRequest", {}, {})),
  args: (input) => [String(input["model"]), String(input["status"])],
} as const satisfies HookEventRow;

export const postModelSwitch = {
  ...LOOKS_ON,
  ...ASIDE,
  matchOn: "to_model",
  input: once(() =>
    commonInput().extend({
      hook_event_name: z.literal("PostModelSwitch"),
      from_model: z.string().describe("the model before; empty when the server was not asked which"),
      to_model: z.string().describe("the model from the next request on"),
      requested_model: z.string().nullable().describe("as it was asked for"),
      source: z.enum(["command", "sdk"]).describe("command: of the terminal; sdk: a program"),
      context_tokens: z
        .number()
        .nullable()
        .describe("what the next request will bring, as far as it is known"),
    }),
  ),
  output: once(() => outputOf("PostModelSwitch", {}, { additionalContext: context() })),
  args: (input) => [String(input["from_model"]), String(input["to_model"])],
  stdout: "not-used",
} as const satisfies HookEventRow;

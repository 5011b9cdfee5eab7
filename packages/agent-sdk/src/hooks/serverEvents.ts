import { z } from "zod";
import { once } from "../utils/once.ts";
import { commonInput, outputOf } from "./eventFields.ts";
import type { HookEventRow } from "./eventRow.ts";
import { ASIDE, LOOKS_ON } from "./otherEvents.ts";

// The rows of events about questions that MCP servers ask a person, for the table in `events.ts`.

const ACTIONS = ["accept", "decline", "cancel"] as const;

const asked = () => ({
  mcp_server_name: z.string().describe("the server that asks"),
  message: z.string().describe("what it asks, in its own words"),
  mode: z.enum(["form", "url"]).describe("form: it wants values; url: it wants a page to be opened"),
  url: z.string().optional().describe("the page"),
  elicitation_id: z.string().optional().describe("what the server calls the question"),
});

const answering = () => ({
  action: z
    .enum(ACTIONS)
    .optional()
    .describe("answers in the person's place: accept with content, decline, or cancel"),
  content: z.record(z.string(), z.unknown()).optional().describe("the values of an accept, by field"),
});

export const elicitation = {
  ...LOOKS_ON,
  ...ASIDE,
  matchOn: "mcp_server_name",
  input: once(() =>
    commonInput().extend({
      hook_event_name: z.literal("Elicitation"),
      ...asked(),
      requested_schema: z
        .record(z.string(), z.unknown())
        .optional()
        .describe("the fields of a form, as a JSON Schema"),
    }),
  ),
  output: once(() => outputOf("Elicitation", {}, answering())),
  args: (input) => [String(input["mcp_server_name"]), String(input["message"])],
  onBlock: "refuse-change",
  onError: ["block"],
} as const satisfies HookEventRow;

export const elicitationResult = {
  ...LOOKS_ON,
  ...ASIDE,
  matchOn: "mcp_server_name",
  input: once(() =>
    commonInput().extend({
      hook_event_name: z.literal("ElicitationResult"),
      ...asked(),
      action: z.enum(ACTIONS).describe("what is about to be answered"),
      content: z.record(z.string(), z.unknown()).optional().describe("the values, by field"),
    }),
  ),
  output: once(() => outputOf("ElicitationResult", {}, answering())),
  args: (input) => [String(input["mcp_server_name"]), String(input["action"])],
  onBlock: "refuse-change",
  onError: ["block"],
} as const satisfies HookEventRow;

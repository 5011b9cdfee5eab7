import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adapted, learnFrom } from "@/model/adaptations.ts";
import { bodyText } from "@/model/askModel.ts";
import type { QuirkState } from "@/model/call.ts";
import type { NeutralRequest } from "@/model/protocol.ts";
import { PROTOCOLS } from "@/model/protocols/index.ts";
import { WIRES } from "@/testing/wires/index.ts";
import type { ApiMessage } from "@/utils/convertMessagesForAPI.ts";
import type { ProtocolName } from "@/utils/protocolNames.ts";
import { modelCall } from "../../support/modelRequest.ts";

/** What servers of the vendors say; Chat Completions has a file of its own. */
const SAID: Partial<Record<ProtocolName, [adaptation: string, words: string][]>> = {
  "anthropic-messages": [
    ["thinking-budget", "adaptive thinking is not supported on this model"],
    ["thinking-budget", "thinking.adaptive.display: Extra inputs are not permitted"],
    ["thinking-budget", "thinking.type: Input should be 'enabled' or 'disabled'"],
    ["no-thinking", "'claude-3-5-haiku-20241022' does not support thinking."],
    [
      "no-thinking",
      "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block",
    ],
    [
      "smaller-answer",
      "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet",
    ],
    ["nothing-back", "messages.1.content.0: Invalid `signature` in `thinking` block"],
    [
      "nothing-back",
      "messages.3.content.1: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.",
    ],
    ["no-cache-points", "system.0.cache_control: Extra inputs are not permitted"],
    [
      "alternate",
      'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
    ],
    ["plain-schemas", "tools.0.custom.input_schema: JSON schema is invalid"],
  ],
  "openai-responses": [
    ["no-summary", "Your organization must be verified to generate reasoning summaries."],
    ["no-summary", "Unsupported parameter: 'reasoning.summary' is not supported with this model."],
    ["no-reasoning", "Unsupported parameter: 'reasoning' is not supported with this model."],
    ["no-reasoning", "Encrypted content is not supported with this model."],
    ["no-stream", "Your organization must be verified to stream this model."],
    ["no-cache-key", "Unknown parameter: 'prompt_cache_key'."],
    ["nothing-back", "The encrypted content gAAA... could not be verified. encrypted_content is invalid"],
    ["nothing-back", "Item 'rs_0' of type 'reasoning' was provided without its required following item."],
    ["nothing-back", "Item with id 'rs_0' not found. Items are not persisted when `store` is set to false."],
    ["plain-schemas", "Invalid schema for function 'LS': 'additionalProperties' is not supported"],
  ],
  "google-gemini": [
    ["no-thoughts", "Thinking is not enabled for models/gemini-2.0-flash"],
    ["no-thoughts", "Thinking_config.include_thoughts is only enabled when thinking is enabled."],
    ["no-system-role", "Developer instruction is not enabled for models/gemma-3-27b-it"],
    ["nothing-back", "Thought signature is not valid. thought_signature is invalid"],
    ["nothing-back", "Corrupted thought signature."],
    ["filled-signatures", "Function call is missing a thought_signature in functionCall parts."],
    ["no-call-ids", "Unknown name \"id\" at 'contents[1].parts[0].function_call': Cannot find field."],
    ["alternate", "Please ensure that multiturn requests alternate between user and model."],
    [
      "plain-schemas",
      "Unknown name \"parametersJsonSchema\" at 'tools[0].function_declarations[0]': Cannot find field.",
    ],
  ],
};
const ROWS = Object.entries(SAID).map(([name, said]) => ({ name: name as ProtocolName, said }));

/** A conversation that every change would change. */
const layout = [
  { is: "reasoning", length: 3, fields: { signature: "s", thoughtSignature: "s", item: { id: "rs_0" } } },
  { is: "text", length: 2, fields: { id: "msg_0" } },
  { is: "call" },
  { is: "call" },
];
const call = (id: string, fields?: object) => ({
  id,
  type: "function" as const,
  function: { name: "LS", arguments: '{"path":"."}' },
  ...(fields && { vendorData: { from: "v", fields: { ...fields } } }),
});
const messages: ApiMessage[] = [
  { role: "system", content: "be" },
  { role: "user", content: "one" },
  { role: "user", content: "two" },
  {
    role: "assistant",
    content: "hi",
    tool_calls: [call("a", { id: "fc" }), call("b")],
    vendorData: { from: "v", fields: { layout, reasoning: "hm." } },
  },
  { role: "tool", tool_call_id: "a", content: "" },
  { role: "tool", tool_call_id: "b", content: "done" },
  { role: "user", content: "three" },
];
const parameters = {
  $schema: "x",
  type: "object",
  properties: { path: { type: "string", minLength: 1 } },
  additionalProperties: false,
};
const request: NeutralRequest = {
  target: modelCall("http://127.0.0.1:1/v1").target,
  messages,
  tools: [{ name: "LS", description: "Lists.", parameters }],
};

describe.each(ROWS)("a refusal over $name", ({ name, said }) => {
  it.each(said)("is about %s: %s", async (adaptation, words) => {
    const protocol = await PROTOCOLS[name]();
    const body = protocol.encode(request);
    const quirks = new Map<string, QuirkState>();
    const error = JSON.stringify({ error: { message: words } });
    expect(learnFrom(error, body, protocol.adaptations, quirks)?.name).toBe(adaptation);
    expect(adapted(body, protocol.adaptations, quirks)).not.toEqual(body);
  });

  it("is known of some vendor, for every change there is", async () => {
    const { adaptations } = await PROTOCOLS[name]();
    expect(new Set(said.map(([adaptation]) => adaptation))).toEqual(
      new Set(adaptations.map((one) => one.name)),
    );
  });

  it("is none about these", async () => {
    const protocol = await PROTOCOLS[name]();
    for (const words of ["Overloaded", "invalid x-api-key", "model: claude-99", "prompt is too long"]) {
      const quirks = new Map<string, QuirkState>();
      const error = JSON.stringify({ error: { message: words } });
      expect(learnFrom(error, protocol.encode(request), protocol.adaptations, quirks)).toBeUndefined();
    }
  });

  it("leads to a request that the vendor takes, whatever was learned", async () => {
    const protocol = await PROTOCOLS[name]();
    const wire = WIRES.find((one) => one.name === name);
    // Signatures are made up here: whether they are right is another test's business.
    const known = /signature|encrypted_content/i;
    fc.assert(
      fc.property(fc.subarray(protocol.adaptations.map((one) => one.name)), (learned) => {
        const quirks = new Map(learned.map((one): [string, QuirkState] => [one, "helps"]));
        const body = JSON.parse(bodyText(adapted(protocol.encode(request), protocol.adaptations, quirks)));
        const asked = { model: "m1", memory: { sealed: new Map() } };
        const problems = wire?.problems({ messages: [], ...body }, asked) ?? [];
        expect(problems.filter((problem) => !known.test(problem))).toEqual([]);
      }),
    );
  });
});

import type { SpokenReply } from "./scenario.ts";
import type { ServerRule } from "./scriptedModel.ts";
import {
  said,
  refuses,
  callsIn,
  answersIn,
  hasCalls,
  follows,
  sends,
  isEmpty,
  wantsReasoning,
  thinks,
  alternates,
  nineLetters,
  ORDER,
  extraForbidden,
  routed,
  SIGNATURE,
  signatureOf,
} from "./vendorRules.ts";
import { isToolName } from "./wires/checkRequest.ts";

/** A model server as strict as the vendor's own, with its words. */
export interface VendorServer {
  vendor: string;
  rules: readonly ServerRule[];
  /** What the vendor adds to an answer and, by its rules, wants to see again. */
  adds?: (reply: SpokenReply, n: number) => SpokenReply;
}

export const VENDORS: readonly VendorServer[] = [
  {
    vendor: "OpenAI",
    rules: [
      refuses(
        (body) => callsIn(body).some(({ id }) => id.length > 40),
        said(
          400,
          "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead.",
        ),
      ),
      refuses(
        (body) => callsIn(body).some((call) => !isToolName(call.function.name)),
        said(
          400,
          "Invalid 'messages[2].tool_calls[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
        ),
      ),
    ],
  },
  {
    vendor: "OpenAI, not verified",
    rules: [
      refuses(
        ({ stream }) => stream === true,
        said(
          400,
          "Your organization must be verified to stream this model. Please go to the settings and click on Verify Organization.",
          {
            param: "stream",
            code: "unsupported_value",
          },
        ),
      ),
    ],
  },
  {
    vendor: "Gemini 3",
    rules: [
      refuses(
        (body) =>
          answersIn(body).some(
            ({ tool_calls: [first] = [] }) => first && !/sig-\d|skip_thought/.test(signatureOf(first)),
          ),
        {
          status: 400,
          body: JSON.stringify([{ error: { code: 400, message: SIGNATURE, status: "INVALID_ARGUMENT" } }]),
        },
      ),
    ],
    adds: (reply, n) => ({
      ...reply,
      ...(reply.calls && {
        calls: reply.calls.map((call, at) =>
          at === 0
            ? { ...call, extra: { extra_content: { google: { thought_signature: `sig-${n}` } } } }
            : call,
        ),
      }),
    }),
  },
  {
    vendor: "Gemini behind a gateway",
    rules: [
      refuses(
        ({ tools = [] }) => JSON.stringify(tools).includes("additionalProperties"),
        said(
          400,
          "Invalid JSON payload received. Unknown name \"additionalProperties\" at 'tools[0].function_declarations[0].parameters': Cannot find field.",
        ),
      ),
      refuses(
        ({ messages }) => messages.some((message) => message.role === "tool" && !("name" in message)),
        said(
          400,
          "GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.",
        ),
      ),
    ],
  },
  {
    vendor: "DeepSeek",
    rules: [
      wantsReasoning(
        () => true,
        said(400, "The `reasoning_content` in the thinking mode must be passed back to the API."),
      ),
    ],
    adds: thinks("reasoning_content"),
  },
  {
    vendor: "DeepSeek R1",
    rules: [
      refuses(
        sends("reasoning_content"),
        said(400, "reasoning_content is not supported in the input messages."),
      ),
      refuses(
        follows("user", "user"),
        said(
          400,
          "deepseek-reasoner does not support successive user or assistant messages (messages[1] and messages[2] in your input). You should interleave the user/assistant messages in the message sequence.",
        ),
      ),
    ],
    adds: thinks("reasoning_content"),
  },
  {
    vendor: "Kimi",
    rules: [
      wantsReasoning(
        hasCalls,
        said(
          400,
          "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
        ),
      ),
    ],
    adds: thinks("reasoning_content"),
  },
  {
    vendor: "Groq",
    rules: [
      refuses(
        sends("reasoning_content"),
        said(
          400,
          "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported)]",
        ),
      ),
    ],
    adds: thinks("reasoning"),
  },
  {
    vendor: "Cerebras",
    rules: [
      refuses(sends("reasoning_content"), {
        status: 400,
        body: {
          message:
            "messages.2.assistant.reasoning_content: property 'messages.2.assistant.reasoning_content' is unsupported",
          type: "invalid_request_error",
          param: "validation_error",
          code: "wrong_api_format",
        },
      }),
    ],
    adds: thinks("reasoning"),
  },
  {
    vendor: "Mistral",
    rules: [nineLetters, refuses(follows("tool", "user"), ORDER), extraForbidden("reasoning_content")],
    adds: thinks("reasoning_content"),
  },
  {
    vendor: "OpenRouter",
    rules: [
      (body) => {
        const refusal = nineLetters(body) ?? refuses(follows("tool", "user"), ORDER)(body);
        return refusal && routed(refusal);
      },
      refuses(
        (body) =>
          answersIn(body).some(
            (answer) =>
              hasCalls(answer) &&
              !/"data":"sealed-\d/.test(JSON.stringify(answer["reasoning_details"] ?? null)),
          ),
        said(400, "reasoning_details are missing"),
      ),
    ],
    adds: (reply, n) => ({
      ...reply,
      extra: { reasoning_details: [{ type: "reasoning.encrypted", data: `sealed-${n}`, id: "r", index: 0 }] },
    }),
  },
  {
    vendor: "a Mistral template",
    rules: [
      refuses(
        (body) => !alternates(body),
        said(
          500,
          "After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
        ),
      ),
    ],
  },
  {
    vendor: "a Gemma template",
    rules: [
      refuses(({ messages }) => messages[0]?.role === "system", said(400, "System role not supported")),
      refuses(
        follows("user", "user"),
        said(400, "Conversation roles must alternate user/assistant/user/assistant/..."),
      ),
    ],
  },
  {
    vendor: "Zhipu",
    rules: [
      refuses(follows("user", "user"), said(400, "Incorrect role information", { code: "1214" })),
      refuses(
        ({ messages }) => messages.some(isEmpty),
        said(400, "messages 参数非法。content 不能为空", { code: "1214" }),
      ),
    ],
  },
  {
    vendor: "Bedrock behind a gateway",
    rules: [
      refuses(
        ({ messages }) => messages.some(isEmpty),
        said(400, "messages.2.content: text content blocks must be non-empty"),
      ),
      refuses(
        (body) => callsIn(body).some(({ id }) => !/^[a-zA-Z0-9_-]+$/.test(id)),
        said(400, "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"),
      ),
      refuses(({ max_tokens: limit }) => limit === undefined, said(400, "max_tokens: Field required")),
    ],
  },
  {
    vendor: "LM Studio",
    rules: [
      refuses(({ messages }) => messages.some(({ content }) => content === null), {
        status: 400,
        body: { error: "Invalid 'content': 'content' field must be a string or an array of objects." },
      }),
    ],
  },
  {
    vendor: "a server of 2023",
    rules: [
      refuses((body) => "stream_options" in body, {
        status: 422,
        body: { detail: [{ loc: ["body", "stream_options"], msg: "extra fields not permitted" }] },
      }),
    ],
  },
];

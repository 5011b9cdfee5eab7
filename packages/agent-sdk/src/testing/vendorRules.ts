import type { ScriptedMessage, ScriptedRequestBody, SpokenReply, StatusReply } from "./scenario.ts";
import type { ServerRule } from "./scriptedModel.ts";

export const said = (status: number, message: string, more: Record<string, unknown> = {}): StatusReply => ({
  status,
  body: { error: { message, type: "invalid_request_error", ...more } },
});

/** One rule: which requests break it, and what is said then. */
export const refuses =
  (isBroken: (body: ScriptedRequestBody) => boolean, reply: StatusReply): ServerRule =>
  (body) =>
    isBroken(body) ? reply : undefined;

export const callsIn = ({ messages }: ScriptedRequestBody) =>
  messages.flatMap(({ tool_calls: calls = [] }) => calls);
export const answersIn = ({ messages }: ScriptedRequestBody) =>
  messages.filter(({ role }) => role === "assistant");
export const hasCalls = ({ tool_calls: calls }: ScriptedMessage) => calls !== undefined;
export const follows = (first: string, second: string) => (body: ScriptedRequestBody) =>
  body.messages.some(({ role }, at) => role === second && body.messages[at - 1]?.role === first);
export const sends = (field: string) => (body: ScriptedRequestBody) =>
  answersIn(body).some((answer) => field in answer);
export const isEmpty = ({ content }: ScriptedMessage) => content === null || content === "";

/** Every answer, or every one with calls, comes back with the reasoning it was given, and no other. */
export const wantsReasoning = (of: (answer: ScriptedMessage) => boolean, reply: StatusReply): ServerRule =>
  refuses((body) => answersIn(body).some((answer) => of(answer) && !answer["reasoning_content"]), reply);

export const thinks =
  (thinkAs: NonNullable<SpokenReply["thinkAs"]>) =>
  (reply: SpokenReply, n: number): SpokenReply => ({ think: `thought ${n}`, thinkAs, ...reply });

/** As templates count: calls and their results are no turns. */
export const alternates = ({ messages }: ScriptedRequestBody) => {
  const turns = messages.filter((message) => message.role !== "tool" && !hasCalls(message));
  return turns.every(({ role }, at) => at === 0 || role !== turns[at - 1]?.role);
};

const mistral = (message: string, type: string, code: string): StatusReply => ({
  status: 400,
  body: { object: "error", message, type, param: null, code },
});
const NINE = mistral(
  "Tool call id was call_0 but must be a-z, A-Z, 0-9, with a length of 9.",
  "invalid_function_call",
  "3280",
);
export const nineLetters = refuses(
  (body) => callsIn(body).some(({ id }) => !/^[a-zA-Z0-9]{9}$/.test(id)),
  NINE,
);
export const ORDER = mistral(
  "Unexpected role 'user' after role 'tool'",
  "invalid_request_message_order",
  "3230",
);
export const extraForbidden = (field: string): ServerRule =>
  refuses(sends(field), {
    status: 422,
    body: {
      detail: [
        {
          type: "extra_forbidden",
          loc: ["body", "messages", 2, "assistant", field],
          msg: "Extra inputs are not permitted",
        },
      ],
    },
  });
export const routed = ({ status, body }: StatusReply): StatusReply => ({
  status,
  body: {
    error: {
      message: "Provider returned error",
      code: status,
      metadata: { raw: JSON.stringify(body), provider_name: "Mistral" },
    },
  },
});

export const SIGNATURE =
  "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.";
export const signatureOf = (call: Record<string, unknown> | undefined) =>
  JSON.stringify(call?.["extra_content"] ?? null);

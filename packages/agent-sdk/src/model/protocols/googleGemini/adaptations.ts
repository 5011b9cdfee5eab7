import type { Adaptation } from "../../adaptations.ts";
import { asRecord } from "../../json.ts";
import { joinByRole } from "../../joinByRole.ts";
import { plainSchema } from "../../plainSchema.ts";
import type { GeminiBody, GeminiPart } from "./encode.ts";

type Change = (body: GeminiBody) => GeminiBody;

const withoutThoughts: Change = ({ generationConfig: _config, ...body }) => body;

const eachPart = (body: GeminiBody, change: (part: GeminiPart) => GeminiPart): GeminiBody => ({
  ...body,
  contents: body.contents.map((content) => ({ ...content, parts: content.parts.map(change) })),
});

const withNothingBack: Change = (body) => eachPart(body, ({ thoughtSignature: _signature, ...part }) => part);

/** Google names this text for calls that have no signature, because another model made them. */
const SKIP_SIGNATURE = "skip_thought_signature_validator";

/** Of calls that were made together only the first has one. */
const filledSignatures: Change = (body) => ({
  ...body,
  contents: body.contents.map((content) => {
    const first = content.parts.findIndex((part) => part["functionCall"] !== undefined);
    const parts = content.parts.map((part, at) =>
      at === first && part["thoughtSignature"] === undefined
        ? { ...part, thoughtSignature: SKIP_SIGNATURE }
        : part,
    );
    return { ...content, parts };
  }),
});

const withoutIds: Change = (body) =>
  eachPart(body, (part) =>
    Object.fromEntries(
      Object.entries(part).map(([name, value]) => {
        const { id: _id, ...rest } = asRecord(value) ?? {};
        return [name, name.startsWith("function") ? rest : value];
      }),
    ),
  );

const alternating: Change = (body) => ({
  ...body,
  contents: joinByRole(body.contents, (first, next) => ({
    ...first,
    parts: [...first.parts, ...next.parts],
  })),
});

const plainSchemas: Change = (body) => ({
  ...body,
  ...(body.tools && {
    tools: body.tools.map(({ functionDeclarations }) => ({
      functionDeclarations: functionDeclarations.map(({ parametersJsonSchema, ...tool }) => ({
        ...tool,
        ...(parametersJsonSchema && { parameters: plainSchema(parametersJsonSchema) }),
      })),
    })),
  }),
});

const systemInFirstContent: Change = ({ systemInstruction, ...body }) => {
  const [first, ...rest] = body.contents;
  if (!systemInstruction || !first) return body;
  const opening = { ...first, parts: [...systemInstruction.parts, ...first.parts] };
  return { ...body, contents: [opening, ...rest] };
};

/** Older models of Google's, Gemma, and servers of others that speak the protocol. */
export const ADAPTATIONS: readonly Adaptation<GeminiBody>[] = [
  {
    name: "no-thoughts",
    says: /include_?thoughts|thinking_?config|thinking (is )?(not|only|un)/i,
    change: withoutThoughts,
    does: "does not ask for its thoughts",
  },
  {
    name: "no-system-role",
    says: /developer instruction is not enabled|system_?instruction.{0,40}not (supported|enabled)/i,
    change: systemInFirstContent,
    does: "puts the system prompt into the first message",
  },
  {
    name: "nothing-back",
    says: /thought_?signature.{0,60}(not valid|invalid|corrupt)|(invalid|corrupted) thought_? ?signature/i,
    change: withNothingBack,
    does: "does not send back what signed earlier answers",
  },
  {
    name: "filled-signatures",
    says: /missing (a )?['"`]?thought_?signature/i,
    change: filledSignatures,
    does: "sends calls of other models without a signature",
  },
  {
    name: "no-call-ids",
    says: /unknown name \\?"id|function_(call|response)\.id/i,
    change: withoutIds,
    does: "sends calls without their ids",
  },
  {
    name: "alternate",
    says: /(must|should|ensure).{0,60}alternate/i,
    change: alternating,
    does: "sends messages of one role that follow each other as one",
  },
  {
    name: "plain-schemas",
    says: /parameters_?json_?schema|additionalProperties|\$schema|function_declarations/i,
    change: plainSchemas,
    does: "describes its tools without limits on their input, which it still checks",
  },
];

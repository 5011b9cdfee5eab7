import { z } from "zod";
import { OptionsError } from "../errors.ts";
import { HOOK_EVENTS } from "../hooks/events.ts";
import { PROMPT_SOURCES } from "../hooks/eventFields.ts";
import { permissionModeSchema } from "../workspace/settings/schema.ts";
import { says, textSchema } from "../workspace/settings/fieldSchemas.ts";
import { checkedName } from "../messages/sessionName.ts";
import { permissionAnswerSchema, RULE_SCOPES } from "../permissions/request.ts";
import { ruleChangeSchema } from "../permissions/ruleList.ts";
import { isPlainObject } from "../utils/kindOfValue.ts";
import { limitsSchema, mistake, oneOf } from "./optionSchemas.ts";
import { isStandardSchema } from "./standardSchema.ts";
import { problemsOf } from "./problems.ts";

/** Whether the bytes are an image is seen when they are used. */
const imagesSchema = () =>
  z
    .array(
      z.strictObject({
        type: z.literal("image", says('must be "image"')),
        mediaType: textSchema(),
        data: textSchema(),
        path: textSchema().optional(),
      }),
      says("must be a list of images"),
    )
    .optional();

const signalSchema = () =>
  z.custom<AbortSignal>((value) => value instanceof AbortSignal, says("must be an AbortSignal")).optional();

const promptOptions = () =>
  z.strictObject({
    source: oneOf(PROMPT_SOURCES).optional(),
    images: imagesSchema(),
    signal: signalSchema(),
    limits: limitsSchema().optional(),
  });

/** What each method and each property that can be set takes, by the names of its arguments. */
export const ARGUMENTS = {
  sendMessage: { content: textSchema, options: () => promptOptions().optional() },
  send: {
    content: textSchema,
    options: () =>
      promptOptions()
        .extend({
          output: z
            .custom(isStandardSchema, says("must be a Standard Schema, such as z.object({ id: z.string() })"))
            .optional(),
          outputJsonSchema: z.custom(isPlainObject, says("must be a JSON Schema")).optional(),
        })
        .optional(),
  },
  subscribe: {
    listener: () => z.custom((value) => typeof value === "function", says("must be a function")),
    options: () => z.strictObject({ replay: z.boolean(says("must be true or false")).optional() }),
  },
  steer: { content: textSchema, options: () => z.strictObject({ images: imagesSchema() }).optional() },
  compact: { instructions: () => z.string(says("must be a text")).optional() },
  runShell: { command: textSchema },
  addNote: { note: textSchema },
  allowRule: { rule: textSchema, scope: () => oneOf(RULE_SCOPES) },
  changeRule: { change: ruleChangeSchema },
  answerPermission: { id: textSchema, answer: permissionAnswerSchema },
  endBackgroundTask: { id: textSchema },
  switchHook: { id: textSchema, on: () => z.boolean(says("must be true or false")) },
  reviewSettings: { about: () => oneOf(["changes", "everything"]) },
  takeSettings: {
    review: () => z.custom((value) => isPlainObject(value), says("must be what reviewSettings returned")),
  },
  planRewind: { messageId: textSchema },
  rewind: {
    messageId: textSchema,
    options: () => z.strictObject({ files: z.boolean(says("must be true or false")) }),
  },
  destroy: {
    reason: () => HOOK_EVENTS.SessionEnd.input().shape.reason,
    options: () => z.strictObject({ signal: signalSchema() }),
  },
  permissionMode: { permissionMode: permissionModeSchema },
  model: { model: textSchema },
  name: {
    name: () =>
      z.string(says("must be a text")).superRefine(
        mistake((name) => {
          try {
            checkedName(name);
            return undefined;
          } catch (error) {
            return { message: error instanceof Error ? error.message : String(error) };
          }
        }),
      ),
  },
} satisfies Record<string, Record<string, () => z.ZodType>>;

export type Method = keyof typeof ARGUMENTS;
export type Arguments<M extends Method> = Record<keyof (typeof ARGUMENTS)[M], unknown>;

/** Throws OptionsError for arguments that a compiler would have refused: `sendMessage.content`, or `permissionMode`. */
export function checkArguments<M extends Method>(method: M, given: Arguments<M>): void {
  const schemas: Record<string, () => z.ZodType> = ARGUMENTS[method];
  const problems = Object.entries<unknown>(given).flatMap(([name, value]) => {
    const schema = schemas[name];
    return schema ? problemsOf(schema(), value, name === method ? name : `${method}.${name}`) : [];
  });
  if (problems.length > 0) throw new OptionsError(problems);
}

import { z } from "zod";
import type { DeepReadonly } from "../utils/deepFreeze.ts";
import { once } from "../utils/once.ts";

const replacedSchema = once(() => z.object({ from: z.number(), to: z.number(), lines: z.array(z.string()) }));

/**
 * What a model server wants to see again beside a block, exactly as it came: signatures, sealed reasoning. To every other
 * server and model it means nothing, and it is not sent there.
 */
const vendorDataSchema = once(() =>
  z.object({
    /** Who gave it: protocol, server and model. */
    from: z.string(),
    /** By the names of that protocol. */
    fields: z.record(z.string(), z.unknown()).optional(),
    /** The field in which the block's own text goes back. */
    textField: z.string().optional(),
  }),
);

/** What hooks, permissions and the model say about one call lands here; `parameters` is what the model sent. */
export const toolBlockSchema = once(() =>
  z.object({
    type: z.literal("tool"),
    id: z.string(),
    name: z.string(),
    /** The arguments exactly as the model wrote them; broken JSON stays broken. */
    parameters: z.string(),
    /** The input that runs or ran, when a hook or the gate made it differ from `parameters`. */
    input: z.record(z.string(), z.unknown()).optional(),
    /** For each field that hooks changed: "hook NAME (file:line)". */
    changedBy: z.record(z.string(), z.string()).optional(),
    stage: z.enum(["pending", "running", "ended"]),
    /** What the model is told. Absent until the call is answered. */
    result: z.string().optional(),
    success: z.boolean().optional(),
    /** A short word for the user on why `success` is false. */
    error: z.string().optional(),
    /**
     * Of a Write over a file: what its content replaced, as the way back from it, for whoever shows the change. Lines `from` up to,
     * and without, `to` of the content stand where `lines` were. Absent where there was no file, or too much to keep.
     */
    replaced: z.array(replacedSchema()).optional(),
    /** Of a call of the tool Agent: the sub-agent that works for it. Its transcript is in the folder of the session. */
    agent: z.object({ id: z.string(), type: z.string() }).optional(),
    vendorData: vendorDataSchema().optional(),
  }),
);

/** Which hook of which file spoke. */
const originSchema = once(() => z.object({ hookEvent: z.string(), hook: z.string(), source: z.string() }));

/**
 * A command that the person ran with `!`, or (`for`) what was read because the prompt before it names it: the call stands in a
 * message of role user.
 */
const personOriginSchema = once(() =>
  z.object({ ranBy: z.literal("person"), for: z.literal("prompt").optional() }),
);

const textBlockSchema = once(() =>
  z.object({ type: z.literal("text"), content: z.string(), vendorData: vendorDataSchema().optional() }),
);
/** Its content may be empty: some servers show nothing of the reasoning and want it back all the same. */
const reasoningBlockSchema = once(() =>
  z.object({ type: z.literal("reasoning"), content: z.string(), vendorData: vendorDataSchema().optional() }),
);
const imageBlockSchema = once(() =>
  z.object({
    type: z.literal("image"),
    mediaType: z.string(),
    /** Base64. */
    data: z.string(),
    path: z.string().optional(),
  }),
);
/** For the user only: never sent to the model (FR-020). */
const errorBlockSchema = once(() =>
  z.object({
    type: z.literal("error"),
    content: z.string(),
    origin: originSchema().optional(),
    /** The hook could not decide: the kind of failure, and the whole message with what to do about it (T124). */
    failure: z.object({ kind: z.string(), message: z.string() }).optional(),
  }),
);
/** For the user only; any part of Wave may add one (MB-1). */
const warnBlockSchema = once(() =>
  z.object({
    type: z.literal("warn"),
    content: z.string(),
    origin: originSchema().optional(),
  }),
);
/** What a hook's JSON says to the model, with its origin visible (MB-2). */
export const hookBlockSchema = once(() =>
  z.object({
    type: z.literal("hook"),
    hookEvent: z.string(),
    content: z.string(),
    /** `hook` and `source`: who said it. `feedback`: it objects to something, and is no standing context. `again`: see context.ts. */
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
);

/** Stands for what was said before it: a compaction. Sent to the model with its origin visible, as long as it is not undone. */
const summaryBlockSchema = once(() =>
  z.object({
    type: z.literal("summary"),
    content: z.string(),
    /** Messages before it that are still sent word for word, by id. */
    keeps: z.array(z.string()),
    /** How many messages it stands for. */
    covers: z.number(),
    askedBy: z.enum(["person", "wave"]),
    /** Size of the context as the model server counted it, and about what is left of it. */
    tokensBefore: z.number().optional(),
    tokensAfter: z.number().optional(),
    undone: z.literal(true).optional(),
  }),
);

/** Something of a newer version of Wave, or something damaged: kept as it came, and shown as unknown. */
const unknownBlockSchema = once(() =>
  z.object({
    type: z.literal("unknown"),
    /** What it says that it is. */
    name: z.string(),
    raw: z.record(z.string(), z.unknown()),
  }),
);

export const blockSchema = once(() =>
  z.discriminatedUnion("type", [
    textBlockSchema(),
    reasoningBlockSchema(),
    toolBlockSchema(),
    imageBlockSchema(),
    errorBlockSchema(),
    warnBlockSchema(),
    hookBlockSchema(),
    summaryBlockSchema(),
    unknownBlockSchema(),
  ]),
);

/** Tokens as the model server counted them. */
export const usageSchema = once(() =>
  z.object({
    inputTokens: z.number(),
    outputTokens: z.number(),
    /** Of the input: read from the server's cache. */
    cachedInputTokens: z.number().optional(),
    /** Of the input: written to the server's cache, which some charge for. */
    cacheWriteTokens: z.number().optional(),
    /** In US dollars, where Wave knows the price of the model. */
    costUsd: z.number().optional(),
    /** Of a sum: how many tokens have no price, and are no part of `costUsd`. */
    unpricedTokens: z.number().optional(),
  }),
);

export const messageSchema = once(() =>
  z.object({
    id: z.string(),
    role: z.enum(["user", "assistant"]),
    blocks: z.array(blockSchema()),
    /** Where a message of role user comes from that no person wrote: a hook, or a command that a person ran. */
    origin: z.union([originSchema(), personOriginSchema()]).optional(),
    /** The person said it while a turn was under way: it belongs to that turn and did not begin one. */
    steered: z.literal(true).optional(),
    usage: usageSchema().optional(),
  }),
);

/** Nobody changes what was said: an edit puts another message in its place. */
type Made<Schema extends () => z.ZodType> = DeepReadonly<z.infer<ReturnType<Schema>>>;

export type VendorData = Made<typeof vendorDataSchema>;
export type TextBlock = Made<typeof textBlockSchema>;
export type ReasoningBlock = Made<typeof reasoningBlockSchema>;
export type ToolBlock = Made<typeof toolBlockSchema>;
export type ImageBlock = Made<typeof imageBlockSchema>;
export type ErrorBlock = Made<typeof errorBlockSchema>;
export type WarnBlock = Made<typeof warnBlockSchema>;
export type HookBlock = Made<typeof hookBlockSchema>;
export type SummaryBlock = Made<typeof summaryBlockSchema>;
export type UnknownBlock = Made<typeof unknownBlockSchema>;
export type Block = Made<typeof blockSchema>;
export type Usage = Made<typeof usageSchema>;
export type Message = Made<typeof messageSchema>;
export type Origin = Made<typeof originSchema>;
export type PersonOrigin = Made<typeof personOriginSchema>;

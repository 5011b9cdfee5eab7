import { z } from "zod";
import { decisionRecordSchema } from "../hooks/record.ts";
import { usageSchema } from "./blocks.ts";
import { editSchema } from "./edits.ts";

export const SESSION_VERSION = 1;

/** What a session file is made of, before `v`, `seq` and `ts` are put on. The order in the file is the history. */
export const sessionRecordSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("header"),
    version: z.literal(SESSION_VERSION),
    id: z.string(),
    cwd: z.string(),
    /** The session this one was forked from. */
    parent: z.string().optional(),
  }),
  z.object({ type: z.literal("edit"), edit: editSchema }),
  /** Written and synced before a tool runs: a crash after it means "interrupted, outcome unknown". */
  z.object({ type: z.literal("tool_started"), toolId: z.string(), name: z.string(), inputHash: z.string() }),
  z.object({ type: z.literal("decision"), record: decisionRecordSchema }),
  z.object({ type: z.literal("turn_ended"), because: z.string(), usage: usageSchema.optional() }),
  z.object({ type: z.literal("resumed"), interruptedTools: z.array(z.string()) }),
  /** The file did not end with a newline: the bytes before it are half a record of a crash. */
  z.object({ type: z.literal("recovered"), bytes: z.number() }),
  z.object({ type: z.literal("ended"), reason: z.string() }),
]);

export type SessionRecord = z.infer<typeof sessionRecordSchema>;

export const sessionLineSchema = z.intersection(
  z.object({ v: z.literal(SESSION_VERSION), seq: z.number(), ts: z.string() }),
  sessionRecordSchema,
);

export type SessionLine = z.infer<typeof sessionLineSchema>;

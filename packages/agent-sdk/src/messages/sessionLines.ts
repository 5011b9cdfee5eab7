import type { DeepReadonly } from "../utils/deepFreeze.ts";
import { z } from "zod";
import { decisionRecordSchema } from "../hooks/record.ts";
import { RULE_SCOPES } from "../permissions/request.ts";
import { usageSchema } from "./blocks.ts";
import { editSchema } from "./edits.ts";
import { fileChangeSchema } from "./fileChanges.ts";
import { streamedSchema } from "./streamedAnswer.ts";
import { once } from "../utils/once.ts";

export const SESSION_VERSION = 1;

/** The name of the session once more, so that a list need not read a long file to find it. */
const repeatedName = once(() => z.string().optional());

/** What a session file is made of, before `v`, `seq` and `ts` are put on. The order in the file is the history. */
export const sessionRecordSchema = once(() =>
  z.discriminatedUnion("type", [
    z.object({
      type: z.literal("header"),
      version: z.number(),
      id: z.string(),
      cwd: z.string(),
      /** The session this one was forked from. */
      parent: z.string().optional(),
    }),
    z.object({ type: z.literal("edit"), edit: editSchema() }),
    streamedSchema(),
    /** Written and synced before a tool runs: a crash after it means "interrupted, outcome unknown". */
    z.object({
      type: z.literal("tool_started"),
      toolId: z.string(),
      name: z.string(),
      inputHash: z.string(),
    }),
    /** Written and synced before a file is changed, with what is there and what will be: a rewind reads it. */
    fileChangeSchema().extend({
      type: z.literal("file_changed"),
      /** "hook": what hooks made of the file that a call had just changed. */
      by: z.enum(["tool", "hook", "rewind", "undo"]),
      toolId: z.string().optional(),
    }),
    /** What the person calls the session. */
    z.object({ type: z.literal("named"), name: z.string() }),
    z.object({ type: z.literal("decision"), record: decisionRecordSchema() }),
    z.object({
      type: z.literal("turn_ended"),
      because: z.string(),
      usage: usageSchema().optional(),
      name: repeatedName(),
    }),
    /** For the requests that follow, and for the session when it is resumed. */
    z.object({ type: z.literal("model_chosen"), model: z.string() }),
    z.object({ type: z.literal("resumed"), interruptedTools: z.array(z.string()), name: repeatedName() }),
    /** A person allowed calls like one that was asked about. "session": in force again when the session is resumed. */
    z.object({ type: z.literal("rule_added"), rule: z.string(), scope: z.enum(RULE_SCOPES) }),
    /** A rule that was kept for the session does not count any more. */
    z.object({ type: z.literal("rule_removed"), rule: z.string() }),
    /** The file did not end with a newline: the bytes before it are half a record of a crash. */
    z.object({ type: z.literal("recovered"), bytes: z.number() }),
    z.object({ type: z.literal("ended"), reason: z.string(), name: repeatedName() }),
  ]),
);

export type SessionRecord = DeepReadonly<z.infer<ReturnType<typeof sessionRecordSchema>>>;

export const sessionLineSchema = once(() =>
  z.intersection(
    z.object({ v: z.literal(SESSION_VERSION), seq: z.number(), ts: z.string() }),
    sessionRecordSchema(),
  ),
);

export type SessionLine = z.infer<ReturnType<typeof sessionLineSchema>>;

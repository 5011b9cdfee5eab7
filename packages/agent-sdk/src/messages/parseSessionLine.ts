import { z } from "zod";
import { once } from "../utils/once.ts";
import { blockSchema } from "./blocks.ts";
import { editSchema } from "./edits.ts";
import { isPlainRecord, mapBlocks, readUnknown } from "./rawBlocks.ts";
import { SESSION_VERSION, sessionRecordSchema, type SessionRecord } from "./sessionLines.ts";

export type ParsedLine =
  | {
      read: "record";
      ts: string;
      record: SessionRecord;
      /** What a newer version of Wave wrote into it that this one does not know, as far as it does. */
      newer?: string;
      /** What is wrong with a block of it, to be read after "line 12". */
      misfit?: string;
    }
  /** A newer version of Wave wrote it: all of it is unknown here. `edit`: it changed the conversation. */
  | { read: "newer"; newer: string; edit?: Record<string, unknown> }
  /** What is wrong, to be read after "line 12". */
  | { read: "nothing"; why: string };

/** Reads one line of a session file. Never throws: damage and newer versions are values. */
export function parseSessionLine(text: string): ParsedLine {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return { read: "nothing", why: "is not valid JSON and was skipped" };
  }
  const envelope = envelopeSchema().safeParse(raw).data;
  if (!envelope) return { read: "nothing", why: "is not a session record and was skipped" };
  // In a copy that an older version made: perhaps this one knows it.
  if (text.includes('"type":"unknown"')) raw = mapBlocks(raw, readUnknown);
  const format = envelope.v > SESSION_VERSION ? `format ${envelope.v}` : undefined;
  const parsed = sessionRecordSchema().safeParse(raw);
  if (parsed.success) return asRecord(envelope.ts, parsed.data, raw, format);
  return partlyKnown(raw, envelope.ts, format) ?? whyNot(raw, parsed.error, format);
}

const envelopeSchema = once(() => z.object({ v: z.int().min(1), seq: z.number(), ts: z.string() }));

function asRecord(
  ts: string,
  record: SessionRecord,
  raw: unknown,
  newer: string | undefined,
  misfit?: string,
): ParsedLine {
  const header =
    record.type === "header" && record.version > SESSION_VERSION ? `format ${record.version}` : newer;
  return {
    read: "record",
    ts,
    record: withUnknownFields(record, raw),
    ...(header === undefined ? {} : { newer: header }),
    ...(misfit === undefined ? {} : { misfit }),
  };
}

/** Fields of a message that this version does not know stay with it: a copy, or a message that is brought back, has them again. */
function withUnknownFields(record: SessionRecord, raw: unknown): SessionRecord {
  if (record.type !== "edit" || !isPlainRecord(raw) || !MESSAGE_EDITS.has(record.edit.edit)) return record;
  // It fits the schema, which changes nothing but to leave such fields out.
  return { type: "edit", edit: raw["edit"] } as SessionRecord;
}

const MESSAGE_EDITS: ReadonlySet<string> = new Set(["add-message", "add-block", "bring-back"]);

/** One block that is not known, or does not fit, does not cost the message it stands in. */
function partlyKnown(raw: unknown, ts: string, format: string | undefined): ParsedLine | undefined {
  const unknown = new Set<string>();
  const misfits: string[] = [];
  const readable = mapBlocks(raw, (block) => {
    const parsed = blockSchema().safeParse(block);
    if (parsed.success || !isPlainRecord(block)) return block;
    const name = String(block["type"]);
    if (blockTypes().has(name))
      misfits.push(`has a block that does not fit its type (${issueIn(parsed.error)})`);
    else unknown.add(`block "${name}"`);
    return { type: "unknown", name, raw: block };
  });
  if (unknown.size + misfits.length === 0) return undefined;
  const parsed = sessionRecordSchema().safeParse(readable);
  if (!parsed.success) return undefined;
  const newer = [...(format === undefined ? [] : [format]), ...unknown].join(", ");
  return asRecord(ts, parsed.data, readable, newer === "" ? undefined : newer, misfits[0]);
}

function whyNot(raw: unknown, error: z.ZodError, format: string | undefined): ParsedLine {
  const { type, edit, isKnown } = kindsOf(raw);
  const unknown = isKnown ? undefined : edit === undefined ? `record type "${type}"` : `edit "${edit.edit}"`;
  const newer = [format, unknown].filter((one) => one !== undefined).join(", ");
  if (newer !== "") return { read: "newer", newer, ...(type === "edit" && edit ? { edit } : {}) };
  return { read: "nothing", why: `does not fit its type (${issueIn(error)}) and was skipped` };
}

/** What a line says that it is, and whether this version has such lines. */
function kindsOf(raw: unknown) {
  const { type, edit } = kindSchema().parse(raw);
  const isEditKnown = type !== "edit" || !edit || editKinds().has(edit.edit);
  return { type, edit, isKnown: type === undefined || (recordTypes().has(type) && isEditKnown) };
}

function issueIn({ issues: [issue] }: z.ZodError): string {
  return issue ? `${issue.path.join(".")}: ${issue.message}` : "invalid";
}

const kindSchema = once(() =>
  z.object({
    type: z.string().optional().catch(undefined),
    edit: z.looseObject({ edit: z.string() }).optional().catch(undefined),
  }),
);
const recordTypes = once(
  () => new Set<string>(sessionRecordSchema().options.map((option) => option.shape.type.value)),
);
const editKinds = once(() => new Set<string>(editSchema().options.map((option) => option.shape.edit.value)));
const blockTypes = once(
  () => new Set<string>(blockSchema().options.map((option) => option.shape.type.value)),
);

import { z } from "zod";
import { editSchema } from "./edits.ts";
import { SESSION_VERSION, sessionRecordSchema, type SessionRecord } from "./sessionLines.ts";
import { once } from "../utils/once.ts";

export type ParsedLine =
  | { read: "record"; ts: string; record: SessionRecord }
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
  if (envelope.v !== SESSION_VERSION) return fromNewer(`format ${envelope.v}`);
  const parsed = sessionRecordSchema().safeParse(raw);
  if (parsed.success) return { read: "record", ts: envelope.ts, record: parsed.data };
  return whyNot(raw, parsed.error);
}

const envelopeSchema = once(() => z.object({ v: z.number(), seq: z.number(), ts: z.string() }));

function whyNot(raw: unknown, error: z.ZodError): ParsedLine {
  const { type, edit } = kindSchema().parse(raw);
  if (type !== undefined && !recordTypes().has(type)) return fromNewer(`record type "${type}"`);
  if (type === "edit" && edit && !editKinds().has(edit.edit)) return fromNewer(`edit "${edit.edit}"`);
  const [issue] = error.issues;
  const what = issue ? `${issue.path.join(".")}: ${issue.message}` : "invalid";
  return { read: "nothing", why: `does not fit its type (${what}) and was skipped` };
}

function fromNewer(what: string): ParsedLine {
  return { read: "nothing", why: `was written by a newer version of Wave (${what}) and was skipped` };
}

const kindSchema = once(() =>
  z.object({
    type: z.string().optional().catch(undefined),
    edit: z.object({ edit: z.string() }).optional().catch(undefined),
  }),
);
const recordTypes = once(
  () => new Set<string>(sessionRecordSchema().options.map((option) => option.shape.type.value)),
);
const editKinds = once(() => new Set<string>(editSchema().options.map((option) => option.shape.edit.value)));

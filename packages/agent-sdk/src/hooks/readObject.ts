import type { z } from "zod";
import { HOOK_EVENTS, type HookEvent } from "./events.ts";
import { whyUnreadable } from "../utils/readable.ts";
import { decides, didYouMean, isRecord, knownFields, nearMiss } from "./outputFields.ts";

export type Decision = "none" | "allow" | "ask" | "deny";

/** none < allow < ask < deny: the whole order of decisions, in one place. */
const STRICTNESS: Record<Decision, number> = { none: 0, allow: 1, ask: 2, deny: 3 };

export const stricter = (a: Decision, b: Decision): Decision => (STRICTNESS[b] > STRICTNESS[a] ? b : a);

/** What one JSON object says, before the exit code has a word. */
export interface Reading {
  decision: Decision;
  reason: string | undefined;
  /** `continue: false`; the text is the stop reason, undefined when none was given. */
  halt: { reason: string | undefined } | undefined;
  context: string | undefined;
  rewrite: { to: Record<string, unknown> } | { refused: string } | undefined;
  systemMessage: string | undefined;
  /** Wrong types, unknown values, misspelt fields: a failure, though what holds back in the object still counts. */
  broken: string[];
  /** Why it may have meant more than it says: a failure to a hook whose `onError` holds back, else a warning. */
  doubts: string[];
  warnings: string[];
  unknownFields: string[];
}

/** Reads one object a hook printed. Lenient to what is missing, never to what is wrong; see decision 0003. */
export function readObject(event: HookEvent, printed: Record<string, unknown>): Reading {
  const { shape } = HOOK_EVENTS[event].output();
  const notes: Notes = { broken: [], nulls: [], misplaced: [], warnings: [], unknownFields: [] };
  const top = readFields(event, printed, shape, "", notes);
  const specificShape: z.ZodRawShape = shape.hookSpecificOutput.unwrap().shape;
  const inner = printed["hookSpecificOutput"];
  const specific = isRecord(inner)
    ? readFields(event, inner, specificShape, "hookSpecificOutput.", notes)
    : {};
  const { broken, warnings, unknownFields } = notes;
  const named = !isRecord(inner) || specific["hookEventName"] === event;
  const read = readDecision(event, top, specific, notes);
  const { reason, spoke } = read;
  const { isUnusable, interrupts } = readAnswer(specific["decision"], warnings);
  const decision = isUnusable ? "none" : read.decision;
  const ends = top["continue"] === false ? { reason: words(top["stopReason"]) } : undefined;
  const halt = ends ?? (interrupts ? { reason } : undefined);
  const given = isRecord(inner) ? inner[rewritingField(specificShape)] : undefined;

  const holdsBack = halt !== undefined || decision === "deny" || decision === "ask";
  const letsThrough = decision === "allow" || wantsRewrite(specificShape, given);
  const doubts = [...notes.misplaced];
  if (!spoke && !halt) doubts.push(...notes.nulls.map((field) => `${field} is null, which decides nothing`));
  if (!named) (letsThrough ? doubts : warnings).push(wrongName(event, specific["hookEventName"]));
  // What holds back leaves no doubt.
  if (holdsBack) warnings.push(...doubts.splice(0));

  const sound = named && broken.length === 0;
  return {
    decision: decision === "allow" && !sound ? "none" : decision,
    reason,
    halt,
    context: broken.length > 0 ? undefined : contextIn(specific),
    rewrite: named ? readRewrite(specificShape, given, sound) : undefined,
    systemMessage: words(top["systemMessage"]),
    broken,
    doubts,
    warnings,
    unknownFields,
  };
}

interface Notes {
  broken: string[];
  /** Fields for a decision in which null stands. */
  nulls: string[];
  /** Fields for a decision that stand at the wrong level. */
  misplaced: string[];
  warnings: string[];
  unknownFields: string[];
}

/** The fields that fit their schema; everything else becomes a note. */
function readFields(
  event: HookEvent,
  value: Record<string, unknown>,
  shape: z.ZodRawShape,
  prefix: string,
  notes: Notes,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(value)) {
    const schema = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (!schema) {
      noteStranger(event, value, key, prefix, notes);
      continue;
    }
    // Programs that write all their fields write null where nothing is set.
    if (given === null) {
      if (key === "decision" || key === "permissionDecision") notes.nulls.push(prefix + key);
      continue;
    }
    // These three have readers of their own with rulings of their own.
    if (key === "hookSpecificOutput" ? isRecord(given) : key === rewritingField(shape)) continue;
    if (key === "hookEventName") {
      fields[key] = given;
      continue;
    }
    const parsed = (schema as z.ZodType).safeParse(given);
    if (parsed.success) fields[key] = parsed.data;
    else notes.broken.push(`${prefix}${key}: ${parsed.error.issues[0]?.message ?? "not valid"}`);
  }
  return fields;
}

/** A field that does not belong where it stands. */
function noteStranger(
  event: HookEvent,
  value: Record<string, unknown>,
  key: string,
  prefix: string,
  notes: Notes,
): void {
  const near = nearMiss(key, value[key]);
  if (near?.decides && hasField(event, near.meant)) {
    notes.broken.push(didYouMean(prefix + key, near.meant));
    return;
  }
  if (value[key] === null) return;
  if (knownFields().has(key)) {
    const isMisplaced = decides(key) && hasField(event, key);
    const ignored = `field ${prefix}${key} is not supported for ${event} and was ignored`;
    (isMisplaced ? notes.misplaced : notes.warnings).push(ignored);
    return;
  }
  notes.unknownFields.push(prefix + key);
  if (near && !Object.hasOwn(value, near.meant)) notes.warnings.push(didYouMean(prefix + key, near.meant));
}

function hasField(event: HookEvent, field: string): boolean {
  const { shape } = HOOK_EVENTS[event].output();
  return Object.hasOwn(shape, field) || Object.hasOwn(shape.hookSpecificOutput.unwrap().shape, field);
}

function readDecision(
  event: HookEvent,
  top: Record<string, unknown>,
  specific: Record<string, unknown>,
  notes: Notes,
): { decision: Decision; reason: string | undefined; spoke: boolean } {
  const places = [top, specific].flatMap((fields) => [
    {
      said: fields["permissionDecision"],
      reason: words(fields["permissionDecisionReason"]) ?? words(fields["reason"]),
    },
    { said: fields["action"], reason: words(fields["reason"]) },
    {
      said: behaviorOf(fields["decision"]),
      reason:
        words(fields["reason"]) ?? words(fields["permissionDecisionReason"]) ?? messageOf(fields["decision"]),
    },
  ]);
  const said = places
    .filter((place) => place.said !== undefined)
    .map((place) => ({ decision: meaning(event, place.said), reason: place.reason }));
  const decision = said.map((place) => place.decision).reduce(stricter, "none");
  if (said.some((place) => place.decision !== decision)) {
    notes.warnings.push(`two decisions that contradict each other; the stricter one (${decision}) counts`);
  }
  const winner = said.find((place) => place.decision === decision && place.reason !== undefined);
  return { decision, reason: winner?.reason, spoke: said.length > 0 };
}

/** At PermissionRequest a decision is an object. */
const behaviorOf = (decision: unknown) => (isRecord(decision) ? decision["behavior"] : decision);
const messageOf = (decision: unknown) => (isRecord(decision) ? words(decision["message"]) : undefined);

/** What an answer to a question cannot do: the person is asked as if it had not been given, or it counts without that. */
function readAnswer(answer: unknown, warnings: string[]): { isUnusable: boolean; interrupts: boolean } {
  if (!isRecord(answer)) return { isUnusable: false, interrupts: false };
  const isUnusable = answer["behavior"] === "allow" && isRecord(answer["updatedInput"]);
  if (isUnusable)
    warnings.push(
      "decision.updatedInput is not used at PermissionRequest, so neither is its allow; rewrite at PreToolUse",
    );
  if (answer["updatedPermissions"] !== undefined) warnings.push("decision.updatedPermissions is not used");
  return { isUnusable, interrupts: answer["behavior"] === "deny" && answer["interrupt"] === true };
}

function meaning(event: HookEvent, said: unknown): Decision {
  if (said === "block" || said === "deny" || said === "decline" || said === "cancel") return "deny";
  if (said === "ask" || said === "defer") return "ask";
  if (said === "accept") return "allow";
  // Outside PreToolUse nothing is permitted or not: "approve" is an old way of saying nothing.
  return HOOK_EVENTS[event].onBlock === "deny-tool" ? "allow" : "none";
}

/** A rewrite of a broken object does not count; one that is no object refuses the call even there. */
function readRewrite(shape: z.ZodRawShape, given: unknown, sound: boolean): Reading["rewrite"] {
  if (!wantsRewrite(shape, given)) return undefined;
  if (!isRecord(given)) return { refused: "updatedInput is not an object" };
  const unreadable = whyUnreadable(given);
  if (unreadable !== undefined) return { refused: `updatedInput ${unreadable}` };
  return sound ? { to: given } : undefined;
}

const wantsRewrite = (shape: z.ZodRawShape, given: unknown) =>
  given !== undefined && given !== null && Object.hasOwn(shape, rewritingField(shape));

/** What a hook says instead of somebody else: the input of a call, or the answer to a question of a server. */
const rewritingField = (shape: z.ZodRawShape) =>
  Object.hasOwn(shape, "content") ? "content" : "updatedInput";

function wrongName(event: HookEvent, given: unknown): string {
  const found = given === undefined ? "is missing" : `is ${JSON.stringify(given)}`;
  return `hookSpecificOutput.hookEventName ${found}; it must be "${event}", or an allow and a rewrite do not count`;
}

const contextIn = (specific: Record<string, unknown>) =>
  [
    words(specific["additionalContext"]),
    specific["retry"] === true ? "This call may be tried again." : undefined,
  ]
    .filter((part) => part !== undefined)
    .join("\n") || undefined;

/** Trimmed text, or undefined when there is none. */
function words(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

import { z } from "zod";
import { closeName, isOneSlip, lettersOf, nearestName } from "../utils/nearestName.ts";
import { HOOK_EVENTS, HOOK_EVENT_NAMES } from "./events.ts";
import { once } from "../utils/once.ts";

/** Every field that any event knows, and what may stand in it there. */
const schemas = once((): ReadonlyMap<string, [string, z.ZodType][]> =>
  Map.groupBy(
    HOOK_EVENT_NAMES.flatMap((event): [string, z.ZodType][] => {
      const { shape } = HOOK_EVENTS[event].output();
      return [...Object.entries(shape), ...Object.entries(shape.hookSpecificOutput.unwrap().shape)];
    }),
    ([name]) => name,
  ),
);

/** An object without one of them, or almost one, is not meant for Wave. */
export const knownFields = once((): ReadonlySet<string> => new Set(schemas().keys()));

/** What is decided stands in these; all others carry text. */
export const DECIDING_FIELDS = [
  "decision",
  "permissionDecision",
  "continue",
  "updatedInput",
  "hookSpecificOutput",
] as const;

export const decides = (field: string) => DECIDING_FIELDS.some((one) => one === field);

export interface NearMiss {
  meant: string;
  /** Something was to be decided there, so a guard with this typo has not decided (JO-7). */
  decides: boolean;
}

/**
 * The field that was probably meant by a name Wave does not know. Names that are merely alike are common ("revision",
 * "decision_id"), so beyond one slip the value has to be one for the field that was meant.
 */
export function nearMiss(name: string, value: unknown, close = closeField): NearMiss | undefined {
  // Other programs write the same words in another case, or with lines between them.
  const letters = lettersOf(name);
  if (knownFields().has(name) || PLURALS.has(letters) || letters.length <= SHORT || letters.length > LONG)
    return undefined;
  const misspelt = close(letters);
  const meant = misspelt ?? (isDecision(value) ? nearestName(letters, [...knownFields()]) : undefined);
  if (meant === undefined) return undefined;
  if (decides(meant) && couldDecide(meant, value, isOneSlip(letters, meant))) return { meant, decides: true };
  return misspelt === undefined ? undefined : { meant, decides: false };
}

/** "decisions" is a word of its own. */
const PLURALS: ReadonlySet<string> = new Set(DECIDING_FIELDS.map((field) => `${lettersOf(field)}s`));

/** Short words have too many neighbours, and long ones are nobody's typo of a field. */
const SHORT = 5;
const LONG = 40;

/** Whether a value is one that would have decided, or with a slip in the name at least a word that may have been meant to. */
function couldDecide(field: string, value: unknown, oneSlip: boolean): boolean {
  // To go on is what happens anyway.
  if (field === "continue") return value === false || value === "false";
  return fits(field, value) || (oneSlip && (typeof value === "string" || value === null || isRecord(value)));
}

/** "deny", and every other word for a decision at some event. */
const decisions = once(
  (): ReadonlySet<unknown> =>
    new Set(
      ["decision", "permissionDecision"].flatMap((field) =>
        (schemas().get(field) ?? []).flatMap(([, schema]) => {
          const words = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
          return words instanceof z.ZodEnum ? words.options : [];
        }),
      ),
    ),
);

/** Without the schemas: they take their time to say no, and this is asked of every field of every object. */
const isDecision = (value: unknown) => typeof value === "string" && decisions().has(value.toLowerCase());

function fits(field: string, value: unknown): boolean {
  const given = typeof value === "string" ? value.toLowerCase() : value;
  return (schemas().get(field) ?? []).some(([, schema]) => schema.safeParse(given).success);
}

/** Fields of an object that is not for Wave which were almost fields for text: said, and otherwise left alone. */
export function misspeltText(object: Record<string, unknown>, close = closeField): string[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const letters = lettersOf(name);
    if (letters.length < DISTINCT || typeof value !== "string") return [];
    const meant = close(letters);
    // What hooks are given has it as well, and many print that.
    if (meant === undefined || meant === "hookEventName" || !isOneSlip(letters, meant)) return [];
    return [didYouMean(name, meant)];
  });
}

/** Shorter words are too common. */
const DISTINCT = 9;

/** Whether an object has something to say to Wave, or tried to. */
export const isForWave = (object: Record<string, unknown>, close = closeField): boolean =>
  Object.entries(object).some(
    ([name, value]) => knownFields().has(name) || nearMiss(name, value, close)?.decides,
  );

export const closeField = (letters: string) => closeName(letters, [...knownFields()]);

export const didYouMean = (name: string, meant: string) =>
  `it printed the field "${name}", which Wave does not know (did you mean "${meant}"?)`;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

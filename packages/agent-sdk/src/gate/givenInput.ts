import { isDeepStrictEqual } from "node:util";
import type { ToolCallWire } from "../messages/toolCall.ts";
import type { Attempts } from "../session/person.ts";
import { changedBy, type ToolJudgement } from "./toolJudge.ts";

/** The call with the input that a person put in the place of the model's. */
export function withGivenInput(wire: ToolCallWire, { given }: Attempts): ToolCallWire {
  if (!given) return wire;
  return { ...wire, function: { ...wire.function, arguments: JSON.stringify(given.input) } };
}

/** What became of the model's input, and by whom. */
export function changesOf(judged: ToolJudgement, asked: Record<string, unknown>, { given }: Attempts) {
  const original = given?.original ?? asked;
  const byPerson = Object.entries(given?.input ?? {}).filter(
    ([field, value]) => !isDeepStrictEqual(value, original[field]),
  );
  return {
    rewritten: judged.rewritten || given !== undefined,
    original,
    changedBy: { ...Object.fromEntries(byPerson.map(([field]) => [field, "person"])), ...changedBy(judged) },
  };
}

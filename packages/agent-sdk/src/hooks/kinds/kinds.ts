import { z } from "zod";
import type { HookAction } from "../definition.ts";
import { once } from "../../utils/once.ts";
import { COMMAND } from "./command.ts";
import { FUNCTION } from "./function.ts";
import { HTTP } from "./http.ts";
import { PROMPT } from "./prompt.ts";
import { rowOf, type HookKindRow } from "./kind.ts";
import { UNSUPPORTED } from "./unsupported.ts";

/** All kinds of hooks: a new one is a file beside this one, and its row here. */
export const HOOK_KINDS: readonly HookKindRow[] = [
  rowOf(COMMAND),
  rowOf(HTTP),
  rowOf(PROMPT),
  rowOf(FUNCTION),
  rowOf(UNSUPPORTED),
];

/** Of an entry that does not say it. */
export const USUAL_KIND = COMMAND.type;

export function kindOfAction(action: HookAction, kinds: readonly HookKindRow[] = HOOK_KINDS): HookKindRow {
  const row = kinds.find(({ type }) => type === action.type);
  if (!row) throw new Error(`there is no kind of hook for ${action.type}`);
  return row;
}

/** An entry of a settings file. */
export const entrySchema = once(() =>
  entryOf(HOOK_KINDS.flatMap((kind) => (kind.writtenBy === "anybody" ? [kind.schema()] : []))),
);

/** One of several forms, told apart by `type`. */
export function entryOf(forms: readonly z.ZodObject[], message?: { error: string }): z.ZodType {
  const [first, ...others] = forms;
  if (!first) return z.never();
  return others.length === 0 ? first : z.discriminatedUnion("type", [first, ...others] as never, message);
}

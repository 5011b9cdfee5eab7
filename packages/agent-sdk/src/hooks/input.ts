import { readableJson } from "../utils/readable.ts";
import { commonFields, type HookEvent } from "./events.ts";

/**
 * A hook's input as one line of compact JSON. Everything beyond ASCII is escaped: a hook that reads its stdin in some
 * other code page still gets intact JSON, and no separator such as U+2028 can look like a second line. What was cut between
 * the halves of a character is no character: jq would read none of the line.
 */
export function encodeHookInput(event: HookEvent, fields: Readonly<Record<string, unknown>>): string {
  const known = commonFields()
    .filter((name) => name in fields)
    .map((name) => [name, fields[name]]);
  const rest = Object.entries(fields).filter(
    ([name]) => !commonFields().includes(name) && name !== "hook_event_name",
  );
  return encodeLine(Object.fromEntries([...known, ["hook_event_name", event], ...rest]));
}

/** The same for what has names of its own. */
export function encodeLine(fields: Readonly<Record<string, unknown>>): string {
  const line = JSON.stringify(fields);
  return `${readableJson(line).replace(BEYOND_ASCII, escaped)}\n`;
}

const BEYOND_ASCII = /[\u007f-\uffff]/g;

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

import type { ToolCallWire } from "../../messages/toolCall.ts";
import { whyUnreadable } from "../../utils/readable.ts";

/** What the model asked for, made ready for hooks: an object, with absolute paths. */
export interface PreparedCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
  /** Why `input` is not what the model wrote: its arguments were not an object. */
  broken: { raw: string; error: string } | undefined;
}

/** Reads the arguments. `absolute` makes one path absolute; it is applied to the fields the tool says are paths. */
export function prepareCall(
  call: ToolCallWire,
  pathFields: readonly string[],
  absolute: (path: string) => string,
): PreparedCall {
  const { name, arguments: raw } = call.function;
  const read = wasCut(call) ? CUT : readArguments(raw);
  if (typeof read === "string") return { id: call.id, name, input: {}, broken: { raw, error: read } };
  return { id: call.id, name, input: withAbsolutePaths(read, pathFields, absolute), broken: undefined };
}

/** Hooks judge, people see and tools get the same spelling of a path. */
export function withAbsolutePaths(
  input: Record<string, unknown>,
  pathFields: readonly string[],
  absolute: (path: string) => string,
): Record<string, unknown> {
  const paths = pathFields.flatMap((field) => {
    const value = Object.hasOwn(input, field) ? input[field] : undefined;
    return typeof value === "string" && value !== "" ? [[field, absolute(value)] as const] : [];
  });
  return paths.length === 0 ? input : { ...input, ...Object.fromEntries(paths) };
}

/** Arguments that can be read are whole, wherever the answer ended. */
function wasCut({ endedAt, function: { arguments: raw } }: ToolCallWire): boolean {
  return endedAt === "output-limit" && (raw.trim() === "" || typeof readArguments(raw) === "string");
}

/** For the model: what the parser says about half a text would only make it send the same again. */
const CUT =
  "your answer reached its output limit in the middle of this call and was cut there, so the call did not run. " +
  "The same call would be cut again: make it smaller, for example write a long file in several calls";

function readArguments(raw: string): Record<string, unknown> | string {
  // A tool without required fields is often called with nothing at all.
  if (raw.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(raw);
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return "the arguments are not a JSON object";
    const unreadable = whyUnreadable(value);
    return unreadable === undefined ? { ...value } : `the input ${unreadable}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

import type { z } from "zod";
import type {
  HookAction,
  HookDefinition,
  HookFunction,
  OnError,
  SettingsScope,
} from "../../hooks/definition.ts";
import { HOOK_EVENTS, type HookEvent, type HookEventRow } from "../../hooks/events.ts";
import {
  commandHookSchema,
  DEFAULT_TIMEOUT_SECONDS,
  LONG_TIMEOUT_SECONDS,
} from "../../hooks/settingsSchema.ts";
import { onOneLine, quoted, shortened } from "../../utils/quoted.ts";
import { HANDLER_TYPES, RUN_AS_IF_ABSENT, reportUnknownFields } from "./hookFields.ts";
import { fieldOf, kindOf, plainValue, type SettingsNode, type SettingsObject } from "./node.ts";
import { whyWrong, type Report } from "./problem.ts";

const fields = commandHookSchema.shape;

export interface EntryContext {
  event: HookEvent;
  matcher: string | undefined;
  /** Set when the matcher cannot be read, so nobody knows which calls the hook was meant for. */
  matcherProblem: string | undefined;
  scope: SettingsScope;
  file: string | undefined;
  report: Report;
}

/** What an entry wants to run, or why that cannot be known. */
type ReadAction = HookAction | { problem: string };

/** One hook of the settings. Undefined when it is left out; the report then says why. */
export function readEntry(node: SettingsNode, context: EntryContext): HookDefinition | undefined {
  const { event, matcher, matcherProblem, scope, file, report } = context;
  if (node.type !== "object") {
    report(
      "error",
      node,
      `a hook must be an object such as {"type": "command", "command": "./check.sh"}, not ${kindOf(node)}`,
    );
    return undefined;
  }
  const onError = readOnError(node, event, report);
  const read = readAction(node, scope, report);
  if ("problem" in read) report("error", node, read.problem);
  const action = "problem" in read || matcherProblem !== undefined ? undefined : read;
  // A guard that was told to stop things when it cannot decide must not vanish because of a typing mistake.
  if (action === undefined && onError === "continue") return undefined;

  return {
    event,
    matcher: matcherProblem === undefined ? matcher : undefined,
    name: readName(node, read, report),
    source: {
      scope,
      path: node.path,
      ...(file !== undefined && { file }),
      ...(node.line !== undefined && { line: node.line }),
    },
    action: action ?? { type: "unsupported", why: "problem" in read ? read.problem : `${matcherProblem}` },
    timeoutMs: readTimeoutMs(node, report),
    onError,
    passEnv: readPassEnv(node, report),
  };
}

function readAction(node: SettingsObject, scope: SettingsScope, report: Report): ReadAction {
  const typeField = fieldOf(node, "type");
  const type = typeField === undefined ? "command" : plainValue(typeField);
  if (typeof type !== "string") return { problem: '"type" must be "command"' };
  if (type === "function" && scope === "sdk") return readFunction(node, report);
  if (type !== "command") {
    const why = HANDLER_TYPES.has(type)
      ? `hooks of type ${quoted(type)} are not supported yet`
      : `${quoted(type)} is not a type of hook; did you mean "command"?`;
    return unsupported(node, why, report);
  }

  reportUnknownFields(node, Object.keys(fields), report);
  const field = fieldOf(node, "command");
  if (field === undefined) return { problem: 'this hook has no "command", so there is nothing to run' };
  const command = fields.command.safeParse(plainValue(field));
  if (!command.success) return { problem: whyWrong("command", command.error, field) };
  if (typeField === undefined) report("warning", node, 'this hook has no "type"; write "type": "command"');
  for (const name of ["args", "shell"]) {
    if (fieldOf(node, name) === undefined) continue;
    return unsupported(node, `hooks with ${quoted(name)} are not supported yet`, report);
  }
  for (const name of RUN_AS_IF_ABSENT) {
    const later = fieldOf(node, name);
    if (later === undefined) continue;
    report("warning", later, `${quoted(name)} is not supported yet; the hook runs as if it were not there`);
  }
  return { type: "command", command: command.data };
}

function readFunction(node: SettingsObject, report: Report): ReadAction {
  reportUnknownFields(node, ["type", "run", "name", "timeout", "onError"], report);
  const run = fieldOf(node, "run");
  if (run?.type === "value" && isHookFunction(run.value)) return { type: "function", run: run.value };
  return { problem: `"run" must be a function${run ? `, not ${kindOf(run)}` : ""}` };
}

/** The host program's types say what the function takes; at run time only that it is one can be seen. */
function isHookFunction(value: unknown): value is HookFunction {
  return typeof value === "function";
}

function unsupported(node: SettingsObject, why: string, report: Report): ReadAction {
  report("warning", node, `${why}; each time it matches it counts as a hook that could not decide`);
  return { type: "unsupported", why };
}

function readOnError(node: SettingsObject, event: HookEvent, report: Report): OnError {
  const field = fieldOf(node, "onError");
  if (field === undefined) return "continue";
  const given = readField(node, "onError", fields.onError, (why) =>
    report("warning", field, `${why}; it is read as "block"`),
  );
  const onError = given ?? "block";

  const { onError: acting }: HookEventRow = HOOK_EVENTS[event];
  if (onError === "continue" || acting.includes(onError)) return onError;
  const instead = acting.length > 0 ? `; what acts there is ${acting.map(quoted).join(" or ")}` : "";
  report(
    "warning",
    field,
    `onError ${quoted(onError)} cannot act on ${event} and means "continue"${instead}`,
  );
  return "continue";
}

function readTimeoutMs(node: SettingsObject, report: Report): number {
  const given = readField(node, "timeout", fields.timeout, (why, field) =>
    report("error", field, `${why}; the default of ${DEFAULT_TIMEOUT_SECONDS} seconds is used`),
  );
  const seconds = given ?? DEFAULT_TIMEOUT_SECONDS;
  if (seconds > LONG_TIMEOUT_SECONDS) {
    const minutes = Math.round(seconds / 60);
    const message = `timeout is in seconds, so this is ${minutes} minutes; did you mean ms, that is ${seconds / 1000}?`;
    report("warning", fieldOf(node, "timeout") ?? node, message);
  }
  return Math.max(1, Math.round(seconds * 1000));
}

function readPassEnv(node: SettingsObject, report: Report): string[] {
  const given = readField(node, "passEnv", fields.passEnv, (why, field) =>
    report("error", field, `${why}; nothing is passed`),
  );
  return given ?? [];
}

function readName(node: SettingsObject, read: ReadAction, report: Report): string {
  const name = readField(node, "name", fields.name, (why, field) =>
    report("warning", field, `${why}; it is not used`),
  );
  if (name !== undefined) return shortened(onOneLine(name), 80);
  if ("problem" in read) return node.path;
  if (read.type === "function") return onOneLine(read.run.name) || "function";
  const text = textOf(node, "command") ?? `${textOf(node, "type") ?? "unknown"} hook`;
  return shortened(onOneLine(text), 40);
}

function textOf(node: SettingsObject, key: string): string | undefined {
  const field = fieldOf(node, key);
  return field?.type === "value" && typeof field.value === "string" ? field.value : undefined;
}

/** The value of a field; undefined when it is absent or wrong, and then `onWrong` hears why. */
function readField<T>(
  node: SettingsObject,
  key: string,
  schema: z.ZodType<T>,
  onWrong: (why: string, field: SettingsNode) => void,
): T | undefined {
  const field = fieldOf(node, key);
  if (field === undefined) return undefined;
  const parsed = schema.safeParse(plainValue(field));
  if (!parsed.success) onWrong(whyWrong(key, parsed.error, field), field);
  return parsed.data;
}

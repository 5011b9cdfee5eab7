import type { z } from "zod";
import { isOfProject, type HookDefinition, type SettingsScope } from "../../hooks/definition.ts";
import { canHaveIf } from "../../hooks/condition.ts";
import type { HookDialect } from "../../hooks/dialect.ts";
import type { HookEventRow } from "../../hooks/eventRow.ts";
import { HOOK_EVENTS, type HookEvent } from "../../hooks/events.ts";
import { onErrorFor, type FailurePolicy, type PartialPolicy } from "../../hooks/failurePolicy.ts";
import { policyFor, type HookDefaults } from "../../hooks/hookDefaults.ts";
import { commandHookSchema } from "../../hooks/kinds/command.ts";
import type { HookKindRow, HookLimits, ReadAction } from "../../hooks/kinds/kind.ts";
import { HOOK_KINDS, USUAL_KIND } from "../../hooks/kinds/kinds.ts";
import { unsupportedEntry } from "../../hooks/kinds/unsupported.ts";
import { parseRule } from "../../permissions/parseRule.ts";
import { SET_BY_WAVE } from "../../utils/environment.ts";
import { onOneLine, quoted, shortened } from "../../utils/quoted.ts";
import { hookFields, LONG_TIMEOUT_SECONDS, processFields } from "./fieldSchemas.ts";
import { consequenceOf, type ReadHook } from "./hookFate.ts";
import { HANDLER_TYPES, reportUnknownFields } from "./hookFields.ts";
import { fieldOf, kindOf, plainValue, type SettingsNode, type SettingsObject } from "./node.ts";
import { describeNote, readOnErrorIn } from "./onErrorSetting.ts";
import type { Report } from "./problem.ts";
import { isReservedVariable } from "./projectLimits.ts";
import { readField } from "./readField.ts";

const fields = () => ({ ...hookFields(), ...processFields() });

export interface EntryContext {
  event: HookEvent;
  matcher: string | undefined;
  /** Why no hook here can run, whatever its own entry says: nobody knows for which calls or at which event it was meant. */
  problem: string | undefined;
  scope: SettingsScope;
  file: string | undefined;
  defaults: HookDefaults;
  dialect?: HookDialect;
  /** Default: all that there are. */
  kinds?: readonly HookKindRow[];
  limits?: HookLimits;
  /** For the processes of its hooks. */
  variables?: Readonly<Record<string, string>>;
  report: Report;
}

type Readable = Exclude<ReadAction, { unsupported: string }>;

export function readEntry(node: SettingsNode, context: EntryContext): ReadHook {
  const read: Readable =
    node.type === "object"
      ? readAction(node, context)
      : { problem: `a hook must be an object such as ${AN_ENTRY}, not ${kindOf(node)}` };
  return hookOf(node, read, context);
}

/** For what should have been a hook, or several, and cannot be read as any. */
export function standIn(node: SettingsNode, problem: string, context: EntryContext): ReadHook {
  return hookOf(node, { problem }, context);
}

const AN_ENTRY = '{"type": "command", "command": "./check.sh"}';

function hookOf(node: SettingsNode, read: Readable, context: EntryContext): ReadHook {
  const { event, matcher, scope, file, dialect, report } = context;
  const entry: SettingsObject = node.type === "object" ? node : { ...node, type: "object", entries: [] };
  const { onError, ownOnError } = readPolicy(entry, context);
  const whenInvalid = onErrorFor(onError, "invalid");
  if ("problem" in read) report("error", node, `${read.problem}; ${consequenceOf(whenInvalid)}`);
  const problem = "problem" in read ? read.problem : context.problem;
  const { action } = "problem" in read || problem !== undefined ? unsupportedEntry(node, `${problem}`) : read;
  return {
    // A guard that was told to stop things when it cannot decide must not vanish because of a typing mistake.
    is: problem !== undefined && whenInvalid === "continue" ? "left-out" : "used",
    hook: {
      event,
      matcher,
      ...readIf(entry, event, report),
      name: readName(entry, read, report),
      ...readDescription(entry, report),
      source: {
        scope,
        path: node.path,
        ...(file !== undefined && { file }),
        ...(node.line !== undefined && { line: node.line }),
      },
      action,
      ...(dialect && { dialect, askedAs: eventInPath(node.path) ?? event }),
      ...readTimeout(entry, event, report),
      onError,
      ownOnError,
      passEnv: readPassEnv(entry, report),
      ...readCwd(entry, report),
      ...readEnv(entry, context),
      ...readProtectEnv(entry, report),
      ...readSandbox(entry, report),
      ...readBackground(entry, onError, report),
      ...readOnce(entry, dialect, report),
      ...readStatusMessage(entry, report),
    },
  };
}

/** `hooks.preToolUse[0]` stands for what its file calls preToolUse, whatever Wave calls it. */
const eventInPath = (path: string) => /^hooks\.(\w+)/.exec(path)?.[1];

function readAction(node: SettingsObject, context: EntryContext): Readable {
  const { scope, report, kinds = HOOK_KINDS, limits } = context;
  const typeField = fieldOf(node, "type");
  const type = typeField === undefined ? USUAL_KIND : plainValue(typeField);
  if (typeof type !== "string") return { problem: `"type" must be ${quoted(USUAL_KIND)}` };
  const kind = kinds.find((one) => one.type === type && isWritableIn(one, scope));
  if (!kind) {
    const why = HANDLER_TYPES.has(type)
      ? `hooks of type ${quoted(type)} are not supported yet`
      : `${quoted(type)} is not a type of hook; did you mean ${quoted(USUAL_KIND)}?`;
    return unsupported(node, why, report);
  }
  reportUnknownFields(node, Object.keys(kind.schema().shape), report);
  const read = kind.read(node, { scope, report, ...(limits && { limits }) });
  if ("unsupported" in read) return unsupported(node, read.unsupported, report);
  if ("problem" in read) return read;
  if (typeField === undefined)
    report("warning", node, `this hook has no "type"; write "type": ${quoted(USUAL_KIND)}`);
  return read;
}

const isWritableIn = ({ writtenBy }: HookKindRow, scope: SettingsScope) =>
  writtenBy === "anybody" || (writtenBy === "programs" && scope === "sdk");

function unsupported(node: SettingsObject, why: string, report: Report): Readable {
  report("warning", node, `${why}; each time it matches it counts as a hook that could not decide`);
  return unsupportedEntry(node, why);
}

function readPolicy(
  node: SettingsObject,
  { event, scope, defaults, report }: EntryContext,
): { onError: FailurePolicy; ownOnError: PartialPolicy } {
  const ownOnError = readOnErrorIn(node, report);
  const { policy, notes } = policyFor(ownOnError, { event, scope, defaults });
  for (const note of notes) report("warning", fieldOf(node, "onError") ?? node, describeNote(note));
  return { onError: policy, ownOnError };
}

/** What cannot be read filters nothing: the hook then runs more often than it was meant to, never less. */
function readIf(node: SettingsObject, event: HookEvent, report: Report): Pick<HookDefinition, "if"> {
  const rule = readField(node, "if", fields().if, (why, field) =>
    report("warning", field, `${why}; the hook runs for every call`),
  );
  if (rule === undefined) return {};
  const place = fieldOf(node, "if") ?? node;
  if (!canHaveIf(event)) {
    report("warning", place, `"if" looks at tool calls, so it is not used on ${event}: the hook always runs`);
    return {};
  }
  const parsed = parseRule(rule);
  if (!("problem" in parsed)) return { if: rule };
  report("warning", place, `${parsed.problem.replace(/\.$/, "")}; the hook runs for every call`);
  return {};
}

function readTimeout(
  node: SettingsObject,
  event: HookEvent,
  report: Report,
): Pick<HookDefinition, "timeoutMs" | "sharesTime"> {
  const { time }: HookEventRow = HOOK_EVENTS[event];
  const given = readField(node, "timeout", fields().timeout, (why, field) =>
    report("error", field, `${why}; the default of ${time.seconds} seconds is used`),
  );
  const seconds = given ?? time.seconds;
  if (seconds > LONG_TIMEOUT_SECONDS) {
    const minutes = Math.round(seconds / 60);
    const message = `timeout is in seconds, so this is ${minutes} minutes; did you mean ms, that is ${seconds / 1000}?`;
    report("warning", fieldOf(node, "timeout") ?? node, message);
  }
  return {
    timeoutMs: Math.max(1, Math.round(seconds * 1000)),
    ...(given === undefined && time.shared && { sharesTime: true }),
  };
}

/** What cannot be read is read as the strictest. */
function readSandbox(node: SettingsObject, report: Report): Pick<HookDefinition, "sandbox"> {
  if (fieldOf(node, "sandbox") === undefined) return {};
  const given = readField(node, "sandbox", fields().sandbox, (why, field) =>
    report("error", field, `${why}; it is read as "required"`),
  );
  return { sandbox: given ?? "required" };
}

/** What cannot be read is not there: the hook is waited for, and may hold back. */
function readBackground(
  node: SettingsObject,
  onError: FailurePolicy,
  report: Report,
): Pick<HookDefinition, "inBackground"> {
  const { async: isAsync, asyncRewake } = commandHookSchema().shape;
  const read = (key: string, schema: z.ZodType<boolean | undefined>) =>
    readField(node, key, schema, (why, field) => report("error", field, `${why}; the hook is waited for`));
  const wakes = read("asyncRewake", asyncRewake);
  if (!wakes && !read("async", isAsync)) return {};
  if (onError !== "continue")
    report(
      "warning",
      node,
      "nobody waits for an async hook, so it holds nothing back and its onError is not used",
    );
  return { inBackground: wakes ? "wakes" : "quiet" };
}

function readOnce(
  node: SettingsObject,
  dialect: HookDialect | undefined,
  report: Report,
): Pick<HookDefinition, "once"> {
  const given = readField(node, "once", fields().once, (why, field) =>
    report("error", field, `${why}; the hook runs each time`),
  );
  if (!given) return {};
  if (dialect === undefined) return { once: true };
  report(
    "warning",
    fieldOf(node, "once") ?? node,
    "in settings Claude Code does not use once, so the hook runs each time",
  );
  return {};
}

function readStatusMessage(node: SettingsObject, report: Report): Pick<HookDefinition, "statusMessage"> {
  const given = readField(node, "statusMessage", fields().statusMessage, (why, field) =>
    report("warning", field, `${why}; it is not used`),
  );
  return given === undefined ? {} : { statusMessage: shortened(onOneLine(given), 80) };
}

function readProtectEnv(node: SettingsObject, report: Report): Pick<HookDefinition, "protectEnv"> {
  const names = readField(node, "protectEnv", fields().protectEnv, (why, field) =>
    report("error", field, `${why}; nothing is protected`),
  );
  return names === undefined ? {} : { protectEnv: names };
}

function readCwd(node: SettingsObject, report: Report): Pick<HookDefinition, "cwd"> {
  const given = readField(node, "cwd", fields().cwd, (why, field) =>
    report("error", field, `${why}; the hook starts in the project root`),
  );
  return given === "session" ? { cwd: given } : {};
}

/** What cannot be read, or may not be set here, is left out: the hook runs without it and the author is told. */
function readEnv(
  node: SettingsObject,
  { scope, variables = {}, report }: EntryContext,
): Pick<HookDefinition, "env"> {
  const given = readField(node, "env", fields().env, (why, field) =>
    report("error", field, `${why}; nothing is set`),
  );
  if (given === undefined) return Object.keys(variables).length === 0 ? {} : { env: variables };
  const why = (name: string) => {
    if (SET_BY_WAVE.has(name)) return "Wave sets it itself";
    if (isOfProject(scope) && isReservedVariable(name))
      return "a project's hook cannot set a variable that changes how programs are found, loaded or connected";
    return undefined;
  };
  for (const name of Object.keys(given)) {
    const refused = why(name);
    if (refused !== undefined)
      report("error", fieldOf(node, "env") ?? node, `${quoted(name)} in env is not set: ${refused}`);
  }
  const allowed = Object.entries(given).filter(([name]) => why(name) === undefined);
  return { env: { ...Object.fromEntries(allowed), ...variables } };
}

/** A server is given what its entry may put into headers, a process what it names. */
function readPassEnv(node: SettingsObject, report: Report): string[] {
  return ["passEnv", "allowedEnvVars"].flatMap(
    (key) =>
      readField(node, key, fields().passEnv, (why, field) =>
        report("error", field, `${why}; nothing is passed`),
      ) ?? [],
  );
}

function readName(node: SettingsObject, read: Readable, report: Report): string {
  const name = readField(node, "name", fields().name, (why, field) =>
    report("warning", field, `${why}; it is not used`),
  );
  if (name !== undefined) return shortened(onOneLine(name), 80);
  return "problem" in read ? node.path : shortened(onOneLine(read.name), 40);
}

function readDescription(node: SettingsObject, report: Report): Pick<HookDefinition, "description"> {
  const given = readField(node, "description", fields().description, (why, field) =>
    report("warning", field, `${why}; it is not used`),
  );
  return given === undefined ? {} : { description: shortened(onOneLine(given), LONGEST_DESCRIPTION) };
}

const LONGEST_DESCRIPTION = 400;

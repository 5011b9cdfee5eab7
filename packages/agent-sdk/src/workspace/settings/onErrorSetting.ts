import type { SettingsScope } from "../../hooks/definition.ts";
import type { HookEventRow } from "../../hooks/eventRow.ts";
import { HOOK_EVENTS } from "../../hooks/events.ts";
import {
  FAILURE_KINDS,
  ON_ERROR,
  stricterOnError,
  type OnError,
  type PartialPolicy,
} from "../../hooks/failurePolicy.ts";
import {
  tooWeakDefault,
  type GivenDefault,
  type HookDefaults,
  type PolicyNote,
} from "../../hooks/hookDefaults.ts";
import { hookDefaultsSchema } from "./schema.ts";
import { onErrorSchema } from "./fieldSchemas.ts";
import { isTypoOf, lettersOf, nearestName } from "../../utils/nearestName.ts";
import { quoted } from "../../utils/quoted.ts";
import { fieldsOf, kindOf, plainValue, type SettingsNode, type SettingsObject } from "./node.ts";
import { whyWrong, type Report } from "./problem.ts";

/** For everything that cannot be understood: a guard must not open because of a typing mistake (T7). */
const STRICT: OnError = "block";

const KEYS = [...FAILURE_KINDS, "default"] as const;

/** What other agents call it. Read without a word: such files are right as they are. */
const NAMES = ["onError", "onFailure", "failClosed"] as const;

/** What else people call it. */
const OTHER_NAMES: readonly string[] = ["onfail", "onfailed", "onfailure", "onhookerror", "failclosed"];

/** Another spelling of `onError`. To pass it over would open a guard that somebody wanted to hold. */
export function isMeantAsOnError(key: string): boolean {
  if (isItsName(key) || lettersOf(key) === "error") return false;
  return isTypoOf(key, "onError") || OTHER_NAMES.includes(lettersOf(key));
}

/** `onError` of an entry or of `hookDefaults`, by whatever name. Written twice or in two ways, of each kind the stricter word counts. */
export function readOnErrorIn(node: SettingsObject, report: Report): PartialPolicy {
  const given = node.entries.filter(({ key }) => isItsName(key) || isMeantAsOnError(key));
  for (const { key, node: field } of given)
    if (!isItsName(key)) report("warning", field, `${quoted(key)} is read as "onError"; write it that way`);
  const policies = given.map(({ key, node: field }) =>
    lettersOf(key) === "failclosed" ? readFailClosed(field, report) : readOnError(field, report),
  );
  const names = NAMES.filter((name) => given.some(({ key }) => key === name));
  if (names.length > 1)
    report("warning", node, `${names.map(quoted).join(" and ")} mean the same; the stricter one counts`);
  return policies.reduce<PartialPolicy>((all, one) => ({ ...all, ...one, ...stricterOfBoth(all, one) }), {});
}

export const isItsName = (key: string): boolean => NAMES.some((name) => name === key);

/** To fail open is what happens anyway. */
function readFailClosed(field: SettingsNode, report: Report): PartialPolicy {
  const value = plainValue(field);
  if (value === false) return {};
  if (value !== true)
    report("warning", field, `failClosed must be true or false, not ${kindOf(field)}; it is read as true`);
  return everyKind(STRICT);
}

function stricterOfBoth(a: PartialPolicy, b: PartialPolicy): PartialPolicy {
  const both = FAILURE_KINDS.flatMap((kind) => {
    const [one, other] = [a[kind], b[kind]];
    return one === undefined || other === undefined ? [] : [[kind, stricterOnError(one, other)] as const];
  });
  return Object.fromEntries(both);
}

/** `onError` of a hook or of `hookDefaults`: one word, or one for each kind of failure. What is wrong is read as "block". */
function readOnError(field: SettingsNode, report: Report): PartialPolicy {
  if (field.type === "object") return readByKind(field, report);
  const word = wordIn(field);
  if (word !== undefined) return everyKind(word);
  const parsed = onErrorSchema().safeParse(plainValue(field));
  const why = parsed.error ? whyWrong("onError", parsed.error, field) : "onError cannot be read";
  report("warning", field, `${why}; it is read as ${quoted(STRICT)}`);
  return everyKind(STRICT);
}

function readByKind(node: SettingsObject, report: Report): PartialPolicy {
  const unknown = node.entries.filter(({ key }) => !KEYS.some((known) => known === key));
  for (const { key, node: field } of unknown) {
    const nearest = nearestName(key, KEYS);
    const meant = nearest === undefined ? `there are ${KEYS.join(", ")}` : `did you mean ${quoted(nearest)}?`;
    const read = `kinds that onError does not name are read as ${quoted(STRICT)}`;
    report("warning", field, `${quoted(key)} is not a kind of failure, so ${read}; ${meant}`);
  }
  const read = (key: string, field: SettingsNode): OnError => {
    const given = wordIn(field);
    if (given === undefined)
      report(
        "warning",
        field,
        `onError for ${key} must be ${ON_ERROR.map(quoted).join(", ")}, not ${kindOf(field)}; it is read as ${quoted(STRICT)}`,
      );
    return given ?? STRICT;
  };
  const word = (key: (typeof KEYS)[number]): OnError | undefined => {
    const [first, ...others] = fieldsOf(node, key).map((field) => read(key, field));
    return first && others.reduce(stricterOnError, first);
  };
  const otherwise = word("default");
  // Nobody knows which kind was meant, so none of them may be looser than it could have been.
  const rest = unknown.length > 0 ? STRICT : otherwise;
  const entries = FAILURE_KINDS.map((kind) => [kind, word(kind) ?? rest] as const);
  return Object.fromEntries(entries.filter(([, given]) => given !== undefined));
}

const wordIn = (field: SettingsNode): OnError | undefined =>
  ON_ERROR.find((word) => field.type === "value" && field.value === word);

const everyKind = (word: OnError): PartialPolicy =>
  Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, word]));

/** `hookDefaults` of all files, in their order. */
export function readHookDefaults(
  files: readonly { scope: SettingsScope; file: string; root: SettingsObject }[],
  reportFor: (file: string) => Report,
): HookDefaults {
  const given: GivenDefault[] = [];
  for (const { scope, file, root } of files) {
    const report = reportFor(file);
    // Written twice in one file, both count: the later one must not loosen what the first one says.
    for (const { key, node } of root.entries) {
      if (key !== "hookDefaults" && !isMeantAsHookDefaults(key)) continue;
      if (key !== "hookDefaults")
        report("warning", node, `${quoted(key)} is read as "hookDefaults"; write it that way`);
      const here = { scope, file, onError: readDefaults(node, report) };
      for (const note of tooWeakDefault(here, given)) report("warning", node, describeNote(note));
      given.push(here);
    }
  }
  return given;
}

/** Defaults only ever tighten, so a name with a typing mistake in it can be taken for what it was meant to be. */
export const isMeantAsHookDefaults = (key: string): boolean =>
  key !== "hookDefaults" && isTypoOf(key, "hookDefaults");

function readDefaults(node: SettingsNode, report: Report): PartialPolicy {
  if (node.type !== "object") {
    report(
      "warning",
      node,
      `hookDefaults must be an object such as {"onError": "block"}, not ${kindOf(node)}; its onError is read as ${quoted(STRICT)}`,
    );
    return everyKind(STRICT);
  }
  const known = Object.keys(hookDefaultsSchema().shape);
  for (const { key, node: field } of node.entries) {
    if (!known.includes(key) && !isItsName(key) && !isMeantAsOnError(key))
      report(
        "warning",
        field,
        `${quoted(key)} is not a setting of hookDefaults and is not used; there is ${known.join(", ")}`,
      );
  }
  return readOnErrorIn(node, report);
}

/** What was written, and what counts instead. */
export function describeNote({ kinds, said, because }: PolicyNote): string {
  const which = kinds.length === FAILURE_KINDS.length ? "" : ` for ${kinds.join(" and ")}`;
  const what = `onError ${quoted(said)}${which}`;
  if (because.is === "too-weak")
    return `${what} is weaker than ${quoted(because.used)} in the hookDefaults of ${because.file}, which counts`;
  const { event } = because;
  const { onError: acting }: HookEventRow = HOOK_EVENTS[event];
  const instead = acting.length > 0 ? `; what acts there is ${acting.map(quoted).join(" or ")}` : "";
  return `${what} cannot act on ${event} and means "continue"${instead}`;
}

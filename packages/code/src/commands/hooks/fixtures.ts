import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { HookRan, HookToRun } from "wave-agent-sdk/hooks";

/** What a `*.hooktest.json` says: a hook, and what it shall do with some inputs. */
export interface HookFixture extends Pick<HookToRun, "event" | "hook" | "matcher"> {
  tests: readonly HookCase[];
}

export interface HookCase {
  name: string;
  input: Record<string, unknown>;
  expect: Expected;
}

export interface Expected {
  ran?: boolean;
  decision?: HookRan["decision"];
  /** These are found in what was said. */
  reason?: string;
  context?: string;
  halt?: string;
  /** A text is found in it; true: it could not decide; false: it could. */
  failure?: string | boolean;
  updatedInput?: Record<string, unknown>;
  exitCode?: number;
}

const ENDING = ".hooktest.json";
const NOT_LOOKED_INTO = new Set(["node_modules", ".git", "dist", "build", "target"]);
const DEEPEST = 8;

/** Fixtures among these files, and in these folders and below. */
export function findFixtures(paths: readonly string[]): string[] {
  return paths.flatMap((path) => (statSync(path).isDirectory() ? inFolder(path, 0) : [path]));
}

function inFolder(folder: string, depth: number): string[] {
  if (depth > DEEPEST) return [];
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return NOT_LOOKED_INTO.has(entry.name) ? [] : inFolder(path, depth + 1);
      return entry.isFile() && entry.name.endsWith(ENDING) ? [path] : [];
    });
}

const EXPECTED_NAMES = "ran, decision, reason, context, halt, failure, updatedInput, exitCode".split(", ");

/** Throws a sentence for a file that is no fixture: what is not understood must not count as passed. */
export function readFixture(file: string): HookFixture {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`this is no JSON: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  if (!isRecord(value)) throw new Error("this must be an object with event, hook and tests");
  const { event, hook, matcher, tests } = value;
  if (typeof event !== "string") throw new Error('"event" must be the name of an event');
  if (typeof hook !== "string" && !isRecord(hook))
    throw new Error('"hook" must be a command, or an entry as in settings');
  if (matcher !== undefined && typeof matcher !== "string") throw new Error('"matcher" must be a text');
  if (!Array.isArray(tests) || tests.length === 0)
    throw new Error('"tests" must be a list with something in it');
  const known = ["event", "hook", "matcher", "tests", "description"];
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other !== undefined) throw new Error(`"${other}" is not known here; there are ${known.join(", ")}`);
  return {
    // Whoever runs it says so when there is none of this name.
    event: event as HookToRun["event"],
    hook,
    ...(matcher !== undefined && { matcher }),
    tests: tests.map((test: unknown, at) => readCase(test, at)),
  };
}

function readCase(test: unknown, at: number): HookCase {
  const where = `tests[${at}]`;
  if (!isRecord(test)) throw new Error(`${where} must be an object with name, input and expect`);
  const { name = `test ${at + 1}`, input, expect } = test;
  if (typeof name !== "string") throw new Error(`${where}.name must be a text`);
  if (!isRecord(input)) throw new Error(`${where}.input must be an object`);
  if (!isRecord(expect) || Object.keys(expect).length === 0)
    throw new Error(`${where}.expect must be an object that says something, such as {"decision": "deny"}`);
  const other = Object.keys(expect).find((field) => !EXPECTED_NAMES.includes(field));
  if (other !== undefined)
    throw new Error(`${where}.expect.${other} is not known; there are ${EXPECTED_NAMES.join(", ")}`);
  return { name, input, expect };
}

/** What differs, each as one line; none when the hook did what was expected of it. */
export function differences(expected: Expected, ran: HookRan): string[] {
  const { failure, updatedInput, ...rest } = expected;
  const plain = Object.entries(rest).flatMap(([name, wanted]) => {
    const got = ran[name as keyof typeof rest];
    const fits =
      typeof wanted === "string" && name !== "decision" ? `${got ?? ""}`.includes(wanted) : got === wanted;
    return fits ? [] : [line(name, wanted, got)];
  });
  const failed =
    failure === undefined ||
    (typeof failure === "string"
      ? (ran.failure ?? "").includes(failure)
      : (ran.failure !== undefined) === failure)
      ? []
      : [line("failure", failure, ran.failure)];
  // A hook that fails without being expected to has decided nothing.
  const unexpected =
    failure === undefined && ran.failure !== undefined ? [`it could not decide: ${ran.failure}`] : [];
  const changed =
    updatedInput === undefined || sorted(updatedInput) === sorted(ran.updatedInput)
      ? []
      : [line("updatedInput", updatedInput, ran.updatedInput)];
  return [...plain, ...failed, ...unexpected, ...changed];
}

const line = (name: string, wanted: unknown, got: unknown) =>
  `${name}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got) ?? "nothing"}`;

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  ) ?? "";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

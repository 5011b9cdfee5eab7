import { rmSync } from "node:fs";
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { beforeAll, describe, expect, it } from "vitest";
import { settingsSchema } from "@/workspace/settings/schema.ts";
import type { HookDefinition } from "@/hooks/definition.ts";
import { onErrorFor } from "@/hooks/failurePolicy.ts";
import type { Settings } from "@/workspace/settings/settings.ts";
import { SettingsFiles } from "../../support/settingsFiles.ts";

/**
 * A settings file of thirty hooks is changed in every place and in many ways. Loading never throws; and either the file as
 * a whole is refused, or every hook outside the changed place loads as before. What does not fit the schema is reported
 * with the place of the change.
 */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Step = string | number;

let made = 0;
const hook = (fields: { [key: string]: Json } = {}): Json => ({
  type: "command",
  command: `./guard-${++made}.sh`,
  ...fields,
});
const SETTINGS: Json = {
  $schema: "x",
  model: "m",
  env: { A: "1" },
  permissions: { deny: ["Bash(rm:*)"], defaultMode: "plan" },
  sessions: { keepDays: 9 },
  hooks: {
    PreToolUse: [
      {
        matcher: "Bash",
        hooks: [hook({ onError: "block" }), hook({ onError: "ask", name: "asks" }), hook()],
      },
      {
        matcher: "Edit|Write",
        hooks: [hook({ timeout: 5 }), hook({ if: "Write(src/**)", onError: "block" })],
      },
      { matcher: "^mcp__.*", hooks: [hook({ passEnv: ["TOKEN"] }), hook({ protectEnv: ["PATH"] })] },
      { hooks: [hook({ onError: { timeout: "ask", default: "block" } }), hook({ sandbox: "auto" })] },
      {
        matcher: "Read,Grep",
        hooks: [hook({ name: "reads", timeout: 0.5 }), hook(), hook({ onError: "continue" })],
      },
    ],
    PostToolUse: [
      {
        matcher: "Edit",
        hooks: [hook({ onError: "block" }), hook({ timeout: 30 }), hook({ name: "format" })],
      },
      { hooks: [hook(), hook({ if: "Bash(git *)" })] },
    ],
    UserPromptSubmit: [
      { hooks: [hook({ onError: "block", name: "secrets" }), hook({ onError: "ask" }), hook()] },
      { hooks: [hook({ passEnv: [] })] },
    ],
    Stop: [{ hooks: [hook(), hook({ timeout: 600 }), hook({ name: "tests" })] }, { hooks: [hook()] }],
    SessionStart: [{ matcher: "startup", hooks: [hook(), hook({ name: "context" })] }, { hooks: [hook()] }],
    SessionEnd: [{ hooks: [hook(), hook({ timeout: 1 })] }],
  },
};
const ALL = made;

const REPLACEMENTS: Json[] = [null, 1e308, "", "(", [[[]]], {}];
if (process.env["WAVE_SOAK"])
  REPLACEMENTS.push(true, 0, -1, " ", "__proto__", [], { hooks: 5 }, { type: "command" });

interface Mutant {
  place: Step[];
  change: string;
  text: string;
  /** What the text says; undefined when it is no JSON. */
  value: Json | undefined;
  /** Where a renamed thing is now. */
  movedTo?: Step[];
}

interface Loaded extends Mutant {
  settings: Settings;
}

function placesIn(value: Json, path: Step[] = []): Step[][] {
  if (value === null || typeof value !== "object") return [path];
  const children = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...children.flatMap(([step, child]) => placesIn(child, [...path, step]))];
}

const at = (value: Json, path: readonly Step[]): Json =>
  path.reduce<Json>((inner, step) => (inner as Record<Step, Json>)[step] ?? null, value);

/** The settings with what stands at `path` changed: another value, none at all, or another name. */
function changed(value: Json, path: readonly Step[], change: (old: Json, key: Step) => [Step, Json][]): Json {
  const [step, ...rest] = path;
  if (step === undefined || value === null || typeof value !== "object") throw new Error("no such place");
  const children: [Step, Json][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  const after = children.flatMap(([key, child]): [Step, Json][] => {
    if (key !== step) return [[key, child]];
    return rest.length > 0 ? [[key, changed(child, rest, change)]] : change(child, key);
  });
  return Array.isArray(value) ? after.map(([, child]) => child) : Object.fromEntries(after);
}

function mutantsAt(place: Step[]): Mutant[] {
  const mutant = (change: string, value: Json, more: Partial<Mutant> = {}): Mutant => {
    return { place, change, value, text: JSON.stringify(value, null, 2), ...more };
  };
  const replaced = REPLACEMENTS.map((value) =>
    mutant(
      `becomes ${JSON.stringify(value)}`,
      place.length === 0 ? value : changed(SETTINGS, place, (_, key) => [[key, value]]),
    ),
  );
  const last = place.at(-1);
  if (last === undefined) return replaced;
  const removed = mutant(
    "removed",
    changed(SETTINGS, place, () => []),
  );
  const noJson = { ...removed, change: "no JSON", text: `${removed.text} ~`, value: undefined };
  const keys = typeof last === "string" ? [`${last.slice(0, 1)}${last.slice(2)}`, "\u001b[2J"] : [];
  const renamed = keys.map((key) =>
    mutant(
      `renamed ${JSON.stringify(key)}`,
      changed(SETTINGS, place, (old) => [[key, old]]),
      { movedTo: [...place.slice(0, -1), key] },
    ),
  );
  return [...replaced, removed, noJson, ...renamed, ...doubledAt(place)];
}

/** The name of something that guards once more, with nothing behind it: all that stood behind the first one still counts. */
function doubledAt(place: Step[]): Mutant[] {
  const name = place.at(-1);
  const guards = place[0] === "hooks" ? place.length <= 2 || name === "hooks" : place[0] === "permissions";
  if (typeof name !== "string" || !guards || name === "defaultMode") return [];
  const empty = Array.isArray(at(SETTINGS, place)) ? [] : {};
  const twice = changed(SETTINGS, place, (old, key) => [
    [key, old],
    ["second", empty],
  ]);
  const text = JSON.stringify(twice, null, 2).replace('"second":', `"${name}":`);
  return [{ place: [...place.slice(0, -1), "second"], change: "becomes two", text, value: SETTINGS }];
}

const startsWith = (path: readonly Step[], start: readonly Step[]) =>
  start.every((step, index) => path[index] === step);

const ENTRIES = placesIn(SETTINGS)
  .filter((place) => place.at(-1) === "command")
  .map((place) => ({ place: place.slice(0, -1), command: at(SETTINGS, place) as string }));

/** The commands of all hooks that stand neither above nor below nor at the changed place. */
function untouchedBy(path: readonly Step[]): string[] {
  return ENTRIES.filter(({ place }) => {
    const isOwnMatcher = path[3] === "matcher" && startsWith(path, place.slice(0, 3));
    return !startsWith(place, path) && !startsWith(path, place) && !isOwnMatcher;
  }).map(({ command }) => command);
}

/** What a hook is, apart from its place in the file. */
function definitions({ hooks }: Settings): Map<string, string> {
  const commands = hooks.flatMap((one) =>
    one.action.command === undefined ? [] : [[one.action.command, one] as const],
  );
  return new Map(
    commands.map(
      ([
        command,
        {
          source: { scope, file },
          ...rest
        },
      ]) => [command, JSON.stringify({ ...rest, scope, file })],
    ),
  );
}

/** `hooks.PreToolUse[0].name` as steps. */
const stepsOf = (path: string): Step[] =>
  [...path.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g)].map(([, index, odd, name]) =>
    index !== undefined ? Number(index) : (name ?? (JSON.parse(`"${odd}"`) as string)),
  );

/** The line on which a path begins, by another reader than Wave's. */
function linesIn(text: string): (path: string) => number | undefined {
  const tree = parseTree(text);
  return (path) => {
    const node = tree && findNodeAtLocation(tree, stepsOf(path));
    if (!node) return undefined;
    const start = node.parent?.type === "property" ? node.parent.offset : node.offset;
    return text.slice(0, start).split("\n").length;
  };
}

/** For a failure that says where it is. */
const named = ({ place, change, settings: { problems } }: Loaded) => ({
  place: place.join("."),
  change,
  problems,
});

describe("every mutant of a settings file of thirty hooks", () => {
  let mutants: Loaded[] = [];
  let before = new Map<string, string>();

  beforeAll(() => {
    using files = new SettingsFiles();
    const whole = files.write("user", JSON.stringify(SETTINGS, null, 2)).load();
    before = definitions(whole);
    mutants = placesIn(SETTINGS)
      .flatMap(mutantsAt)
      .map((mutant) => {
        // Some file systems wait for the disk when a file is emptied and written anew.
        rmSync(files.files.user);
        return { ...mutant, settings: files.write("user", mutant.text).load() };
      });
  }, 120_000);

  const isFatal = ({ settings }: Loaded) => settings.problems.some(({ severity }) => severity === "fatal");

  it("is loaded without an exception, and hurts no hook but its own: the others are what they were (G10, T49)", () => {
    expect(ALL).toBe(30);
    expect(before.size).toBe(30);
    expect(mutants.length).toBeGreaterThan(1_500);
    expect(untouchedBy(["model"])).toHaveLength(30);
    expect(untouchedBy(["hooks", "Stop", 0, "hooks", 1, "timeout"])).toHaveLength(29);
    const hurt = mutants.filter((mutant) => {
      if (isFatal(mutant)) return false;
      const after = definitions(mutant.settings);
      return untouchedBy(mutant.place).some((command) => after.get(command) !== before.get(command));
    });
    expect(hurt.map(named)).toEqual([]);
  });

  it("is reported when it does not fit the schema, with file, line and path of the change (G10, T49, T50)", () => {
    const silent = mutants.filter(({ place, value, movedTo, settings }) => {
      // Only editors read it.
      if (value === undefined || place[0] === "$schema" || settingsSchema().safeParse(value).success)
        return false;
      return !settings.problems.some(({ file, line, path, message }) => {
        const said = path === undefined ? [] : stepsOf(path);
        const isThere = startsWith(said, movedTo ?? place);
        // What is missing, or a thing of the wrong kind in a list, is told of what it is missing in.
        const isAround = said.length === place.length - 1 && startsWith(place, said);
        const isPlaced = line !== undefined && (path !== undefined || place.length === 0);
        return file?.endsWith("settings.json") && isPlaced && message !== "" && (isThere || isAround);
      });
    });
    expect(silent.map(named)).toEqual([]);
  });

  it("is reported on the line on which its path begins (T50)", () => {
    const some = mutants.filter(({ change }) => !change.startsWith("becomes") || change === "becomes null");
    const wrong = some.flatMap((mutant) => {
      const lineOf = linesIn(mutant.text);
      return mutant.settings.problems.flatMap(({ path, line, column }) =>
        path === undefined || column !== undefined || lineOf(path) === line
          ? []
          : [{ ...named(mutant), path, line, really: lineOf(path) }],
      );
    });
    expect(wrong).toEqual([]);
  });

  it("loses nothing to a name that guards and is written twice: both count (G10)", () => {
    const doubled = mutants.filter(({ change }) => change === "becomes two");
    expect(doubled.length).toBeGreaterThan(20);
    const silent = doubled.filter(({ settings: { problems, hooks, permissions } }) => {
      const isSaid = problems.some(({ message }) => message.endsWith("; both count"));
      return !isSaid || problems.length !== 1 || hooks.length !== 30 || permissions.rules.length !== 1;
    });
    expect(silent.map(named)).toEqual([]);
  });

  it("keeps a guard that was told to block or ask as one that cannot decide, as long as that word can be read (T7, T49)", () => {
    const fields = new Set<Step>(["type", "command"]);
    const broken = mutants.filter((mutant) => {
      const last = mutant.place.at(-1);
      return !isFatal(mutant) && mutant.place.length === 6 && last !== undefined && fields.has(last);
    });
    const vanished = broken.filter(({ place, settings }) => {
      const entry = place.slice(0, -1);
      const strict = whole(place).onError;
      if (strict === undefined || strict === "continue") return false;
      const kept = settings.hooks.find(({ source }) => sameSteps(stepsOf(source.path), entry));
      return kept === undefined || (kept.action.type === "unsupported" && isLoose(kept));
    });
    expect(broken.length).toBeGreaterThan(250);
    expect(vanished.map(named)).toEqual([]);
  });

  it("keeps such guards also where the name of their event is misspelt, at the event that was meant (T7, T49)", () => {
    const misspelt = mutants.filter(({ place, change }) => {
      return (
        place.length === 2 &&
        place[0] === "hooks" &&
        change.startsWith("renamed") &&
        !change.includes("u001b")
      );
    });
    expect(misspelt).toHaveLength(6);
    const lost = misspelt.filter(({ place, settings }) => {
      const guards = settings.hooks.filter(({ action }) => action.type === "unsupported");
      const strict = STRICT_ENTRIES.filter((entry) => startsWith(entry, place)).length;
      return guards.length !== strict || guards.some((guard) => guard.event !== place[1] || isLoose(guard));
    });
    expect(lost.map(named)).toEqual([]);
  });

  it("is refused as a whole only when it is no JSON, or its hooks or rules have the wrong type or a misspelt name (G10, G11)", () => {
    const names = ["hooks", "permissions", "permissions.deny", "hoks", "prmissions", "permissions.dny"];
    const guards = new Set<string | undefined>(names);
    const refused = mutants.filter(({ place, value, settings }) => {
      const fatal = settings.problems.filter(({ severity }) => severity === "fatal");
      return place.length > 0 && value !== undefined && fatal.some(({ path }) => !guards.has(path));
    });
    expect(refused.map(named)).toEqual([]);
  });

  it("is refused when it is no JSON, or its hooks are no object: nobody knows then what should guard (G11, T52)", () => {
    const isRefused = ({ value }: Loaded) => {
      if (!isObject(value)) return true;
      return "hooks" in value && !isObject(value["hooks"]);
    };
    expect(mutants.filter((mutant) => isRefused(mutant) && !isFatal(mutant)).map(named)).toEqual([]);
  });
});

/** Hooks that say block or ask for what cannot be understood, where that acts. */
const STRICT_ENTRIES = ENTRIES.map(({ place }) => place).filter((place) => {
  const { onError } = at(SETTINGS, place) as { onError?: Json };
  return onError !== undefined && onError !== "continue";
});

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const whole = (place: readonly Step[]) => at(SETTINGS, place.slice(0, -1)) as { onError?: Json };
const sameSteps = (a: readonly Step[], b: readonly Step[]) => a.length === b.length && startsWith(a, b);
const isLoose = (kept: HookDefinition) => onErrorFor(kept.onError, "invalid") === "continue";

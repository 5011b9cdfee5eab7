import { beforeAll, describe, expect, it } from "vitest";
import { SettingsFiles } from "../../support/settingsFiles.ts";

/**
 * A settings file of ten hooks is changed in every place and in many ways. Loading never throws; and either the file as
 * a whole is refused, or every hook outside the changed place loads as before.
 */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Step = string | number;

const command = (name: string) => ({
  type: "command",
  command: `./${name}.sh`,
  timeout: 5,
  onError: "block",
  name,
});
const SETTINGS: Json = {
  $schema: "x",
  model: "m",
  env: { A: "1" },
  permissions: { deny: ["Bash(rm:*)"], defaultMode: "plan" },
  sessions: { keepDays: 9 },
  hooks: {
    PreToolUse: [
      { matcher: "Bash", hooks: [command("a"), command("b")] },
      { matcher: "Edit|Write", hooks: [command("c")] },
    ],
    PostToolUse: [{ matcher: "^Edit", hooks: [command("d"), command("e")] }],
    UserPromptSubmit: [{ hooks: [command("f")] }],
    Stop: [
      {
        hooks: [
          { type: "command", command: "./g.sh" },
          { type: "command", command: "./h.sh" },
        ],
      },
    ],
    SessionStart: [{ matcher: "startup", hooks: [{ type: "command", command: "./i.sh" }] }],
    SessionEnd: [{ hooks: [{ type: "command", command: "./j.sh" }] }],
  },
};

const REPLACEMENTS: Json[] = [
  null,
  true,
  0,
  -1,
  Infinity,
  "",
  " ",
  "(",
  "x",
  "__proto__",
  [],
  [null],
  [[]],
  {},
  { type: "command" },
  { hooks: 5 },
  { "": {} },
];
const NEW_KEYS = ["", "x", "__proto__", "constructor", "hooks", "\u001b[2J"];

function placesIn(value: Json, path: Step[] = []): Step[][] {
  if (value === null || typeof value !== "object") return [path];
  const children = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...children.flatMap(([step, child]) => placesIn(child, [...path, step]))];
}

/** The text of the settings with what stands at `path` written by `change`; `undefined` leaves it out. */
function written(
  value: Json,
  path: Step[],
  change: (key: string | undefined, text: string) => string | undefined,
): string {
  const [step, ...rest] = path;
  if (step === undefined) return change(undefined, JSON.stringify(value)) ?? "";
  if (value === null || typeof value !== "object") throw new Error("no such place");
  const isList = Array.isArray(value);
  const entries: [Step, Json][] = isList ? [...value.entries()] : Object.entries(value);
  const texts = entries.flatMap(([key, child]) => {
    const name = isList ? undefined : String(key);
    const plain = (text: string) => (name === undefined ? text : `${JSON.stringify(name)}: ${text}`);
    if (key !== step) return [plain(JSON.stringify(child))];
    if (rest.length > 0) return [plain(written(child, rest, change))];
    return change(name, JSON.stringify(child)) ?? [];
  });
  return isList ? `[${texts.join(",")}]` : `{${texts.join(",")}}`;
}

function mutantsAt(path: Step[]): string[] {
  const replaced = REPLACEMENTS.map((value) =>
    // JSON can say infinite, but JavaScript would write null for it.
    written(SETTINGS, path, (key) => {
      const text = value === Infinity ? "1e999" : JSON.stringify(value);
      return key === undefined ? text : `${JSON.stringify(key)}: ${text}`;
    }),
  );
  const removed = path.length > 0 ? [written(SETTINGS, path, () => undefined)] : [];
  const renamed =
    typeof path.at(-1) === "string"
      ? NEW_KEYS.map((key) => written(SETTINGS, path, (_, text) => `${JSON.stringify(key)}: ${text}`))
      : [];
  const broken = [written(SETTINGS, path, (_, text) => `${text} ~`)];
  return [...replaced, ...removed, ...renamed, ...broken];
}

/** The commands of all hooks that stand neither above nor below nor at the changed place. */
function untouchedBy(path: Step[]): string[] {
  return placesIn(SETTINGS)
    .filter((place) => place.at(-1) === "command")
    .filter((place) => {
      const entry = place.slice(0, -1);
      const group = place.slice(0, 3);
      const isOwnMatcher = path[3] === "matcher" && startsWith(path, group);
      return !startsWith(entry, path) && !startsWith(path, entry) && !isOwnMatcher;
    })
    .map((place) => {
      const found = place.reduce<Json>(
        (value, step) => (value as Record<Step, Json>)[step] ?? null,
        SETTINGS,
      );
      return typeof found === "string" ? found : "no command";
    });
}

const startsWith = (path: Step[], start: Step[]) => start.every((step, index) => path[index] === step);

describe("every mutant of a settings file of ten hooks", () => {
  interface Mutant {
    place: Step[];
    text: string;
    loaded: string[];
    fatal: (string | undefined)[];
  }
  let mutants: Mutant[] = [];

  beforeAll(() => {
    using files = new SettingsFiles();
    mutants = placesIn(SETTINGS).flatMap((place) =>
      mutantsAt(place).map((text) => {
        const { hooks, problems } = files.write("project", text).load();
        const loaded = hooks.map(({ action }) => (action.type === "command" ? action.command : ""));
        const fatal = problems.filter(({ severity }) => severity === "fatal").map(({ path }) => path);
        return { place, text, loaded, fatal };
      }),
    );
  });

  it("is loaded without an exception, and hurts no hook but its own (G10, T49)", () => {
    expect(mutants.length).toBeGreaterThan(1_500);
    expect(untouchedBy(["model"])).toHaveLength(10);
    const hurt = mutants.filter(({ place, loaded, fatal }) => {
      return fatal.length === 0 && !untouchedBy(place).every((hook) => loaded.includes(hook));
    });
    expect(hurt).toEqual([]);
  });

  it("is refused as a whole only when it is no JSON, or its hooks or rules have the wrong type (G10, G11)", () => {
    const guards = new Set<string | undefined>(["hooks", "permissions", "permissions.deny"]);
    const refused = mutants.filter(({ place, text, fatal }) => {
      return place.length > 0 && isJson(text) && fatal.some((path) => !guards.has(path));
    });
    expect(refused).toEqual([]);
  });

  it("is refused when it is no JSON (G11, T52)", () => {
    expect(mutants.filter(({ text, fatal }) => !isJson(text) && fatal.length === 0)).toEqual([]);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

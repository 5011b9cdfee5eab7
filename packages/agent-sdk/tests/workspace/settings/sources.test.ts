import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SETTINGS_SCOPES } from "@/hooks/definition.ts";
import { SANDBOX_MODES } from "@/permissions/sandboxModes.ts";
import { MERGE_RULES } from "@/workspace/settings/merge.ts";
import { isStricter } from "@/workspace/settings/projectLimits.ts";
import { settingsSchema } from "@/workspace/settings/schema.ts";
import type { Settings } from "@/workspace/settings/settings.ts";
import { SETTINGS_SOURCES, type SettingsSource } from "@/workspace/settings/sources.ts";
import { commandAction } from "../../support/actions.ts";
import { SettingsFiles } from "../../support/settingsFiles.ts";
import { TINY_SOURCE } from "./tinySource.ts";

/** A second source of one voice, before or behind the first. */
function withSecond(scope: SettingsSource["scope"], where: "before" | "behind"): readonly SettingsSource[] {
  const at = SETTINGS_SOURCES.findIndex(({ id }) => id === scope);
  const second = { ...TINY_SOURCE, scope };
  return SETTINGS_SOURCES.toSpliced(where === "before" ? at : at + 1, 0, second);
}

function load(first: object, second: object, sources: readonly SettingsSource[]): Settings {
  using files = new SettingsFiles();
  const { scope } = sources.find(({ id }) => id === "tiny") ?? TINY_SOURCE;
  if (scope !== "sdk" && scope !== "plugin") files.write(scope, first);
  if (scope === "flag") files.places.extraFile = files.files.flag;
  writeFileSync(join(files.places.projectDir, ".tiny.json"), JSON.stringify(second));
  files.places.sources = sources;
  return files.load();
}

describe("sources of settings", () => {
  it("stand in the declared order, each with an id of its own", () => {
    const ranks = SETTINGS_SOURCES.map(({ scope }) => SETTINGS_SCOPES.indexOf(scope));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(new Set(SETTINGS_SOURCES.map(({ id }) => id)).size).toBe(SETTINGS_SOURCES.length);
  });

  it("are one file and one row: hooks of a second one run behind trust, with their place, in its own dialect", () => {
    const second = {
      before: [{ matcher: "Bash", hooks: [{ type: "command", command: "./tiny" }] }],
      color: 1,
    };
    const settings = load({ model: "m" }, second, withSecond("project", "before"));
    expect(settings.hooks).toMatchObject([
      {
        event: "PreToolUse",
        action: commandAction("./tiny"),
        source: { scope: "project", file: /\.tiny\.json$/, line: 1, path: "before[0].hooks[0]" },
      },
    ]);
    expect(settings.problems.map(({ message }) => message)).toEqual(["color has no counterpart in Wave"]);
    expect(settings.files).toHaveLength(2);
  });

  it("have every obligation of their row: without one of them it does not compile", () => {
    type WithoutOne = {
      [K in keyof SettingsSource]: Omit<SettingsSource, K> extends SettingsSource ? "still a row" : "refused";
    };
    const obligations: WithoutOne = {
      id: "refused",
      scope: "refused",
      dialect: "refused",
      isRead: "refused",
      variables: "refused",
      fileIn: "refused",
    };
    expect(Object.keys(obligations).sort()).toEqual(Object.keys(TINY_SOURCE).sort());
  });

  it("have a rule for every key of the settings", () => {
    expect(Object.keys(MERGE_RULES).sort()).toEqual(Object.keys(settingsSchema().shape).sort());
  });
});

describe("a second file with the same voice", () => {
  const plan = { permissions: { defaultMode: "plan" } };

  it.each(["before", "behind"] as const)("(%s) never drops the stricter mode of the first (G18)", (where) => {
    for (const scope of ["managed", "user", "project", "local", "flag"] as const) {
      const sources = withSecond(scope, where);
      expect(load(plan, {}, sources).permissions.defaultMode).toBe("plan");
      expect(load({}, plan, sources).permissions.defaultMode).toBe("plan");
      const loose = { permissions: { defaultMode: "default" } };
      expect(load(plan, loose, sources).permissions.defaultMode).toBe("plan");
      expect(load(loose, plan, sources).permissions.defaultMode).toBe("plan");
    }
  });

  it("says so when the nearer file of a project is the looser one", () => {
    using files = new SettingsFiles();
    files.write("project", plan).write("local", { permissions: { defaultMode: "default" } });
    const { permissions, problems } = files.load();
    expect(permissions.defaultMode).toBe("plan");
    expect(problems).toMatchObject([
      { file: files.files.local, path: "permissions.defaultMode", message: /another file of this project/ },
    ]);
  });

  it("leaves plain values to the nearer one, also where the first has none", () => {
    const [before, behind] = [withSecond("user", "before"), withSecond("user", "behind")];
    expect(load({ model: "a" }, { model: "b" }, before).model).toBe("a");
    expect(load({ model: "a" }, { model: "b" }, behind).model).toBe("b");
    expect(load({}, { model: "b", baseUrl: "http://b" }, before)).toMatchObject({
      model: "b",
      baseUrl: "http://b",
    });
    expect(load({ env: { A: "1", B: "1" } }, { env: { B: "2" } }, behind).env).toEqual({ A: "1", B: "2" });
  });

  it("never loosens what the first holds back, and the first never what it does (G18)", () => {
    const file = fc.record(
      {
        permissions: fc.record(
          {
            deny: fc.subarray(["Bash(rm:*)", "Edit"]),
            ask: fc.subarray(["Bash(git push:*)", "Write"]),
            defaultMode: fc.constantFrom("plan", "default"),
          },
          { requiredKeys: [] },
        ),
        sandbox: fc.record(
          { mode: fc.constantFrom(...SANDBOX_MODES), network: fc.boolean() },
          { requiredKeys: ["mode"] },
        ),
        hookDefaults: fc.record({ onError: fc.constantFrom("continue", "ask", "block") }),
        protectEnv: fc.subarray(["A", "B"]),
        before: fc.constant([{ hooks: [{ type: "command", command: "./guard" }] }]),
      },
      { requiredKeys: [] },
    );
    const scope = fc.constantFrom("managed", "user", "project", "local", "flag");
    fc.assert(
      fc.property(file, file, scope, fc.constantFrom("before", "behind"), (one, other, voice, where) => {
        const sources = withSecond(voice, where);
        const { before: _own, ...first } = one;
        const both = load(first, other, sources);
        for (const alone of [load(first, {}, sources), load({}, other, sources)])
          expect(looserThan(both, alone)).toEqual([]);
      }),
      { numRuns: 120 },
    );
  });
});

/** What one holds back and the other does not. */
function looserThan(both: Settings, alone: Settings): string[] {
  const holding = ({ permissions }: Settings) =>
    permissions.rules.flatMap(({ behavior, rule }) => (behavior === "allow" ? [] : [`${behavior} ${rule}`]));
  const [mode, own] = [both, alone].map(({ permissions }) => permissions.defaultMode ?? "default");
  // What holds without a word is nobody's: a person may switch it off.
  const rank = ({ sandbox: { mode, from } }: Settings) =>
    from === "the default" ? 0 : SANDBOX_MODES.indexOf(mode);
  return [
    ...holding(alone).filter((rule) => !holding(both).includes(rule)),
    ...(isStricter(own ?? "default", mode ?? "default") ? [`mode ${own}`] : []),
    ...(rank(both) < rank(alone) ? [`sandbox ${alone.sandbox.mode}`] : []),
    ...(both.sandbox.network && !alone.sandbox.network ? ["network"] : []),
    ...(alone.hooks.length > both.hooks.length ? ["a hook"] : []),
    ...(alone.hookDefaults.length > both.hookDefaults.length ? ["hookDefaults"] : []),
  ];
}

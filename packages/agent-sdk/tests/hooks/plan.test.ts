import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  SETTINGS_SCOPES,
  type HookDefinition,
  type OnError,
  type SettingsScope,
} from "@/hooks/definition.ts";
import { matchableValues, offByScope, planHooks, shadowOf } from "@/hooks/plan.ts";
import { commandAction, functionAction, unsupportedAction } from "../support/actions.ts";

const knownTools = ["Bash", "Edit", "Write"];

function hook(
  command: string,
  changes: Partial<HookDefinition> & { scope?: SettingsScope } = {},
): HookDefinition {
  const { scope = "user", ...rest } = changes;
  return {
    event: "PreToolUse",
    matcher: undefined,
    name: command,
    source: { scope, file: `${scope}.json`, path: `hooks.PreToolUse[0].hooks[0]` },
    action: commandAction(command),
    timeoutMs: 60_000,
    onError: "continue",
    passEnv: [],
    ...rest,
  };
}

const names = (hooks: readonly HookDefinition[]) => hooks.map(({ name }) => name);
const planFor = (tool: string, hooks: readonly HookDefinition[]) =>
  planHooks("PreToolUse", tool, hooks, { knownTools });

describe("the plan of an event", () => {
  it("has the hooks that match and says why the others do not run", () => {
    const plan = planFor("Bash", [
      hook("a"),
      hook("b", { matcher: "Edit" }),
      hook("c", { matcher: "Bash|Edit" }),
    ]);
    expect(names(plan.run)).toEqual(["a", "c"]);
    expect(plan.skipped).toEqual([
      { hook: hook("b", { matcher: "Edit" }), why: 'its matcher "Edit" does not match tool_name "Bash"' },
    ]);
  });

  it("gives an entry that appears twice the longest of its timeouts (T11)", () => {
    const quick = hook("a", { scope: "user", timeoutMs: 200 });
    const patient = hook("a", { scope: "project", timeoutMs: 5_000 });
    expect(planFor("Bash", [quick, patient]).run).toMatchObject([{ name: "a", timeoutMs: 5_000 }]);
  });

  it("leaves hooks of other events out of account", () => {
    expect(planFor("Bash", [hook("a", { event: "Stop" })])).toEqual({
      run: [],
      skipped: [],
      unreviewed: [],
      aboutOthers: [],
    });
  });

  it("goes by scope first and by position within a scope, whatever order the hooks come in", () => {
    const scope = fc.constantFrom(...SETTINGS_SCOPES);
    fc.assert(
      fc.property(fc.array(scope, { maxLength: 12 }), (scopes) => {
        const hooks = scopes.map((each, index) => hook(`${index}`, { scope: each }));
        const expected = SETTINGS_SCOPES.flatMap((each) =>
          hooks.filter(({ source }) => source.scope === each),
        );
        expect(planFor("Bash", hooks).run).toEqual(expected);
      }),
    );
  });

  it("puts every hook of the event in exactly one of its two lists (G15)", () => {
    const any = fc.record({
      command: fc.constantFrom("a", "b", "c"),
      scope: fc.constantFrom(...SETTINGS_SCOPES),
      matcher: fc.constantFrom(undefined, "Bash", "Edit", "("),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 10 }), (entries) => {
        const hooks = entries.map(({ command, ...rest }) => hook(command, rest));
        const { run, skipped } = planFor("Bash", hooks);
        expect(run.length + skipped.length).toBe(hooks.length);
        expect(new Set(names(run)).size).toBe(run.length);
        expect(skipped.every(({ why }) => why !== "")).toBe(true);
      }),
    );
  });

  const policies: [OnError, OnError, OnError][] = [
    ["continue", "continue", "continue"],
    ["continue", "ask", "ask"],
    ["ask", "continue", "ask"],
    ["ask", "block", "block"],
    ["block", "continue", "block"],
  ];
  it.each(policies)(
    "runs an entry with onError %s and %s once, with %s (T11, T170, G15)",
    (first, second, strictest) => {
      const inUser = hook("a", { scope: "user", onError: first });
      const inProject = hook("a", { scope: "project", onError: second });
      expect(planFor("Bash", [inProject, inUser])).toEqual({
        unreviewed: [],
        aboutOthers: [],
        run: [{ ...inUser, onError: strictest }],
        skipped: [
          {
            hook: inProject,
            why: "runs once, for the same entry in user.json (hooks.PreToolUse[0].hooks[0])",
          },
        ],
      });
    },
  );

  it("does not take over the onError of a copy that does not match (T11)", () => {
    const plan = planFor("Bash", [hook("a"), hook("a", { matcher: "Edit", onError: "block" })]);
    expect(plan.run).toEqual([hook("a")]);
  });

  it("runs the same command twice when only one of the two gets a secret (G15)", () => {
    const plan = planFor("Bash", [hook("a"), hook("a", { passEnv: ["WAVE_API_KEY"] })]);
    expect(plan.run).toHaveLength(2);
  });

  it("tells functions apart by identity (G15)", () => {
    const one = functionAction(() => undefined);
    const other = functionAction(() => undefined);
    const hooks = [hook("a", { action: one }), hook("b", { action: other }), hook("c", { action: one })];
    expect(names(planFor("Bash", hooks).run)).toEqual(["a", "b"]);
  });

  it("never merges two entries that cannot run", () => {
    const action = unsupportedAction("no");
    expect(planFor("Bash", [hook("a", { action }), hook("b", { action })]).run).toHaveLength(2);
  });

  it("matches the source of a session, and ignores a matcher where there is nothing to match", () => {
    const start = (matcher: string) => hook(matcher, { event: "SessionStart", matcher });
    const plan = planHooks("SessionStart", "resume", [start("Startup"), start("RESUME")], { knownTools });
    expect(names(plan.run)).toEqual(["RESUME"]);
    const stop = planHooks("Stop", undefined, [hook("a", { event: "Stop", matcher: "Bash" })], {
      knownTools,
    });
    expect(names(stop.run)).toEqual(["a"]);
    expect(matchableValues("SessionStart", knownTools)).toEqual([
      "startup",
      "resume",
      "clear",
      "compact",
      "fork",
    ]);
    expect(matchableValues("PreToolUse", knownTools)).toBe(knownTools);
  });

  it("names the reason for a matcher that cannot be read (T53)", () => {
    const plan = planFor("Bash", [hook("a", { matcher: "(" })]);
    expect(plan.run).toEqual([]);
    expect(plan.skipped[0]?.why).toContain("not a valid regular expression");
  });

  const scopes: [Parameters<typeof offByScope>[0], SettingsScope[]][] = [
    ["all", ["managed", "user", "project", "local", "flag", "plugin", "sdk"]],
    ["no-project", ["managed", "user", "flag", "plugin", "sdk"]],
    ["none", ["managed"]],
  ];
  it.each(scopes)(
    "with the hook scope %s keeps %j and says why the others are off (T43, T169)",
    (hookScope, kept) => {
      const hooks = SETTINGS_SCOPES.map((scope) => hook(scope, { scope }));
      const plan = planHooks("PreToolUse", "Bash", hooks, { knownTools, off: offByScope(hookScope) });
      expect(names(plan.run)).toEqual(kept);
      expect(plan.skipped.every(({ why }) => why.includes("switched off"))).toBe(true);
    },
  );
});

describe("the shadow of an entry", () => {
  it("is the first one before it in declared order with the same command, as the plan has it (T168)", () => {
    const project = hook("./a.sh", { scope: "project" });
    const hooks = [
      hook("./b.sh", { scope: "sdk" }),
      project,
      hook("./a.sh", { scope: "project", event: "Stop" }),
      hook("./a.sh", { scope: "project", passEnv: ["KEY"] }),
      hook("./a.sh", { scope: "user", matcher: "Bash" }),
      hook("./a.sh", { scope: "managed" }),
    ];
    const shadows = hooks.map((one) => shadowOf(one, hooks)?.source.scope);
    expect(shadows).toEqual([undefined, "managed", undefined, undefined, "managed", undefined]);
    const skipped = planFor("Bash", hooks).skipped.map(({ hook: one }) => one);
    expect(skipped).toEqual([hooks[4], project]);
  });

  it("is never one that runs at other times: once in a session, or beside the work (T168)", () => {
    for (const own of [{ once: true }, { inBackground: "quiet" }] as const) {
      const hooks = [hook("./a.sh"), { ...hook("./a.sh"), ...own }];
      expect(hooks.map((one) => shadowOf(one, hooks))).toEqual([undefined, undefined]);
      expect(planFor("Bash", hooks).run).toEqual(hooks);
    }
  });
});

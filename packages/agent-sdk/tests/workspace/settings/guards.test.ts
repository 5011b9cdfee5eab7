import { describe, expect, it } from "vitest";
import { onErrorFor } from "@/hooks/failurePolicy.ts";
import { describeLeftOut, hooksNotThere } from "@/hooks/leftOut.ts";
import { settingsOf } from "../../support/settingsFiles.ts";

const good = { type: "command", command: "good" };
const other = { Stop: [{ hooks: [good] }] };

describe("a mistake in the structure of hooks", () => {
  const rows: [
    what: string,
    hooks: Record<string, unknown>,
    stands: { path: string; matcher?: string },
    why: RegExp,
  ][] = [
    [
      "an event that is a text",
      { PreToolUse: "./x" },
      { path: "hooks.PreToolUse" },
      /PreToolUse must be a list of groups, not "\.\/x"/,
    ],
    ["an event that is null", { PreToolUse: null }, { path: "hooks.PreToolUse" }, /not null/],
    [
      "a group that is a text",
      { PreToolUse: ["./x"] },
      { path: "hooks.PreToolUse[0]" },
      /a group must be an object/,
    ],
    [
      "a group without hooks",
      { PreToolUse: [{ matcher: "Bash" }] },
      { path: "hooks.PreToolUse[0]", matcher: "Bash" },
      /has no "hooks"/,
    ],
    [
      "hooks that are a text",
      { PreToolUse: [{ matcher: "Bash", hooks: "x" }] },
      { path: "hooks.PreToolUse[0].hooks", matcher: "Bash" },
      /hooks must be a list, not "x"/,
    ],
    [
      "a misspelt hooks",
      { PreToolUse: [{ matcher: "Bash", Hoks: [good] }] },
      { path: "hooks.PreToolUse[0].Hoks[0]", matcher: "Bash" },
      /"Hoks" is not a field of a group/,
    ],
    [
      "a hook that is a text",
      { PreToolUse: [{ matcher: "Bash", hooks: ["x"] }] },
      { path: "hooks.PreToolUse[0].hooks[0]", matcher: "Bash" },
      /a hook must be an object/,
    ],
    [
      "a misspelt event",
      { PreToolUes: [{ matcher: "Bash", hooks: [good] }] },
      { path: "hooks.PreToolUes[0].hooks[0]", matcher: "Bash" },
      /"PreToolUes" is not an event of Wave/,
    ],
    [
      "a matcher that is none",
      { PreToolUse: [{ matcher: "(", hooks: [good] }] },
      { path: "hooks.PreToolUse[0].hooks[0]" },
      /not a valid regular expression/,
    ],
  ];

  it.each(rows)(
    "%s is a guard that cannot decide where the defaults say block or ask (T7, T49, G11)",
    (_, hooks, stands, why) => {
      for (const onError of ["block", "ask"] as const) {
        const settings = settingsOf({ hookDefaults: { onError }, hooks: { ...hooks, ...other } });
        expect(settings.hooks).toHaveLength(2);
        expect(settings.hooks[0]).toMatchObject({
          event: "PreToolUse",
          onError,
          source: { path: stands.path },
          action: { type: "unsupported", neverRuns: expect.stringMatching(why) },
        });
        expect(settings.hooks[0]?.matcher).toBe(stands.matcher);
        expect(settings.leftOut).toEqual([]);
        const said = settings.problems.map(({ message }) => message).join("\n");
        expect(said).toMatch(why);
        expect(said).toMatch(
          /until you fix it(: 1 counted|, it counts) as (not able to decide, under onError|a failed hook, and onError says)/,
        );
      }
    },
  );

  it.each(rows)(
    "%s is skipped where they say continue; that is said and counted (T49, G10)",
    (_, hooks, stands, why) => {
      const settings = settingsOf({ hooks: { ...hooks, ...other } });
      expect(settings.hooks).toMatchObject([{ event: "Stop" }]);
      expect(settings.leftOut).toMatchObject([{ source: { path: stands.path } }]);
      const said = settings.problems
        .filter(({ severity }) => severity === "error")
        .map(({ message }) => message);
      expect(said).toHaveLength(1);
      expect(said[0]).toMatch(why);
      expect(said[0]).toMatch(/skipped and guard(s|ing) nothing/);
    },
  );

  it("heeds the word of the hooks themselves under a misspelt event (T7)", () => {
    const hooks = {
      PreToolUes: [{ hooks: [{ ...good, onError: "block" }, { ...good, onError: "ask" }, good] }],
    };
    const settings = settingsOf({ hooks });
    expect(settings.hooks.map(({ onError }) => onError)).toEqual(["block", "ask"]);
    expect(settings.problems).toMatchObject([
      {
        severity: "error",
        path: "hooks.PreToolUes",
        message:
          '"PreToolUes" is not an event of Wave (did you mean "PreToolUse"?); its hooks cannot run until you fix it: 2 counted as not able to decide, under onError, 1 skipped and guarding nothing',
      },
    ]);
  });

  it("means nothing on an event where no onError acts", () => {
    const settings = settingsOf({ hookDefaults: { onError: "block" }, hooks: { Stop: "x" } });
    expect(settings.hooks).toEqual([]);
    expect(settings.leftOut).toMatchObject([{ event: "Stop", source: { path: "hooks.Stop" } }]);
  });
});

const TOOLS = ["Bash", "Read", "Edit", "Write"];

describe("the hooks that settings name and that are not there", () => {
  it("are counted one by one; an event that Wave does not have guards nothing and is not counted (T50, T57)", () => {
    const settings = settingsOf({
      hooks: {
        Notification: [{ hooks: [good, good] }],
        PreToolUse: [{ hooks: [good, { type: "agent" }, { type: "agent", onError: "block" }, {}] }],
      },
    });
    const missing = hooksNotThere(settings, TOOLS);
    expect(missing.map(({ source }) => source.path)).toEqual([
      "hooks.PreToolUse[0].hooks[3]",
      "hooks.PreToolUse[0].hooks[1]",
    ]);
    expect(describeLeftOut(missing)).toMatch(
      /^2 hooks of the settings cannot run and guard nothing: .*wave hooks list says why$/,
    );
    expect(describeLeftOut([...missing, ...missing, ...missing, ...missing])).toMatch(
      /^8 hooks .*, and 3 more; wave hooks list/,
    );
    expect(describeLeftOut(hooksNotThere(settingsOf({ hooks: other }), TOOLS))).toBeUndefined();
  });
});

describe("a hook whose matcher matches no tool", () => {
  it.each([
    ["Bsh", 1],
    ["Bsh|Wirte", 1],
    ["^Bahs$", 1],
    ["Bash(rm:*)", 1],
    ["Bash Edit", 1],
    ["Bash|Wirte", 0],
    ["bash", 0],
    ["WebFetch", 0],
    ["Task|NotebookEdit", 0],
    ["mcp__files__.*", 0],
    ["*__write", 0],
    ["", 0],
  ])(
    "%s is counted as one that is not there if it has a misspelt name in it: %i (T50, T57)",
    (matcher, count) => {
      const guards = (onError: string) =>
        hooksNotThere(
          settingsOf({ hooks: { PreToolUse: [{ matcher, hooks: [{ ...good, onError }] }] } }),
          TOOLS,
        );
      expect(guards("continue")).toHaveLength(count);
      expect(guards("block")).toEqual([]);
    },
  );
});

describe("a name near one that guards", () => {
  const fatal: [settings: object, path: string, meant: string][] = [
    [{ Hooks: {} }, "Hooks", "hooks"],
    [{ hook: {} }, "hook", "hooks"],
    [{ hoosk: {} }, "hoosk", "hooks"],
    [{ hoks: {} }, "hoks", "hooks"],
    [{ permission: {} }, "permission", "permissions"],
    [{ Permissions: {} }, "Permissions", "permissions"],
    [{ permisions: {} }, "permisions", "permissions"],
    [{ permissions: { Deny: [] } }, "permissions.Deny", "deny"],
    [{ permissions: { denied: [] } }, "permissions.denied", "deny"],
    [{ permissions: { dney: [] } }, "permissions.dney", "deny"],
    [{ permissions: { Ask: [] } }, "permissions.Ask", "ask"],
    [{ permissions: { aks: [] } }, "permissions.aks", "ask"],
    [{ sandbx: "required" }, "sandbx", "sandbox"],
    [{ Sandbox: "required" }, "Sandbox", "sandbox"],
    [{ sand_box: {} }, "sand_box", "sandbox"],
  ];
  it.each(fatal)("%j stops Wave: nobody knows then what should guard (G11)", (settings, path, meant) => {
    expect(settingsOf(settings).problems).toMatchObject([
      { severity: "fatal", path, message: expect.stringContaining(`did you mean "${meant}"?`) },
    ]);
  });

  it.each(["deny", "allow", "ask", "Deny"])("%s outside of permissions stops Wave, too (G11)", (key) => {
    expect(settingsOf({ [key]: ["Bash"] }).problems).toMatchObject([
      { severity: "fatal", path: key, message: expect.stringContaining("belongs in permissions") },
    ]);
  });

  it.each([5, "", " ", null, ["Bash"], { rule: "Bash" }])(
    "%j as a rule makes every call a question where it was to hold something back, and allows nothing (G10, G11)",
    (rule) => {
      for (const behavior of ["deny", "ask", "allow"] as const) {
        const { problems, permissions } = settingsOf({ permissions: { [behavior]: ["Bash(a)", rule] } });
        expect(problems).toMatchObject([
          {
            severity: "error",
            path: `permissions.${behavior}[1]`,
            message: expect.stringContaining("a rule must be a text"),
          },
        ]);
        expect(permissions.rules.slice(1)).toMatchObject(
          behavior === "allow" ? [] : [{ rule: "*", behavior: "ask" }],
        );
      }
    },
  );

  it.each([
    "tools",
    "mode",
    "allowManagedHooksOnly",
    "hooksConfig",
    "permissionMode",
    "disableAllHooks",
    "enableAllProjectMcpServers",
    "statusLine",
    "cleanupPeriodDays",
  ])("%s at the top is a warning (T50)", (key) => {
    expect(settingsOf({ [key]: {} }).problems).toMatchObject([{ severity: "warning" }]);
  });

  it.each(["additionalDirectories", "disableBypassPermissionsMode", "alow", "all", "any", "add", "mode"])(
    "%s in permissions is a warning (T50)",
    (key) => {
      expect(settingsOf({ permissions: { [key]: [] } }).problems).toMatchObject([{ severity: "warning" }]);
    },
  );
});

describe("onError by another name", () => {
  const read: [fields: object, onError: string, warnings: RegExp[]][] = [
    [{ onerror: "ask" }, "ask", [/"onerror" is read as "onError"; write it that way/]],
    [{ on_error: "block" }, "block", [/"on_error" is read as/]],
    [{ OnError: "continue" }, "continue", [/"OnError" is read as/]],
    [{ onFail: "block" }, "block", [/"onFail" is read as/]],
    [{ onFailure: "ask" }, "ask", []],
    [{ onFailure: "block" }, "block", []],
    [{ onFailure: "stop" }, "block", [/onError must be .* not "stop"; it is read as "block"/]],
    [{ onfailure: "block" }, "block", [/"onfailure" is read as/]],
    [{ failClosed: true }, "block", []],
    [{ failClosed: false }, "continue", []],
    [{ failClosed: "yes" }, "block", [/failClosed must be true or false, not "yes"; it is read as true/]],
    [{ fail_closed: true }, "block", [/"fail_closed" is read as/]],
    [
      { onError: "continue", failClosed: true },
      "block",
      [/"onError" and "failClosed" mean the same; the stricter one counts/],
    ],
    [
      { onErr: "deny" },
      "block",
      [/"onErr" is read as/, /onError must be .* not "deny"; it is read as "block"/],
    ],
    [{ onError: "ask", onerror: "block" }, "block", [/"onerror" is read as/]],
    [{ onError: "block", onerror: "continue" }, "block", [/"onerror" is read as/]],
    [{ error: "block" }, "continue", [/"error" is not a field of a hook/]],
  ];
  it.each(read)("%j is read as %s (T7)", (fields, onError, warnings) => {
    const settings = settingsOf({ hooks: { PreToolUse: [{ hooks: [{ ...good, ...fields }] }] } });
    expect(settings.hooks).toMatchObject([{ onError }]);
    expect(settings.problems).toMatchObject(
      warnings.map((message) => ({ severity: "warning", message: expect.stringMatching(message) })),
    );
  });

  it.each([
    ['"onError": "block", "onError": "continue"', "block", "block"],
    ['"onError": "continue", "onError": "ask"', "ask", "ask"],
    ['"onError": {"timeout": "block", "timeout": "continue", "default": "ask"}', "block", "ask"],
    ['"onError": {"timeout": "ask"}, "onError": "continue"', "ask", "continue"],
  ])(
    "%s in one place: of each kind the stricter word counts, and that is said (T7)",
    (twice, timeout, crash) => {
      const entry = `{"type": "command", "command": "good"`;
      for (const text of [
        `{"hooks": {"PreToolUse": [{"hooks": [${entry}, ${twice}}]}]}}`,
        `{"hookDefaults": {${twice}}, "hooks": {"PreToolUse": [{"hooks": [${entry}}]}]}}`,
      ]) {
        const { hooks, problems } = settingsOf(text);
        const kinds = hooks.map(({ onError }) => [
          onErrorFor(onError, "timeout"),
          onErrorFor(onError, "crash"),
        ]);
        expect(kinds).toEqual([[timeout, crash]]);
        expect(problems).toMatchObject([
          {
            severity: "warning",
            message: expect.stringMatching(/a second time .*; the stricter one counts$/),
          },
        ]);
      }
    },
  );

  it.each([
    [{ hookDefaults: { onerror: "block" } }, /"onerror" is read as "onError"/],
    [{ hookDefault: { onError: "block" } }, /"hookDefault" is read as "hookDefaults"/],
    [{ hookdefaults: { onError: "block" } }, /"hookdefaults" is read as "hookDefaults"/],
  ])("%j is the default that it was meant to be (T7, T11)", (settings, message) => {
    const read = settingsOf({ ...settings, hooks: { PreToolUse: [{ hooks: [good] }] } });
    expect(read.hooks).toMatchObject([{ onError: "block" }]);
    expect(read.problems).toMatchObject([{ severity: "warning", message: expect.stringMatching(message) }]);
  });
});

import { describe, expect, it } from "vitest";
import { HOOK_EVENT_NAMES, HOOK_EVENTS } from "@/hooks/events.ts";
import type { Settings } from "@/workspace/settings/settings.ts";
import { settingsOf } from "../../support/settingsFiles.ts";
import { commandAction } from "../../support/actions.ts";

const good = { type: "command", command: "good" };

/** The entry under test stands between two good ones, which must load whatever it is. */
function withEntry(entry: unknown, event = "PreToolUse"): Settings {
  const settings = settingsOf({
    hooks: {
      [event]: [{ hooks: [good, entry, { ...good, name: "last" }] }],
      SessionEnd: [{ hooks: [good] }],
    },
  });
  const names = settings.hooks.filter(({ action }) => action.type === "command" && action.command === "good");
  expect(names.map(({ name }) => name)).toEqual(["good", "last", "good"]);
  return settings;
}

const hookUnderTest = ({ hooks }: Settings) => hooks.find(({ source }) => source.path.endsWith(".hooks[1]"));
const place = "hooks.PreToolUse[0].hooks[1]";

describe("a hook entry that cannot be understood", () => {
  const bad: [entry: unknown, message: RegExp][] = [
    ["./check.sh", /a hook must be an object such as .*, not "\.\/check\.sh"/],
    [5, /must be an object/],
    [null, /must be an object .*, not null/],
    [["a"], /must be an object .*, not a list/],
    [{}, /has no "command"/],
    [{ type: "command" }, /has no "command"/],
    [{ type: "command", command: "" }, /command must be a text that is not empty, not ""/],
    [{ type: "command", command: "  " }, /command must be a text that is not empty/],
    [{ type: "command", command: 5 }, /command must be a text that is not empty, not 5/],
    [{ type: "command", command: ["a"] }, /command must be a text .*, not a list/],
    [{ type: 5, command: "x" }, /"type" must be "command"/],
    [{ type: "command", command: "x", args: "a" }, /args must be a list of texts, .*, not "a"/],
    [{ type: "command", command: "x", args: [5] }, /args must be a list of texts/],
    [{ type: "command", command: "x", args: ["a\0b"] }, /args must be a list of texts/],
  ];

  it.each(bad)("such as %j is left out with an error that names its place (T49, G10)", (entry, message) => {
    const settings = withEntry(entry);
    expect(hookUnderTest(settings)).toBeUndefined();
    expect(settings.problems).toMatchObject([
      {
        severity: "error",
        file: expect.stringMatching(/settings\.json$/),
        path: place,
        message: expect.stringMatching(message),
      },
    ]);
    expect(settings.problems[0]?.line).toBe(10);
  });

  it("counts as undecided instead when it was told to block or ask then (T49)", () => {
    const settings = withEntry({ type: "command", comand: "./guard.sh", onError: "block" });
    expect(hookUnderTest(settings)).toMatchObject({
      onError: "block",
      action: { type: "unsupported", neverRuns: 'this hook has no "command", so there is nothing to run' },
    });
    expect(settings.problems).toMatchObject([
      {
        severity: "warning",
        path: `${place}.comand`,
        message: expect.stringContaining('did you mean "command"?'),
      },
      { severity: "error", path: place },
    ]);
  });
});

describe("a hook entry with something odd in it", () => {
  const odd: [fields: object, where: string, severity: string, message: RegExp, read: object][] = [
    [
      { timeout: 0 },
      ".timeout",
      "error",
      /above 0 .*, not 0; the default of 600 seconds/,
      { timeoutMs: 600_000 },
    ],
    [{ timeout: -1 }, ".timeout", "error", /not -1; the default/, { timeoutMs: 600_000 }],
    [{ timeout: "10" }, ".timeout", "error", /not "10"; the default/, { timeoutMs: 600_000 }],
    [{ timeout: 1e12 }, ".timeout", "error", /at most 2147483/, { timeoutMs: 600_000 }],
    [
      { timeout: 5000 },
      ".timeout",
      "warning",
      /in seconds, so this is 83 minutes; did you mean ms, that is 5\?/,
      { timeoutMs: 5_000_000 },
    ],
    [{ name: 5 }, ".name", "warning", /name must be a text that is not empty, not 5/, { name: "./x" }],
    [
      { passEnv: "A" },
      ".passEnv",
      "error",
      /must be a list of names, not "A"; nothing is passed/,
      { passEnv: [] },
    ],
    [
      { onError: "blok" },
      ".onError",
      "warning",
      /must be "continue", "ask" or "block", or an object .*, not "blok"; it is read as "block"/,
      { onError: "block" },
    ],
    [{ onError: true }, ".onError", "warning", /not true; it is read as "block"/, { onError: "block" }],
    [{ onEror: "block" }, ".onEror", "warning", /is read as "onError"; write it/, { onError: "block" }],
    [{ shade: 1 }, ".shade", "warning", /not a field of a hook and is not used; known are type, command/, {}],
    [
      { if: "Bash(git" },
      ".if",
      "warning",
      /is not a tool name, optionally with \(…\) behind it; the hook runs for every call/,
      {},
    ],
    [
      { if: 5 },
      ".if",
      "warning",
      /must be a text that is not empty, not 5; the hook runs for every call/,
      {},
    ],
    [{ async: 1 }, ".async", "error", /must be true or false.*the hook is waited for/, {}],
    [{ once: "yes" }, ".once", "error", /must be true or false.*the hook runs each time/, {}],
    [{ statusMessage: "" }, ".statusMessage", "warning", /must be a text.*it is not used/, {}],
    [
      { async: true, onError: "block" },
      "",
      "warning",
      /nobody waits for an async hook/,
      { inBackground: "quiet" },
    ],
    [{ type: undefined }, "", "warning", /has no "type"/, {}],
    [{ cwd: "home" }, ".cwd", "error", /cwd must be "project" or "session".*starts in the project root/, {}],
    [
      { env: { "A B": "x" } },
      ".env",
      "error",
      /env must be an object of names and texts.*nothing is set/,
      {},
    ],
  ];
  it.each(odd)("%j runs, and Wave says so (T7, T50, T197)", (fields, where, severity, message, read) => {
    const settings = withEntry({ type: "command", command: "./x", ...fields });
    expect(settings.problems).toMatchObject([
      { severity, path: `${place}${where}`, message: expect.stringMatching(message) },
    ]);
    expect(hookUnderTest(settings)).toMatchObject({ action: { type: "command", command: "./x" }, ...read });
  });

  it("keeps a timeout of 600 seconds and less to itself (T197)", () => {
    const settings = withEntry({ type: "command", command: "./x", timeout: 600 });
    expect(settings.problems).toEqual([]);
    expect(hookUnderTest(settings)?.timeoutMs).toBe(600_000);
  });

  it.each([
    ["PreToolUse", { timeoutMs: 600_000 }],
    ["Stop", { timeoutMs: 600_000 }],
    ["UserPromptSubmit", { timeoutMs: 30_000 }],
    ["SessionEnd", { timeoutMs: 5_000, sharesTime: true }],
  ])("without a timeout has the default of %s (SPEC 6)", (event, time) => {
    const group = (entry: object) => ({ hooks: [{ type: "command", command: "x", ...entry }] });
    const { hooks } = settingsOf({ hooks: { [event]: [group({}), group({ timeout: 9, name: "own" })] } });
    expect(hooks[0]).toMatchObject(time);
    expect(hooks[1]).toMatchObject({ timeoutMs: 9_000 });
    expect(hooks[1]).not.toHaveProperty("sharesTime");
  });

  it('with "shell": "bash" runs as without it, and nothing is said (SPEC 6)', () => {
    const settings = withEntry({ type: "command", command: "x", shell: "bash" });
    expect(settings.problems).toEqual([]);
    expect(hookUnderTest(settings)?.action).toEqual(commandAction("x"));
  });

  it("with args is a program without a shell, also with none (T136)", () => {
    const action = (args: string[]) =>
      hookUnderTest(withEntry({ type: "command", command: "./a b.sh", args }))?.action;
    expect(action([])).toMatchObject({ command: "'./a b.sh'", noShell: true });
    expect(action(["x", "$y"])).toMatchObject({ command: "'./a b.sh' x '$y'", noShell: true });
  });

  const notYet: [entry: object, why: RegExp][] = [
    [{ type: "command", command: "x", shell: "powershell" }, /runs commands in bash, not in "powershell"/],
    [{ type: "command", command: "x", shell: true }, /runs commands in bash, not in true/],
    [{ type: "mcp_tool", server: "x" }, /type "mcp_tool" are not supported yet/],
    [{ type: "mcp_tool", server: "a", tool: "b" }, /type "mcp_tool"/],
    [{ type: "agent", prompt: "?" }, /type "agent"/],
    [{ type: "agent", prompt: "?" }, /type "agent"/],
    [{ type: "function", run: "x" }, /type "function"/],
    [{ type: "comand", command: "x" }, /"comand" is not a type of hook; did you mean "command"\?/],
  ];
  it.each(notYet)("%j never runs half-understood: it counts as undecided (T50)", (entry, why) => {
    const settings = withEntry({ ...entry, onError: "ask" });
    expect(hookUnderTest(settings)).toMatchObject({
      onError: "ask",
      action: { type: "unsupported", neverRuns: expect.stringMatching(why) },
    });
    expect(settings.problems).toMatchObject([
      { severity: "warning", path: place, message: expect.stringMatching(why) },
    ]);
  });

  it.each(HOOK_EVENT_NAMES)(
    "on %s reports an onError that cannot act there, which then means continue (T7)",
    (event) => {
      for (const onError of ["ask", "block"] as const) {
        const acting: readonly string[] = HOOK_EVENTS[event].onError;
        const settings = settingsOf({ hooks: { [event]: [{ hooks: [{ ...good, onError }] }] } });
        expect(settings.hooks).toMatchObject([{ onError: acting.includes(onError) ? onError : "continue" }]);
        const warnings = [{ severity: "warning", path: `hooks.${event}[0].hooks[0].onError` }];
        expect(settings.problems).toMatchObject(acting.includes(onError) ? [] : warnings);
      }
    },
  );
});

describe("a group", () => {
  const hooks = [good];
  const groups: [group: unknown, severity: string, path: string, message: RegExp, loads: number][] = [
    [5, "error", "", /a group must be an object such as/, 0],
    ["./x", "error", "", /a group must be an object/, 0],
    [{}, "error", "", /this group has no "hooks"/, 0],
    [{ matcher: "Bash" }, "error", "", /this group has no "hooks"/, 0],
    [{ hooks: "./x" }, "error", ".hooks", /hooks must be a list, not "\.\/x"/, 0],
    [{ hooks: good }, "warning", ".hooks", /read as its only item, write \[ \] around it/, 1],
    [{ hooks, onError: "block" }, "warning", ".onError", /fields of a hook go inside "hooks"/, 1],
    [
      { hooks, matcher: ["Bash"] },
      "error",
      ".matcher",
      /matcher must be a text such as "Bash\|Edit", not a list/,
      0,
    ],
    [{ hooks, matcher: "(" }, "error", ".matcher", /not a valid regular expression/, 0],
    [{ hooks, matcher: " " }, "error", ".matcher", /has no name in it/, 0],
  ];
  it.each(groups)(
    "%j is reported, and its neighbours load (T49, T53, G10)",
    (group, severity, path, message, loads) => {
      const settings = settingsOf({ hooks: { PreToolUse: [{ hooks }, group, { hooks }] } });
      expect(settings.hooks).toHaveLength(2 + loads);
      expect(settings.problems).toMatchObject([
        { severity, path: `hooks.PreToolUse[1]${path}`, message: expect.stringMatching(message) },
      ]);
      expect(settings.problems[0]?.line).toBeGreaterThanOrEqual(12);
    },
  );

  it.each(["(", ["Bash"]])(
    "with the unreadable matcher %j holds every call when its hook was told to block (T53)",
    (matcher) => {
      const settings = settingsOf({
        hooks: { PreToolUse: [{ matcher, hooks: [{ ...good, onError: "block" }] }] },
      });
      expect(settings.hooks).toMatchObject([
        { matcher: undefined, onError: "block", action: { type: "unsupported" } },
      ]);
    },
  );

  it("that is a bare hook works, with the exact correction (T51)", () => {
    const settings = settingsOf({
      hooks: { PreToolUse: [{ type: "command", command: "./x", matcher: "Bash" }, good] },
    });
    expect(settings.hooks).toMatchObject([
      { matcher: "Bash", action: { command: "./x" }, source: { path: "hooks.PreToolUse[0]" } },
      { matcher: undefined, action: { command: "good" }, source: { path: "hooks.PreToolUse[1]" } },
    ]);
    expect(settings.problems[0]).toMatchObject({
      severity: "warning",
      path: "hooks.PreToolUse[0]",
      message: expect.stringContaining(
        '{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "./x" }] }',
      ),
    });
  });

  it("with a matcher where there is nothing to match runs always, with a warning (T50)", () => {
    const settings = settingsOf({
      hooks: {
        Stop: [
          { matcher: "Bash", hooks },
          { matcher: "", hooks },
        ],
      },
    });
    expect(settings.hooks).toMatchObject([{ matcher: undefined }, { matcher: undefined }]);
    expect(settings.problems).toMatchObject([{ severity: "warning", path: "hooks.Stop[0].matcher" }]);
  });
});

describe("an event", () => {
  const events: [name: string, message: RegExp, loads: number][] = [
    ["Herald", /the events are UserPromptSubmit, PreToolUse/, 0],
    // An event of others that begins like one of Wave's: what it is meant for is nobody's guess.
    ["PostToolUseSuccess", /so its hooks never run; did you mean "PostToolUse"\?/, 0],
    ["constructor", /not an event of Wave/, 0],
    ["pre_tool_use", /is read as "PreToolUse"; write it that way/, 1],
    ["preToolUse", /is read as "PreToolUse"/, 1],
    ["BeforeTool", /is read as "PreToolUse"/, 1],
  ];
  it.each(events)("called %s is a warning (T50, T199, G35)", (name, message, loads) => {
    const settings = settingsOf({ hooks: { [name]: [{ hooks: [good] }], Stop: [{ hooks: [good] }] } });
    expect(settings.hooks).toHaveLength(1 + loads);
    expect(settings.problems).toMatchObject([
      { severity: "warning", line: 3, path: `hooks.${name}`, message: expect.stringMatching(message) },
    ]);
  });

  it.each([[null], ["./x"], [5]])(
    "with %j for its groups is an error and costs only itself (T49, G10)",
    (value) => {
      const settings = settingsOf({ hooks: { PreToolUse: value, Stop: [{ hooks: [good] }] } });
      expect(settings.hooks).toHaveLength(1);
      expect(settings.problems).toMatchObject([{ severity: "error", line: 3, path: "hooks.PreToolUse" }]);
    },
  );

  it("with one group instead of a list of groups works, with a warning (T51)", () => {
    const settings = settingsOf({ hooks: { PreToolUse: { matcher: "Bash", hooks: [good] } } });
    expect(settings.hooks).toMatchObject([{ matcher: "Bash" }]);
    expect(settings.problems).toMatchObject([{ severity: "warning", path: "hooks.PreToolUse" }]);
  });
});

import { chmodSync, mkdirSync, symlinkSync, unlinkSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadSettings } from "@/workspace/settings/settings.ts";
import type { SettingsProblem } from "@/workspace/settings/problem.ts";
import { describeProblem } from "@/workspace/settings/problem.ts";
import { SettingsFiles, settingsOf } from "../../support/settingsFiles.ts";
import { commandAction } from "../../support/actions.ts";

const hookFor = (command: string) => ({ PreToolUse: [{ hooks: [{ type: "command", command }] }] });
const scopes = ["managed", "user", "project", "local", "flag"] as const;

describe("settings files", () => {
  it("may all be missing", () => {
    using files = new SettingsFiles();
    expect(files.load()).toEqual({
      hooks: [],
      leftOut: [],
      hookLimits: {},
      permissions: { rules: [], defaultMode: undefined },
      ofProject: [],
      model: undefined,
      contextLimits: {},
      contextSize: undefined,
      baseUrl: undefined,
      providers: {},
      env: {},
      sandbox: { mode: "reading", from: "the default", floor: "off", network: true, writable: [] },
      sessionsKeepDays: undefined,
      mcpServers: [],
      maxSubagents: 4,
      notifications: "auto",
      windowTitle: true,
      hookDefaults: [],
      files: [],
      problems: [],
    });
  });

  it.each([
    ["only a comment", "// soon\n"],
    ["a byte order mark", "\uFEFF{}"],
  ])("may hold %s", (_, text) => {
    expect(settingsOf(text)).toMatchObject({ hooks: [], problems: [], files: [{ scope: "user" }] });
  });

  it.each(["", " \n", "\uFEFF"])(
    "are damaged when they are empty: what guarded may be gone (%j, G11)",
    (text) => {
      expect(settingsOf(text).problems).toMatchObject([
        { severity: "fatal", message: expect.stringMatching(/this file is empty/) },
      ]);
    },
  );

  it("may have comments and trailing commas, and remember the line of every hook", () => {
    const text = `{
      // what guards this machine
      "hooks": {
        "PreToolUse": [
          { "matcher": "Bash", /* not Edit */
            "hooks": [
              { "type": "command", "command": "./check.sh",
                "timeout": 10, "name": "no force push", "onError": "block", "passEnv": ["WAVE_API_KEY"], },
            ],
          },
        ],
      },
    }`;
    using files = new SettingsFiles();
    const settings = files.write("project", text).load();
    expect(settings.problems).toEqual([]);
    expect(settings.hooks).toEqual([
      {
        event: "PreToolUse",
        matcher: "Bash",
        name: "no force push",
        source: {
          scope: "project",
          file: files.files.project,
          line: 7,
          path: "hooks.PreToolUse[0].hooks[0]",
        },
        action: commandAction("./check.sh"),
        timeoutMs: 10_000,
        onError: "block",
        ownOnError: { timeout: "block", crash: "block", missing: "block", invalid: "block" },
        passEnv: ["WAVE_API_KEY"],
      },
    ]);
  });

  it("add up their hooks and rules in the order managed, user, project, local, --settings", () => {
    using files = new SettingsFiles();
    for (const scope of scopes.toReversed()) {
      files.write(scope, { hooks: hookFor(scope), permissions: { deny: [`Read(${scope})`] } });
    }
    const settings = files.load();
    expect(settings.problems).toEqual([]);
    expect(settings.files).toEqual(scopes.map((scope) => ({ scope, file: files.files[scope] })));
    expect(settings.hooks.map(({ source, name }) => [source.scope, name])).toEqual(
      scopes.map((scope) => [scope, scope]),
    );
    expect(settings.permissions.rules).toEqual(
      scopes.map((scope) => ({
        rule: `Read(${scope})`,
        behavior: "deny",
        scope,
        file: files.files[scope],
        line: 16,
        base: files.places.projectDir,
      })),
    );
  });

  it("count once when two names lead to the same file (T170, G15)", () => {
    using files = new SettingsFiles();
    files.write("user", { hooks: hookFor("once") });
    files.places.projectDir = join(files.places.home, "..", "home");
    files.places.homeIsVouched = true;
    symlinkSync(files.places.home, join(files.places.projectDir, ".wave"));
    const settings = files.load();
    expect(settings.hooks.map(({ source }) => source.scope)).toEqual(["user"]);
    expect(settings.files).toHaveLength(1);
  });

  it("shorten a command to make a name of it", () => {
    const { hooks } = settingsOf({ hooks: hookFor(`echo '${"long ".repeat(20)}'\n| cat`) });
    expect(hooks[0]?.name).toBe("echo 'long long long long long long lon…");
    expect(hooks[0]?.timeoutMs).toBe(600_000);
  });
});

describe("a settings file that cannot be trusted to guard", () => {
  function onlyProblem(files: SettingsFiles): SettingsProblem {
    const { problems, hooks } = files.load();
    expect(problems).toHaveLength(1);
    expect(hooks).toEqual([]);
    return problems[0] as SettingsProblem;
  }

  const broken: [what: string, text: string, line: number, column: number, message: RegExp][] = [
    [
      "a missing comma",
      '{\n  "model": "a"\n  "env": {}\n}',
      3,
      3,
      /^a comma is missing before this line; write one at the end of the entry above$/,
    ],
    [
      "a missing comma on one line",
      '{"model": "a" "env": {}}',
      1,
      15,
      /^a comma is missing before "env"; write one in front of it$/,
    ],
    ["one comma too many", '{\n"model": "a",,\n}', 2, 14, /one comma too many/],
    ["a missing colon", '{"model" "a"}', 1, 10, /a colon is missing before "a"; write one/],
    ["single quotes", "{'model': 1}", 1, 2, /need double quotes/],
    [
      "a name without quotes",
      "{\n\tmodel: 1}",
      2,
      2,
      /"model" is not JSON; names and text need double quotes/,
    ],
    ["a missing brace", '{"env": {\n', 2, 1, /ends before every \{ has its \}/],
    ["a missing bracket", '{"a": [1', 1, 9, /ends before every \[ has its \]/],
    ["a text without its end", '{"model": "a\n}', 1, 11, /^"a has no closing double quote/],
    ["a comment without its end", "{}\n/* and", 2, 1, /this comment has no \*\//],
    ["two objects", "{}\r\n{}", 2, 1, /comes after the end of the settings/],
    ["a wrong escape", String.raw`{"model": "C:\x"}`, 1, 11, /a backslash that JSON does not know/],
    ["a tab inside a text", '{"model": "a\tb"}', 1, 11, /control character/],
    ["nothing after a colon", '{"model": }', 1, 11, /a value is expected before "}"/],
    ["a merge conflict", '{\n<<<<<<< HEAD\n"model": "a"\n}', 2, 1, /merge conflict/],
    ["a list", "\n[]", 2, 1, /must be one object in \{ \}, not a list/],
    ["a number", "5", 1, 1, /must be one object in \{ \}, not 5/],
  ];

  it.each(broken)(
    "because of %s is one fatal problem with its place (T52, G11)",
    (_, text, line, column, message) => {
      using files = new SettingsFiles();
      const problem = onlyProblem(files.write("project", text));
      expect(problem).toEqual({
        severity: "fatal",
        file: files.files.project,
        line,
        column,
        path: undefined,
        message: expect.stringMatching(message),
      });
      expect(describeProblem(problem)).toBe(
        `${files.files.project}:${line}:${column}: ${problem.message}; Wave does not start until you fix this`,
      );
    },
  );

  it("leaves the other files to speak (T52, G10)", () => {
    using files = new SettingsFiles();
    const settings = files
      .write("user", { hooks: hookFor("guard") })
      .write("project", "{")
      .load();
    expect(settings.hooks.map(({ name }) => name)).toEqual(["guard"]);
    expect(settings.problems).toMatchObject([{ severity: "fatal", file: files.files.project }]);
  });

  it.each([null, 5, "x", true, ["a"]])("has %j for its hooks (G11)", (hooks) => {
    const { problems } = settingsOf({ model: "m", hooks });
    expect(problems).toMatchObject([{ severity: "fatal", line: 3, path: "hooks" }]);
  });

  it.each([{ permissions: [] }, { permissions: { deny: 5 } }, { permissions: { ask: { a: 1 } } }])(
    "has %j, so nobody knows what to deny (G11)",
    (settings) => {
      expect(settingsOf(settings).problems).toMatchObject([
        { severity: "fatal", path: expect.stringMatching(/^permissions/) },
      ]);
    },
  );

  it("is a folder, a pipe, or nested without end (G11)", () => {
    using files = new SettingsFiles();
    mkdirSync(files.files.project, { recursive: true });
    expect(onlyProblem(files)).toMatchObject({
      severity: "fatal",
      message: expect.stringContaining("folder"),
    });

    using withPipe = new SettingsFiles();
    withPipe.write("project", "");
    unlinkSync(withPipe.files.project);
    spawnSync("mkfifo", [withPipe.files.project]);
    expect(onlyProblem(withPipe)).toMatchObject({
      severity: "fatal",
      message: expect.stringContaining("regular file"),
    });

    using nested = new SettingsFiles();
    nested.write("project", `{"a": ${"[".repeat(200_000)}`);
    expect(onlyProblem(nested)).toMatchObject({ severity: "fatal" });
  });

  it("is not UTF-8 (G11)", () => {
    using files = new SettingsFiles();
    files.write("user", Buffer.from([0x7b, 0xff, 0x7d]));
    expect(onlyProblem(files)).toMatchObject({
      severity: "fatal",
      message: expect.stringContaining("UTF-8"),
    });
  });

  it("was named for this run and does not exist (G11)", () => {
    using files = new SettingsFiles();
    files.places.extraFile = files.files.flag;
    expect(onlyProblem(files)).toMatchObject({
      severity: "fatal",
      message: expect.stringContaining("named for this run"),
    });
  });

  // Root may read everything, so there is nothing to see as root.
  it.skipIf(process.getuid?.() === 0)("may not be read (G11)", () => {
    using files = new SettingsFiles();
    files.write("project", { hooks: hookFor("x") });
    chmodSync(files.files.project, 0o000);
    expect(onlyProblem(files)).toMatchObject({
      severity: "fatal",
      message: expect.stringContaining("EACCES"),
    });
  });

  it.each(scopes)("is a link of the scope %s that leads nowhere (G11)", (scope) => {
    using files = new SettingsFiles();
    files.write(scope, "{}");
    unlinkSync(files.files[scope]);
    symlinkSync("gone/settings.json", files.files[scope]);
    expect(onlyProblem(files)).toMatchObject({
      severity: "fatal",
      file: files.files[scope],
      message: 'this is a link to "gone/settings.json", which leads nowhere; correct the link or remove it',
    });
  });

  it("is in a folder that is a link and leads nowhere (G11)", () => {
    using files = new SettingsFiles();
    symlinkSync("gone", join(files.places.projectDir, ".wave"));
    expect(files.load().problems).toMatchObject([
      { severity: "fatal", file: files.files.project, message: expect.stringContaining('a link to "gone"') },
      { severity: "fatal", file: files.files.local },
    ]);
  });

  it("loops back to itself, which no user can read (G11)", () => {
    using files = new SettingsFiles();
    files.write("project", "");
    unlinkSync(files.files.project);
    symlinkSync(files.files.project, files.files.project);
    expect(onlyProblem(files)).toMatchObject({
      severity: "fatal",
      message: expect.stringContaining("ELOOP"),
    });
  });
});

describe("when several files set the same thing", () => {
  it("the model comes from managed, --settings, local, project, user, in this order", () => {
    using files = new SettingsFiles();
    const order = ["user", "project", "local", "flag", "managed"] as const;
    for (const scope of order) expect(files.write(scope, { model: scope }).load().model).toBe(scope);
  });

  it("a variable comes from the later file, and from managed settings before all (G35)", () => {
    using files = new SettingsFiles();
    files.write(
      "user",
      '{"env": {"A": "user", "B": "user", "C": "user", "__proto__": "odd", "toString": "odd"}}',
    );
    files.write("project", { env: { B: "project" } });
    files.write("managed", { env: { C: "managed" } });
    const { env, problems } = files.load();
    expect(problems).toEqual([]);
    expect(Object.entries(env)).toEqual([
      ["A", "user"],
      ["B", "project"],
      ["C", "managed"],
      ["__proto__", "odd"],
      ["toString", "odd"],
    ]);
  });

  type Modes = Partial<Record<(typeof scopes)[number], string>>;
  const modes: [Modes, result: string | undefined, warnings: number][] = [
    [{}, undefined, 0],
    [{ user: "acceptEdits" }, "acceptEdits", 0],
    [{ user: "bypassPermissions" }, "bypassPermissions", 0],
    [{ project: "plan" }, "plan", 0],
    [{ project: "default" }, "default", 0],
    [{ user: "acceptEdits", project: "default" }, "default", 0],
    [{ user: "acceptEdits", local: "plan", project: "default" }, "plan", 0],
    [{ user: "plan", project: "default" }, "plan", 1],
    [{ project: "bypassPermissions" }, undefined, 1],
    [{ project: "acceptEdits" }, undefined, 1],
    [{ local: "dontAsk" }, undefined, 1],
    [{ user: "default", local: "bypassPermissions", project: "acceptEdits" }, "default", 2],
    [{ flag: "acceptEdits", project: "plan" }, "acceptEdits", 0],
    [{ managed: "default", flag: "bypassPermissions", user: "plan" }, "default", 0],
  ];
  it.each(modes)("the modes %j make %s (T44, G18)", (given, result, warnings) => {
    using files = new SettingsFiles();
    for (const scope of scopes) {
      if (given[scope] !== undefined) files.write(scope, { permissions: { defaultMode: given[scope] } });
    }
    const settings = files.load();
    expect(settings.permissions.defaultMode).toBe(result);
    expect(settings.problems).toHaveLength(warnings);
    for (const problem of settings.problems) {
      expect(problem).toMatchObject({ severity: "warning", line: 3, path: "permissions.defaultMode" });
    }
  });
});

describe("a file of the project", () => {
  it.each(["project", "local"] as const)(
    "(%s) sets neither the model's address, nor how long it is waited for, nor how long sessions live (T44, G18)",
    (scope) => {
      using files = new SettingsFiles();
      const providers = (baseUrl: string) => ({ anthropic: { baseUrl, headers: { "x-who": baseUrl } } });
      files.write("user", {
        baseUrl: "http://mine/v1",
        modelTimeout: 60,
        sessions: { keepDays: 30 },
        providers: providers("http://mine"),
      });
      files.write(scope, {
        baseUrl: "http://theirs/v1",
        sessions: { keepDays: 0.001 },
        modelTimeout: 1,
        providers: { ...providers("http://theirs"), evil: { baseUrl: "http://theirs" } },
      });
      expect(files.load()).toMatchObject({
        baseUrl: "http://mine/v1",
        providers: providers("http://mine"),
        modelTimeout: 60,
        sessionsKeepDays: 30,
        problems: [
          { severity: "warning", file: files.files[scope], line: 2, path: "baseUrl" },
          { severity: "warning", file: files.files[scope], line: 7, path: "providers" },
          { severity: "warning", file: files.files[scope], line: 6, path: "modelTimeout" },
          { severity: "warning", file: files.files[scope], line: 4, path: "sessions.keepDays" },
        ],
      });
    },
  );

  const reserved = [
    "WAVE_API_KEY",
    "WAVE_HOME",
    "OPENAI_BASE_URL",
    "ANTHROPIC_BASE_URL",
    "GOOGLE_GEMINI_BASE_URL",
    "GEMINI_API_KEY",
    "OPENROUTER_API_KEY",
    "PATH",
    "Path",
    "LD_PRELOAD",
    "DYLD_INSERT_LIBRARIES",
    "NODE_OPTIONS",
    "NODE_TLS_REJECT_UNAUTHORIZED",
    "BASH_ENV",
    "ENV",
    "GIT_SSH_COMMAND",
    "GIT_CONFIG_COUNT",
    "HTTPS_PROXY",
    "http_proxy",
    "PYTHONSTARTUP",
    "PERL5OPT",
    "SHELL",
    "HOME",
    "PAGER",
    "SSL_CERT_FILE",
    "npm_config_registry",
    "BASH_FUNC_ls%%",
    "TAR_OPTIONS",
    "RIPGREP_CONFIG_PATH",
    "CC",
    "CXX",
    "LD",
    "AR",
    "MAKEFLAGS",
    "CFLAGS",
    "LDFLAGS",
    "RUSTFLAGS",
    "RUSTC",
    "RUSTC_WRAPPER",
    "CARGO_HOME",
    "MAVEN_OPTS",
    "GRADLE_OPTS",
    "JAVA_OPTS",
    "PIP_INDEX_URL",
    "UV_INDEX",
    "DOCKER_HOST",
    "DOCKER_CONFIG",
    "KUBECONFIG",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "ELECTRON_RUN_AS_NODE",
    "GREP_OPTIONS",
  ];
  it.each(reserved)("does not set %s, and a user's file does (T44, G18)", (name) => {
    const env = { [name]: "x", MY_FLAG: "1" };
    expect(settingsOf({ env }, "project")).toMatchObject({
      env: { MY_FLAG: "1" },
      problems: [{ severity: "warning", line: 3, message: expect.stringContaining(name) }],
    });
    expect(settingsOf({ env }, "project").env).not.toHaveProperty([name]);
    expect(settingsOf({ env }, "user")).toMatchObject({ env, problems: [] });
  });

  it("cannot switch hooks off (G18)", () => {
    const settings = settingsOf({ disableAllHooks: true, hooks: hookFor("guard") }, "project");
    expect(settings.hooks).toHaveLength(1);
    expect(settings.problems).toMatchObject([
      { severity: "warning", message: expect.stringContaining("--no-hooks") },
    ]);
  });
});

describe("a setting with a wrong value", () => {
  const wrong: [settings: object, severity: string, path: string, message: RegExp][] = [
    [{ model: 5 }, "error", "model", /model must be a text that is not empty, not 5/],
    [{ model: " " }, "error", "model", /must be a text/],
    [{ baseUrl: "localhost" }, "error", "baseUrl", /must be an address such as/],
    [{ modelTimeout: "60" }, "error", "modelTimeout", /must be a number of seconds, more than 0/],
    [{ modelTimeout: 0 }, "error", "modelTimeout", /must be a number of seconds, more than 0/],
    [{ baseUrl: "file:///etc/passwd" }, "error", "baseUrl", /must be an address/],
    [{ env: [] }, "error", "env", /env must be an object/],
    [{ env: { A: 1 } }, "error", "env.A", /"A" must be text in quotes, such as "1", not 1/],
    [{ env: { "A=B": "1" } }, "error", 'env["A=B"]', /cannot be an environment variable/],
    [{ env: { A: "\0" } }, "error", "env.A", /cannot be an environment variable/],
    [{ providers: [] }, "error", "providers", /providers must be an object such as/],
    [{ providers: { x: 1 } }, "error", "providers.x", /"x" must be an object such as {"baseUrl"/],
    [{ providers: { X: {} } }, "error", "providers.X", /name is a name of small letters.*not "X"/],
    [
      { providers: { mine: {} } },
      "error",
      "providers.mine",
      /"mine" needs a baseUrl, as it is not one of openai,/,
    ],
    [
      { providers: { google: { url: "x" } } },
      "error",
      "providers.google.url",
      /they are baseUrl, protocol, key/,
    ],
    [
      { providers: { google: { headers: { "x y": "1" } } } },
      "error",
      "providers.google.headers",
      /headers must be an object of names and texts.*"google" is not used/,
    ],
    [
      { providers: { google: { protocol: "smtp" } } },
      "error",
      "providers.google.protocol",
      /must be one of "chat-completions", .*not "smtp"/,
    ],
    [{ contextSize: "many" }, "error", "contextSize", /a whole number of tokens above 0/],
    [
      { contextSize: 0.5 },
      "error",
      "contextSize",
      /a whole number of tokens above 0, such as 128000, not 0\.5/,
    ],
    [{ sessions: 5 }, "error", "sessions", /must be an object/],
    [
      { sessions: { keepDays: 0 } },
      "error",
      "sessions.keepDays",
      /a number of days above 0, not 0; nothing is deleted/,
    ],
    [{ sessions: { keepDays: "30" } }, "error", "sessions.keepDays", /a number of days/],
    [{ sessions: { keep: 1 } }, "warning", "sessions.keep", /not a setting of sessions/],
    [{ permissions: { allow: 5 } }, "error", "permissions.allow", /must be a list of rules, not 5/],
    [{ permissions: { deny: [5] } }, "error", "permissions.deny[0]", /a rule must be a text/],
    [{ permissions: { deny: [" "] } }, "error", "permissions.deny[0]", /a rule must be a text/],
    [{ permissions: { alow: [] } }, "warning", "permissions.alow", /did you mean "allow"\?/],
    [
      { permissions: { defaultMode: "yolo" } },
      "error",
      "permissions.defaultMode",
      /one of default, acceptEdits/,
    ],
    [{ modle: "m" }, "warning", "modle", /did you mean "model"\?/],
    [{ colour: 1 }, "warning", "colour", /is not a setting of Wave and is not used; the settings are/],
  ];
  it.each(wrong)(
    "%j is reported with its place, and nothing else is lost (T49, G10)",
    (settings, severity, path, message) => {
      const result = settingsOf({ ...settings, $schema: "x" });
      expect(result.problems).toMatchObject([{ severity, path, message: expect.stringMatching(message) }]);
      expect(result.problems[0]?.line).toBeGreaterThan(1);
    },
  );

  it("reads a single rule as a list of one, with a warning", () => {
    const { permissions, problems } = settingsOf({ permissions: { deny: "Bash(rm:*)" } });
    expect(permissions.rules).toMatchObject([{ rule: "Bash(rm:*)", behavior: "deny" }]);
    expect(problems).toMatchObject([{ severity: "warning", path: "permissions.deny" }]);
  });

  it("says once which settings of another program it does not use (T50)", () => {
    const { problems } = settingsOf({ statusLine: {}, model: "m", enabledPlugins: {} });
    expect(problems).toMatchObject([
      { severity: "warning", line: 2, message: "not used by Wave: statusLine, enabledPlugins" },
    ]);
  });

  it("says when a name is there twice, and loses no hook to it", () => {
    const group = (name: string) => `[{"hooks": [{"type": "command", "command": "${name}"}]}]`;
    const { hooks, model, problems } =
      settingsOf(`{"model": "a", "hooks": {"Stop": ${group("1")}, "Stop": ${group("2")}},
      "hooks": {"Stop": ${group("3")}},
      "model": "b"}`);
    expect(hooks.map(({ name }) => name)).toEqual(["1", "2", "3"]);
    expect(model).toBe("b");
    expect(problems.map(({ line, message }) => [line, message])).toEqual([
      [1, '"Stop" is here a second time after line 1; both count'],
      [2, '"hooks" is here a second time after line 1; both count'],
      [3, '"model" is here a second time after line 1; only the last one counts'],
    ]);
  });
});

it("is described in one line with file, line and path", () => {
  const problem = {
    severity: "error",
    file: "/p/.wave/settings.json",
    line: 4,
    path: "hooks.Stop[0]",
    message: "no.",
  } as const;
  expect(describeProblem(problem)).toBe("/p/.wave/settings.json:4 (hooks.Stop[0]): no.");
  expect(describeProblem({ ...problem, file: undefined, line: undefined })).toBe(
    "Agent.create (hooks.Stop[0]): no.",
  );
});

it("loads without ever throwing, whatever the places are", () => {
  const places = { projectDir: "/dev/null", home: "/nonexistent\0", managedFile: "/dev/null/x" };
  expect(loadSettings(places).problems).toMatchObject([{ severity: "fatal" }]);
});

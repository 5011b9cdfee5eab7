import { describe, expect, it } from "vitest";
import { PERMISSION_MODES } from "wave-agent-sdk";
import { readArgs, type SessionFlags } from "../src/cli/args.ts";
import { FLAGS, PERMISSION_MODE_CHOICES } from "../src/cli/flags.ts";
import { helpText } from "../src/cli/help.ts";

const plain: SessionFlags = {
  outputFormat: "text",
  includeHookEvents: false,
  permissionMode: undefined,
  resume: undefined,
  fork: false,
  model: undefined,
  settingsFile: undefined,
  mcpFile: undefined,
  pluginDirs: [],
  maxTurns: undefined,
  allow: [],
  deny: [],
  hookScope: "all",
  trustHooks: undefined,
  allowSelfConfig: false,
  debug: false,
};

const print = (prompt: string | undefined, flags: Partial<SessionFlags> = {}) => ({
  run: "print",
  prompt,
  flags: { ...plain, ...flags },
});

const SHA = "a".repeat(64);

describe("the command line", () => {
  const understood: [argv: string[], meaning: object][] = [
    [["-p", "hello"], print("hello")],
    [["hello", "--print"], print("hello")],
    [["-p", "fix", "the", "tests"], print("fix the tests")],
    [["-p"], print(undefined)],
    [["-p", "demo"], print("demo")],
    [["-p", "hooks", "list"], print("hooks list")],
    [["-p", "--output-format", "json", "x"], print("x", { outputFormat: "json" })],
    [
      ["-p", "--output-format=stream-json", "--include-hook-events", "x"],
      print("x", { outputFormat: "stream-json", includeHookEvents: true }),
    ],
    [["-p", "--permission-mode", "plan", "x"], print("x", { permissionMode: "plan" })],
    [["-cp", "x"], print("x", { resume: "latest" })],
    [["-p", "x", "--resume"], print("x", { resume: "latest" })],
    [["-r", "-p", "x"], print("x", { resume: "latest" })],
    [["-p", "-r", "0199", "x"], print("x", { resume: "0199" })],
    [["-p", "--resume=0199", "--fork", "x"], print("x", { resume: "0199", fork: true })],
    [
      ["-p", "--model", "m", "--settings", "s.json", "--max-turns", "3", "--debug", "x"],
      print("x", { model: "m", settingsFile: "s.json", maxTurns: 3, debug: true }),
    ],
    [
      ["-p", "--allowed-tools", "Bash(git log --format=%h,%s:*),Edit", "--allowed-tools=Read Write", "x"],
      print("x", { allow: ["Bash(git log --format=%h,%s:*)", "Edit", "Read", "Write"] }),
    ],
    [["-p", "--disallowed-tools", "Bash", "x"], print("x", { deny: ["Bash"] })],
    [["-p", "--no-hooks", "x"], print("x", { hookScope: "none" })],
    [["-p", "--no-project-hooks", "x"], print("x", { hookScope: "no-project" })],
    [["-p", "--no-project-hooks", "--no-hooks", "x"], print("x", { hookScope: "none" })],
    [["-p", "--trust-hooks", SHA.toUpperCase(), "x"], print("x", { trustHooks: SHA })],
    [["-p", "--allow-self-config", "x"], print("x", { allowSelfConfig: true })],
    [["-p", "--model", "m", "--model", "m", "x"], print("x", { model: "m" })],
    [[], { run: "interactive", prompt: undefined, words: [], flags: plain }],
    [["fix it"], { run: "interactive", prompt: "fix it", words: ["fix it"], flags: plain }],
    [["demo"], { run: "demo" }],
    [["hooks"], { run: "hooks", words: [], json: false, session: undefined, settingsFile: undefined }],
    [
      ["hooks", "explain", "call_1", "--session", "0199", "--json"],
      { run: "hooks", words: ["explain", "call_1"], json: true, session: "0199", settingsFile: undefined },
    ],
    [
      ["sessions", "show", "0199"],
      { run: "sessions", words: ["show", "0199"], json: false, all: false, force: false },
    ],
    [["--help"], { run: "help" }],
    [["-h"], { run: "help" }],
    [["help"], { run: "help" }],
    [["hooks", "--help"], { run: "help", about: "hooks" }],
    [["hooks", "plan", "-h"], { run: "help", about: "hooks" }],
    [["help", "sessions"], { run: "help", about: "sessions" }],
    [["version"], { run: "version" }],
    [["-p", "--help", "x"], { run: "help" }],
    [["--version"], { run: "version" }],
    [["-v"], { run: "version" }],
  ];

  it.each(understood)("%j is understood", (argv, meaning) => {
    expect(readArgs(argv)).toEqual(meaning);
  });

  const smuggled: [argv: string[], meaning: object][] = [
    [["-p", "--", "--settings=/x"], print("--settings=/x")],
    [["-p", "--", "--no-hooks", "-c"], print("--no-hooks -c")],
    [["-p", "a", "--", "demo", "--", "--debug"], print("a demo -- --debug")],
    [["-p", "--model=--settings=/x", "x"], print("x", { model: "--settings=/x" })],
    [["--", "demo"], { run: "interactive", prompt: "demo", words: [], flags: plain }],
  ];

  it.each(smuggled)("%j smuggles no flag in (G26)", (argv, meaning) => {
    expect(readArgs(argv)).toEqual(meaning);
  });

  const wrong: [argv: string[], word: string][] = [
    [["-p", "--settings", '{"model": "x"}', "hi"], "--settings takes a file, and this is JSON text"],
    [["--prompt=--settings=/x"], "There is no flag --prompt. The prompt is an argument of its own"],
    [["-p", "--prompt", "--settings=/x"], "There is no flag --prompt."],
    [["--modle", "x"], "Did you mean --model?"],
    [["--zzzzzzzz"], "put -- before it"],
    [["-px", "y"], "There is no flag -x."],
    [["--print=hello"], "The prompt is an argument of its own"],
    [["-p", "--model"], "--model needs a value: --model <name>."],
    [["-p", "--model", "--debug"], "--model needs a value, but --debug follows"],
    [["-p", "--model="], "--model needs a value"],
    [["-p", "--model", "a", "--model", "b"], 'given twice, with "a" and "b"'],
    [["-p", "--output-format", "jsno", "x"], "choose text, json, stream-json. Did you mean json?"],
    [["-p", "--permission-mode", "bypass", "x"], "Did you mean bypassPermissions?"],
    [["-p", "--max-turns", "0", "x"], "a whole number from 1 on"],
    [["-p", "--max-turns", "many", "x"], "a whole number from 1 on"],
    [["-p", "--include-hook-events", "x"], "needs --output-format stream-json"],
    [["-p", "-c", "-r", "1"], "exclude each other"],
    [["-p", "--fork", "x"], "--fork needs --continue or --resume"],
    [["-p", "--resume=", "x"], "needs the id of a session"],
    [["-p", "--allowed-tools", "Bash(git", "x"], "bracket without its partner"],
    [["-p", "--allowed-tools", ",", "x"], "names no rule"],
    [["-p", "--trust-hooks", "abc", "x"], "64 hexadecimal digits"],
    [["demo", "--model", "x"], "--model has no meaning for wave demo"],
    [["demo", "now"], "takes no arguments"],
    [["sessions", "list", "--session", "1"], "no meaning for wave sessions"],
    [["-p", "--json", "x"], "--json has no meaning for a session"],
  ];

  it.each(wrong)("%j is answered with a sentence", (argv, word) => {
    const answer = readArgs(argv);
    expect(answer).toMatchObject({ run: "wrong-usage", problem: expect.stringContaining(word) });
  });
});

describe("the flag table", () => {
  it("has the flags that the command line promises", () => {
    const promised =
      `print output-format include-hook-events permission-mode continue resume model settings max-turns
      allowed-tools disallowed-tools debug version help no-hooks no-project-hooks trust-hooks`.split(/\s+/);
    const names = FLAGS.map(({ name }) => name);
    expect(promised.filter((name) => !names.includes(name))).toEqual([]);
    expect(FLAGS.filter(({ short }) => short).map(({ short, name }) => [short, name])).toEqual([
      ["p", "print"],
      ["c", "continue"],
      ["r", "resume"],
      ["v", "version"],
      ["h", "help"],
    ]);
  });

  it("names every flag once", () => {
    const names = FLAGS.flatMap(({ name, short }) => (short ? [name, short] : [name]));
    expect(new Set(names).size).toBe(names.length);
  });

  it("knows the permission modes of the agent", () => {
    expect(PERMISSION_MODE_CHOICES).toEqual(PERMISSION_MODES);
  });
});

describe("wave --help", () => {
  it("fits 80 columns", () => {
    expect(
      helpText()
        .split("\n")
        .filter((line) => line.length > 80),
    ).toEqual([]);
  });

  it("names every way to fail that ends with status 1 (SPEC 10)", () => {
    expect(helpText().replaceAll(/\s+/g, " ")).toContain(
      " 1 failed: model error, --max-turns, or a part of the session was lost 2 ",
    );
  });

  it("shows every flag and every choice", () => {
    const text = helpText().replaceAll(/\s+/g, " ");
    const missing = FLAGS.flatMap(({ name, value }) => [
      `--${name}`,
      ...(value.takes === "one" ? (value.choices ?? []) : []),
    ]).filter((word) => !text.includes(word));
    expect(missing).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import type { FailurePolicy, OnErrorSetting } from "@/hooks/failurePolicy.ts";
import { hooksFromOption } from "@/workspace/settings/hooksFromOption.ts";
import type { Settings } from "@/workspace/settings/settings.ts";
import { SettingsFiles, settingsOf } from "../../support/settingsFiles.ts";

const hook = (onError?: unknown) => ({
  type: "command",
  command: "./x",
  ...(onError === undefined ? {} : { onError }),
});
const entry = (onError?: unknown, event = "PreToolUse") => ({ [event]: [{ hooks: [hook(onError)] }] });
const policyIn = ({ hooks }: Settings) => hooks[0]?.onError;
const messages = ({ problems }: Settings) => problems.map(({ message }) => message);

describe("onError of a hook", () => {
  const read: [OnErrorSetting, FailurePolicy][] = [
    ["ask", "ask"],
    [{}, "continue"],
    [{ default: "block" }, "block"],
    [{ timeout: "ask" }, { timeout: "ask", crash: "continue", missing: "continue", invalid: "continue" }],
    [
      { timeout: "continue", default: "block" },
      { timeout: "continue", crash: "block", missing: "block", invalid: "block" },
    ],
    [{ timeout: "ask", crash: "ask", missing: "ask", invalid: "ask", default: "block" }, "ask"],
  ];
  it.each(read)("may be %j, which means %j", (onError, policy) => {
    const settings = settingsOf({ hooks: entry(onError) });
    expect(policyIn(settings)).toEqual(policy);
    expect(settings.problems).toEqual([]);
  });

  const strict: [unknown, FailurePolicy, RegExp][] = [
    [
      "blok",
      "block",
      /onError must be "continue", "ask" or "block", or an object .*not "blok"; it is read as "block"/,
    ],
    [["ask"], "block", /not a list; it is read as "block"/],
    [5, "block", /not 5; it is read as "block"/],
    [
      { timeout: "aks", default: "continue" },
      { timeout: "block", crash: "continue", missing: "continue", invalid: "continue" },
      /onError for timeout must be "continue", "ask", "block", not "aks"; it is read as "block"/,
    ],
    [{ default: 1 }, "block", /onError for default must be .*, not 1; it is read as "block"/],
    // Nobody can tell which kind it was meant for, so no kind may be looser than it might have been.
    [
      { timout: "continue", default: "continue", crash: "ask" },
      { timeout: "block", crash: "ask", missing: "block", invalid: "block" },
      /"timout" is not a kind of failure, so kinds that onError does not name are read as "block"; did you mean "timeout"\?/,
    ],
  ];
  it.each(strict)("that is %j is read as %j, and Wave says so (T7)", (onError, policy, message) => {
    const settings = settingsOf({ hooks: entry(onError) });
    expect(policyIn(settings)).toEqual(policy);
    expect(messages(settings)).toEqual([expect.stringMatching(message)]);
  });

  it("is reported kind by kind where the event cannot do it (T7)", () => {
    const onError = { timeout: "ask", crash: "ask", default: "block" };
    const settings = settingsOf({ hooks: entry(onError, "PostToolUse") });
    expect(policyIn(settings)).toEqual({
      timeout: "continue",
      crash: "continue",
      missing: "block",
      invalid: "block",
    });
    expect(messages(settings)).toEqual([
      'onError "ask" for timeout and crash cannot act on PostToolUse and means "continue"; what acts there is "block"',
    ]);
    expect(settings.problems[0]).toMatchObject({ path: "hooks.PostToolUse[0].hooks[0].onError", line: 9 });
    expect(messages(settingsOf({ hooks: entry(onError, "Stop") }))).toEqual([
      'onError "ask" for timeout and crash cannot act on Stop and means "continue"',
      'onError "block" for missing and invalid cannot act on Stop and means "continue"',
    ]);
  });

  it("decides by its word for invalid whether an entry that is not understood is kept (T49)", () => {
    const loads = (onError: unknown) =>
      settingsOf({ hooks: { PreToolUse: [{ hooks: [{ type: "command", onError }] }] } }).hooks.length;
    expect(loads({ timeout: "block" })).toBe(0);
    expect(loads({ invalid: "ask" })).toBe(1);
  });
});

describe("hookDefaults", () => {
  /** What holds for one hook of a scope, when files say these defaults. */
  function policyOf(
    scope: "managed" | "user" | "project" | "local" | "flag",
    own: unknown,
    defaults: Partial<Record<"managed" | "user" | "project" | "local" | "flag", unknown>>,
  ) {
    using files = new SettingsFiles();
    for (const [where, onError] of Object.entries(defaults))
      files.write(where as typeof scope, { hookDefaults: { onError } });
    files.write(scope, {
      hooks: entry(own),
      ...(defaults[scope] === undefined ? {} : { hookDefaults: { onError: defaults[scope] } }),
    });
    const settings = files.load();
    return { policy: policyIn(settings), messages: messages(settings), files };
  }

  const rows: [string, Parameters<typeof policyOf>, FailurePolicy, warnings: number][] = [
    ["holds for a hook without onError", ["user", undefined, { user: "block" }], "block", 0],
    ["of the user holds for a project's hook", ["project", undefined, { user: "ask" }], "ask", 0],
    ["of the machine holds for everybody's hooks", ["flag", undefined, { managed: "block" }], "block", 0],
    [
      "of a project tightens the user's hooks",
      ["user", undefined, { user: "ask", project: "block" }],
      "block",
      0,
    ],
    [
      "of a project does not loosen them",
      ["user", undefined, { user: "block", project: "continue" }],
      "block",
      1,
    ],
    ["of --settings does not loosen them", ["user", undefined, { user: "block", flag: "ask" }], "block", 1],
    ["of --settings tightens", ["project", undefined, { flag: "block" }], "block", 0],
    [
      "gives way to the user's own word for the user's hook",
      ["user", "continue", { user: "block" }],
      "continue",
      0,
    ],
    ["gives way to a stricter word of a project", ["project", "block", { user: "ask" }], "block", 0],
    ["of the user is the least for a project's hook", ["project", "continue", { user: "ask" }], "ask", 1],
    ["of the user is the least for a local hook", ["local", "continue", { user: "block" }], "block", 1],
    ["of the machine is the least for the user's hook", ["user", "continue", { managed: "ask" }], "ask", 1],
    [
      "of a project is not the least for its own hook",
      ["project", "continue", { project: "block" }],
      "continue",
      0,
    ],
    [
      "fills in the kinds that an entry leaves open",
      ["user", { timeout: "continue" }, { user: "block" }],
      { timeout: "continue", crash: "block", missing: "block", invalid: "block" },
      0,
    ],
    [
      "of two files is the strictest, kind by kind",
      [
        "user",
        undefined,
        { user: { timeout: "block", default: "continue" }, project: { timeout: "ask", crash: "ask" } },
      ],
      { timeout: "block", crash: "ask", missing: "continue", invalid: "continue" },
      1,
    ],
  ];
  it.each(rows)("%s (T11, G18)", (_what, asked, policy, warnings) => {
    const read = policyOf(...asked);
    expect(read.policy).toEqual(policy);
    expect(read.messages).toHaveLength(warnings);
    for (const message of read.messages)
      expect(message).toMatch(/is weaker than "(ask|block)" in the hookDefaults of .*, which counts$/);
  });

  it("names the file and the kinds about which a weaker word does not count (G18)", () => {
    const { messages: said, files } = policyOf(
      "project",
      { timeout: "continue", default: "block" },
      { user: "ask" },
    );
    expect(said).toEqual([
      `onError "continue" for timeout is weaker than "ask" in the hookDefaults of ${files.files.user}, which counts`,
    ]);
  });

  it("means continue, without a word, where an event cannot do it", () => {
    const settings = settingsOf({
      hookDefaults: { onError: "ask" },
      hooks: { ...entry(), ...entry(undefined, "PostToolUse"), ...entry(undefined, "Stop") },
    });
    expect(settings.hooks.map(({ event, onError }) => [event, onError])).toEqual([
      ["PreToolUse", "ask"],
      ["PostToolUse", "continue"],
      ["Stop", "continue"],
    ]);
    expect(settings.problems).toEqual([]);
  });

  it("keeps an entry that is not understood as a guard that cannot decide (T49)", () => {
    const settings = settingsOf({
      hookDefaults: { onError: "block" },
      hooks: { PreToolUse: [{ hooks: ["./x"] }] },
    });
    expect(settings.hooks).toMatchObject([{ onError: "block", action: { type: "unsupported" } }]);
    expect(settings.problems).toMatchObject([{ severity: "error" }]);
  });

  it.each([
    ["block", /hookDefaults must be an object such as .*, not "block"; its onError is read as "block"/],
    [["x"], /not a list; its onError is read as "block"/],
    [{ onError: "strict" }, /onError must be .*, not "strict"; it is read as "block"/],
  ])("that are %j are read as block, and Wave says so (T7)", (hookDefaults, message) => {
    const settings = settingsOf({ hookDefaults, hooks: entry() });
    expect(policyIn(settings)).toBe("block");
    expect(messages(settings)).toEqual([expect.stringMatching(message)]);
  });

  it("have no other key, and count twice when they are written twice", () => {
    const text = `{ "hookDefaults": { "onError": "block", "timeout": 5 }, "hookDefaults": { "onError": "continue" },
      "hooks": ${JSON.stringify(entry())} }`;
    const settings = settingsOf(text);
    expect(policyIn(settings)).toBe("block");
    expect(messages(settings)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/"timeout" is not a setting of hookDefaults and is not used/),
        expect.stringMatching(/is weaker than "block"/),
      ]),
    );
  });

  it("hold for hooks of Agent.create like for those of the user (G18)", () => {
    const given = (onError: unknown, defaults: Settings["hookDefaults"]) =>
      hooksFromOption(entry(onError), defaults).hooks[0]?.onError;
    const byUser = [{ scope: "user", file: "u", onError: { timeout: "block" } }] as const;
    const byOwner = [{ scope: "managed", file: "m", onError: { timeout: "block" } }] as const;
    expect(given(undefined, byUser)).toMatchObject({ timeout: "block", crash: "continue" });
    expect(given("continue", byUser)).toBe("continue");
    expect(given("continue", byOwner)).toMatchObject({ timeout: "block", crash: "continue" });
  });
});

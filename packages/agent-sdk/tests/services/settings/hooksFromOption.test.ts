import { describe, expect, it } from "vitest";
import type { HooksOption } from "@/agentOptions.ts";
import { hooksFromOption } from "@/services/settings/hooksFromOption.ts";

describe("hooks given to Agent.create", () => {
  it("are commands and functions with the defaults of a file", () => {
    const guard = () => undefined;
    const option: HooksOption = {
      PreToolUse: [{ matcher: "Bash", hooks: [{ type: "function", run: guard }] }],
      Stop: [{ hooks: [{ type: "command", command: "./x.sh", timeout: 5, name: "x" }] }],
    };
    expect(hooksFromOption(option)).toEqual({
      hooks: [
        {
          event: "PreToolUse",
          matcher: "Bash",
          name: "guard",
          source: { scope: "sdk", path: "hooks.PreToolUse[0].hooks[0]" },
          action: { type: "function", run: guard },
          timeoutMs: 600_000,
          onError: "continue",
          ownOnError: {},
          passEnv: [],
        },
        {
          event: "Stop",
          matcher: undefined,
          name: "x",
          source: { scope: "sdk", path: "hooks.Stop[0].hooks[0]" },
          action: { type: "command", command: "./x.sh" },
          timeoutMs: 5_000,
          onError: "continue",
          ownOnError: {},
          passEnv: [],
        },
      ],
      leftOut: [],
      problems: [],
    });
  });

  const run = () => undefined;
  const wrong: [option: unknown, severity: string, path: string, message: RegExp, loads: number][] = [
    [
      { Stop: [{ hooks: [{ type: "function" }] }] },
      "error",
      "hooks.Stop[0].hooks[0]",
      /"run" must be a function/,
      0,
    ],
    [
      { Stop: [{ hooks: [{ type: "function", run: "x" }] }] },
      "error",
      "hooks.Stop[0].hooks[0]",
      /a function, not "x"/,
      0,
    ],
    [
      { Stop: [{ hooks: [run] }] },
      "error",
      "hooks.Stop[0].hooks[0]",
      /must be an object .* not a function/,
      0,
    ],
    [{ Stp: [] }, "error", "hooks.Stp", /did you mean "Stop"\?/, 0],
    [
      { Stop: [{ hooks: [{ type: "function", run, timeout: Number.NaN }] }] },
      "error",
      "hooks.Stop[0].hooks[0].timeout",
      /not NaN/,
      1,
    ],
    [
      { Stop: [{ hooks: [{ type: "function", run, passEnv: [] }] }] },
      "warning",
      "hooks.Stop[0].hooks[0].passEnv",
      /not a field/,
      1,
    ],
    [[], "fatal", "hooks", /hooks must be an object .* not a list/, 0],
    [5, "fatal", "hooks", /not 5/, 0],
    [null, "fatal", "hooks", /not null/, 0],
    ["Stop", "fatal", "hooks", /not "Stop"/, 0],
    [run, "fatal", "hooks", /not a function/, 0],
    [Promise.resolve({}), "fatal", "hooks", /not a Promise/, 0],
    [new Map([["Stop", []]]), "fatal", "hooks", /not a Map/, 0],
    [{ Stop: [new Map()] }, "error", "hooks.Stop[0]", /a group must be an object .* not a Map/, 0],
  ];
  it.each(wrong)("%j are checked like those of a file (T49)", (option, severity, path, message, loads) => {
    const { hooks, problems } = hooksFromOption(option);
    expect(hooks).toHaveLength(loads);
    expect(problems).toEqual([
      { severity, file: undefined, line: undefined, path, message: expect.stringMatching(message) },
    ]);
  });

  it("may contain undefined, and an object that contains itself does no harm", () => {
    expect(hooksFromOption({ Stop: undefined })).toEqual({ hooks: [], leftOut: [], problems: [] });
    const loop: Record<string, unknown> = { type: "command", command: "x" };
    loop["name"] = loop;
    expect(hooksFromOption({ Stop: [{ hooks: [loop] }] }).hooks).toMatchObject([{ name: "x" }]);
  });
});

import { describe, expect, it } from "vitest";
import type { HooksOption } from "@/agentOptions.ts";
import { hooksFromOption } from "@/workspace/settings/hooksFromOption.ts";
import { commandAction, functionAction } from "../../support/actions.ts";

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
          action: functionAction(guard),
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
          action: commandAction("./x.sh"),
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

  it("may contain undefined", () => {
    expect(hooksFromOption({ Stop: undefined })).toEqual({ hooks: [], leftOut: [], problems: [] });
  });
});

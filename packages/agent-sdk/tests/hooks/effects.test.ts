import { describe, expect, it } from "vitest";
import { effectsOf } from "@/hooks/effects.ts";
import { readVerdict } from "@/hooks/verdict.ts";

const verdict = (name: string, stdout: object) =>
  readVerdict(
    "Stop",
    { success: true, exitCode: 0, stdout: JSON.stringify(stdout), stderr: "", duration: 1, timedOut: false },
    { name, source: "settings.json:3", onError: "continue" },
  );
const goOn = { decision: "block", reason: "tests fail" };
const halt = { continue: false, stopReason: "enough" };

describe("a Stop hook that wants the turn to go on while the turn is ended", () => {
  it.each([
    ["another hook", [verdict("keeper", goOn), verdict("ender", halt)], "another hook's"],
    ["a hook before it", [verdict("ender", halt), verdict("keeper", goOn)], "another hook's"],
    ["itself", [verdict("keeper", { ...goOn, ...halt })], "its own"],
  ])("is told to the user with who overruled it: %s (JO-1, T36)", (_who, verdicts, by) => {
    const effects = effectsOf("Stop", verdicts);
    expect(effects).toContainEqual(
      expect.objectContaining({
        do: "tell-user",
        as: "warning",
        text: `hook keeper wanted the turn to go on, but ${by} "continue": false ends it: tests fail`,
      }),
    );
    expect(effects.filter((effect) => effect.do === "tell-model")).toEqual([]);
    expect(effects).toContainEqual(expect.objectContaining({ do: "end-turn", reason: "enough" }));
  });
});

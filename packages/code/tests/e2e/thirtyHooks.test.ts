import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { makeProject, type Project } from "../support/project.ts";
import { runWave } from "../support/runWave.ts";

const SPOILT = 7;

/** Thirty hooks that each leave their number; one of them, in the first group of PreToolUse, is spoilt. */
function writeHooks({ home }: Project, spoil: (entry: Record<string, unknown>) => unknown): void {
  const log = join(home, "ran");
  const hook = (number: number): unknown => {
    const entry = { type: "command", command: `echo ${number} >> '${log}'`, name: `hook ${number}` };
    return number === SPOILT ? spoil(entry) : entry;
  };
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => hook(from + index));
  const hooks = {
    SessionStart: [{ hooks: numbers(0, 4) }],
    PreToolUse: [{ matcher: "LS", hooks: numbers(5, 14) }, { hooks: numbers(15, 19) }],
    PostToolUse: [{ matcher: "L*", hooks: numbers(20, 22) }],
    Stop: [{ hooks: numbers(23, 27) }],
    SessionEnd: [{ hooks: numbers(28, 29) }],
  };
  writeFileSync(join(home, "settings.json"), JSON.stringify({ hooks }, null, 2));
}

const PLACE = String.raw`settings\.json:\d+ \(hooks\.PreToolUse\[0\]\.hooks\[2\]`;

describe("one spoilt entry among thirty hooks", () => {
  const cases: [
    what: string,
    spoil: (entry: Record<string, unknown>) => unknown,
    said: RegExp,
    seen: { ran: number; denied: boolean; leftOut: number },
  ][] = [
    [
      "a misspelt command of a hook that blocks when it cannot decide refuses the call",
      ({ command, ...entry }) => ({ ...entry, comand: command, onError: "block" }),
      new RegExp(String.raw`${PLACE}\.comand\): .*did you mean "command"\?`),
      // After a call that did not run no PostToolUse hook is asked.
      { ran: 26, denied: true, leftOut: 0 },
    ],
    [
      "null is left out",
      () => null,
      new RegExp(String.raw`${PLACE}\): a hook must be an object`),
      { ran: 29, denied: false, leftOut: 1 },
    ],
    [
      "a timeout that is none is the default",
      (entry) => ({ ...entry, timeout: "soon" }),
      new RegExp(String.raw`${PLACE}\.timeout\): .*the default of 600 seconds`),
      { ran: 30, denied: false, leftOut: 0 },
    ],
  ];

  it.each(cases)(
    "%s; the others run, and the message names file, line and path (G10, T49)",
    async (_, spoil, said, seen) => {
      using project = makeProject();
      writeHooks(project, spoil);
      await using model = await startScriptedModel([
        { call: { name: "LS", arguments: { path: "." } } },
        { say: "done" },
      ]);
      const run = await runWave(["-p", "--output-format", "json", "x"], { project, model });
      expect(run.stderr).toMatch(said);
      const ran = readFileSync(join(project.home, "ran"), "utf8").trim().split("\n").map(Number);
      expect(new Set(ran).size).toBe(ran.length);
      expect(ran).toHaveLength(seen.ran);
      expect(ran.includes(SPOILT)).toBe(seen.ran === 30);
      const { permission_denials: denials, hooks } = JSON.parse(run.stdout);
      expect(denials).toHaveLength(seen.denied ? 1 : 0);
      expect(hooks.left_out).toBe(seen.leftOut);
      // At the end: at the start the entry itself is told.
      expect(run.stderr.match(/1 hook of the settings cannot run and guards nothing/g) ?? []).toHaveLength(
        seen.leftOut,
      );
      expect(run.stderr).not.toContain("/hooks");
    },
  );

  it("is one thing, hooks that are no object another: nothing is sent, and the exit status is 78 (G11, T52)", async () => {
    using project = makeProject();
    writeFileSync(join(project.home, "settings.json"), '{\n  "model": "m",\n  "hooks": []\n}\n');
    await using model = await startScriptedModel([{ say: "never" }]);
    const run = await runWave(["-p", "x"], { project, model });
    expect(run).toMatchObject({ status: 78, stdout: "" });
    expect(run.stderr).toMatch(
      /settings\.json:3 \(hooks\): hooks must be an object .* not a list; Wave does not start/,
    );
    expect(model.requests).toEqual([]);
    expect(existsSync(join(project.home, "ran"))).toBe(false);
  });
});

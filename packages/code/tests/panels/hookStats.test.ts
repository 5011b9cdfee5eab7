import { Agent, type HookDefinition, type HookOff, type HookState } from "wave-agent-sdk";
import { describe, expect, it } from "vitest";
import { hookDetails } from "../../src/panels/hookDetails.ts";
import { hookRows, trySwitch, type HookRow } from "../../src/panels/hookStats.ts";
import {
  countEvent,
  countRecord,
  EMPTY_TALLY,
  percentile,
  type HookTally,
} from "../../src/panels/hookTally.ts";
import { duration, hookItem, hookItemHeight } from "../../src/panels/hookWords.ts";
import { lineWidth, textOf } from "../../src/view/span.ts";
import { makeProject } from "../support/project.ts";
import { BY_HAND, entryOf, finished, FOLDER, hook, leftOut, state, tallyOf, timed } from "./samples.ts";

const guard = hook();
const rowsOf = (hooks: readonly HookState[], tally: HookTally = EMPTY_TALLY) =>
  hookRows({ hooks, tally, folder: FOLDER });
function rowOf(definition: HookDefinition, tally?: HookTally, off?: HookOff): HookRow {
  const [row] = rowsOf([state(definition, off)], tally);
  if (!row) throw new Error("no row");
  return row;
}
const itemText = (row: HookRow, columns: number) => hookItem(row, columns).map(textOf);

describe("what is counted for a hook", () => {
  it.each([
    ["no objection", { verdict: "none" }, { failures: 0, failedOpen: 0, blocks: 0, asks: 0 }],
    ["a yes", { verdict: "allow" }, { failures: 0, failedOpen: 0, blocks: 0, asks: 0 }],
    ["a question", { verdict: "ask" }, { failures: 0, failedOpen: 0, blocks: 0, asks: 1 }],
    ["a no", { verdict: "deny" }, { failures: 0, failedOpen: 0, blocks: 1, asks: 0 }],
    ["a halt", { verdict: "halt" }, { failures: 0, failedOpen: 0, blocks: 1, asks: 0 }],
    [
      "a failure that let the action pass",
      { verdict: "could not decide", failure: "crash: SIGKILL", failedOpen: true },
      { failures: 1, failedOpen: 1, blocks: 0, asks: 0 },
    ],
    [
      "a failure that did not",
      { verdict: "could not decide", failure: "crash: SIGKILL", failedOpen: false },
      { failures: 1, failedOpen: 0, blocks: 0, asks: 0 },
    ],
    [
      "a no before a timeout",
      { verdict: "deny", failure: "timeout: 1 s", failedOpen: false },
      { failures: 1, failedOpen: 0, blocks: 1, asks: 0 },
    ],
    [
      "an interrupt, which is nobody's failure",
      { verdict: "interrupted", failure: "interrupted: by you" },
      { failures: 0, failedOpen: 0, blocks: 0, asks: 0 },
    ],
  ])("%s (T55, T134)", (_what, entry, expected) => {
    const { counts } = rowOf(guard, tallyOf([timed({ hooks: [entryOf(guard, entry)] })]));
    expect(counts).toMatchObject({ runs: 1, ...expected });
    expect(counts.last).toMatchObject(entry);
  });

  it("is kept apart by event, name and place", () => {
    const hooks = [guard, hook({ event: "PostToolUse" }), hook({ name: "other" }), hook({ line: 9 })];
    const tally = tallyOf([timed({ hooks: [entryOf(guard), entryOf(guard, { pass: 2 })] })]);
    expect(
      rowsOf(
        hooks.map((one) => state(one)),
        tally,
      ).map(({ counts }) => counts.runs),
    ).toEqual([2, 0, 0, 0]);
  });

  it("is every run and every failure of a hook that a person had asked again, live and from the record (T55)", () => {
    const failure = { verdict: "could not decide", failure: "crash: exit 7" };
    const record = timed({
      toolUseId: "call_1",
      earlier: [entryOf(guard, failure), entryOf(guard, failure)],
      hooks: [entryOf(guard)],
    });
    const live = [1, 2, 3].reduce((tally) => countEvent(tally, finished(guard)), EMPTY_TALLY);
    expect(rowOf(guard, live).counts.runs).toBe(3);
    for (const before of [live, EMPTY_TALLY]) {
      const { counts } = rowOf(guard, countEvent(before, { type: "hooks_decided", record }));
      expect(counts).toMatchObject({ runs: 3, failures: 2, lastFailure: "crash: exit 7" });
      expect(counts.durations).toHaveLength(3);
    }
  });

  it("has a run as soon as it ended, and not twice when its event is decided", () => {
    const ended = countEvent(EMPTY_TALLY, finished(guard, { durationMs: 70 }));
    expect(rowOf(guard, ended)).toMatchObject({ counts: { runs: 1, last: undefined }, p50Ms: 70 });
    const other = countEvent(ended, { type: "hooks_decided", record: timed({ toolUseId: "call_2" }) });
    expect(rowOf(guard, other).counts.runs).toBe(1);
    const record = timed({ toolUseId: "call_1", hooks: [entryOf(guard, { durationMs: 70 })] });
    const decided = countEvent(ended, { type: "hooks_decided", record });
    expect(rowOf(guard, decided)).toMatchObject({
      counts: { runs: 1, last: { ended: "exit 0" } },
      p50Ms: 70,
    });
    expect(decided.undecided).toEqual([]);
  });

  it("stays complete over ten thousand calls, while the times are of the latest ones (T59)", () => {
    let tally = EMPTY_TALLY;
    for (let call = 1; call <= 10_000; call++)
      tally = countRecord(tally, timed({ hooks: [entryOf(guard, { durationMs: call })] }));
    const row = rowOf(guard, tally);
    expect(row.counts.runs).toBe(10_000);
    expect(row.counts.durations).toHaveLength(1_000);
    expect(row.p50Ms).toBe(9_500);
  });

  it("is said to be shared when records cannot tell two hooks apart", () => {
    const twin = { ...guard, source: { ...guard.source, path: "hooks.PreToolUse[0].hooks[7]" } };
    const rows = rowsOf([state(guard), state(twin)], tallyOf([timed({ hooks: [entryOf(guard)] })]));
    expect(rows.map(({ sharedBy, counts }) => [sharedBy, counts.runs])).toEqual([
      [2, 1],
      [2, 1],
    ]);
    expect(rows.flatMap((row) => hookDetails(row, 80).map(textOf)).join("\n")).toContain(
      "2 hooks have this event, name and line",
    );
  });
});

describe("what stands in two files", () => {
  const own = hook({
    name: "own",
    source: { scope: "user", file: "/home/ada/.wave/settings.json", path: "p", line: 3 },
  });
  const text = (rows: readonly HookRow[]) => rows.map((row) => hookDetails(row, 200).map(textOf).join("\n"));

  it("is said to run once and where, unless the other one is off (T168)", () => {
    const words =
      "the same command as in /home/ada/.wave/settings.json:3: where both match it runs once, there";
    const rows = rowsOf([state(own), state(guard)]);
    expect(text(rows).map((one) => one.includes(words))).toEqual([false, true]);
    expect(rows.map((row) => itemText(row, 100).join().includes("same as /home/ada"))).toEqual([false, true]);
    const off = rowsOf([state(own, BY_HAND), state(guard)]);
    expect(text(off).map((one) => one.includes("the same command"))).toEqual([false, false]);
  });

  it("has its description and its command in the details, and only its name in the list (T128)", () => {
    const row = rowOf(hook({ description: "keeps main clean" }));
    expect(text([row])[0]).toMatch(/is for +keeps main clean\n[^]*runs +\.\/guard\.sh/);
    expect(itemText(row, 100).join()).not.toMatch(/guard\.sh|keeps main/);
  });
});

describe("percentiles", () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  it.each([
    [[], 0.5, undefined],
    [[7], 0.5, 7],
    [[7], 0.95, 7],
    [[1, 2], 0.5, 1],
    [[3, 1, 2], 0.5, 2],
    [hundred, 0.5, 50],
    [hundred, 0.95, 95],
  ])("of %j at %d", (values, share, expected) => {
    expect(percentile(values, share)).toBe(expected);
  });
});

describe("durations are short", () => {
  it.each([
    [0.4, "0 ms"],
    [12, "12 ms"],
    [1_234, "1.2 s"],
    [12_345, "12 s"],
    [600_000, "10 min"],
  ])("%d ms", (ms, expected) => {
    expect(duration(ms)).toBe(expected);
  });
});

describe("the switch of a hook", () => {
  const managed = hook({ source: { scope: "managed", file: "/etc/wave/settings.json", line: 3, path: "x" } });
  it.each<[string, HookRow, HookRow["switch"], object]>([
    ["that is on", rowOf(guard), { is: "on" }, { do: "switch", on: false }],
    [
      "that was switched off by hand",
      rowOf(guard, EMPTY_TALLY, BY_HAND),
      { is: "switched-off" },
      { do: "switch", on: true },
    ],
    [
      "that a flag left out",
      rowOf(guard, EMPTY_TALLY, leftOut("hooks are switched off for this run")),
      { is: "off", why: "hooks are switched off for this run" },
      { do: "refuse", why: "guard cannot be switched on here: hooks are switched off for this run." },
    ],
    [
      "that is managed",
      rowOf(managed),
      { is: "managed" },
      { do: "refuse", why: "guard stays on: it comes from the managed settings of this machine." },
    ],
  ])("%s (T8, T169)", (_what, row, is, attempt) => {
    expect(row.switch).toEqual(is);
    expect(trySwitch(row)).toEqual(attempt);
  });

  it("is read from what the agent says after somebody used it", async () => {
    using project = makeProject();
    project.hook("PreToolUse", "exit 2", { matcher: "Bash", name: "wall" });
    const agent = await Agent.create({
      workdir: project.folder,
      trust: "given",
      waveHome: project.home,
      env: {},
    });
    const rows = () => hookRows({ hooks: agent.hooks, tally: EMPTY_TALLY, folder: project.folder });
    const before = rows().find(({ name }) => name === "wall");
    expect(before).toMatchObject({ switch: { is: "on" }, place: ".wave/settings.json:7" });
    agent.switchHook(before?.id ?? "", false);
    expect(rows().find(({ name }) => name === "wall")?.switch).toEqual({ is: "switched-off" });
    await agent.destroy();
  });
});

describe("a hook in the list", () => {
  const failed = entryOf(guard, {
    verdict: "could not decide",
    failure: "timeout: 1 s",
    failedOpen: true,
    ended: "timed out after 1 s",
    durationMs: 1_000,
  });
  const denied = entryOf(guard, { verdict: "deny", ended: "exit 2", durationMs: 12 });
  it.each<[string, HookRow, number, string[]]>([
    [
      "that has not run",
      rowOf(guard),
      76,
      ["● guard", "  PreToolUse Bash · .wave/settings.json:6                        has not run"],
    ],
    [
      "that said no",
      rowOf(guard, tallyOf([timed({ hooks: [denied] })])),
      76,
      [
        "● guard                                                      said no, exit 2",
        "  PreToolUse Bash · .wave/settings.json:6      1 run · p50 12 ms · p95 12 ms",
      ],
    ],
    [
      "that failed and let pass, at 40 columns",
      rowOf(guard, tallyOf([timed({ hooks: [failed] })])),
      38,
      [
        "● guard",
        "  PreToolUse Bash",
        "  .wave/settings.json:6",
        "  1 run · p50 1.0 s · p95 1.0 s",
        "  1 failure, 1 let pass · could not d…",
      ],
    ],
    [
      "that is off",
      rowOf(guard, tallyOf([timed({ hooks: [denied] })]), BY_HAND),
      76,
      [
        "○ guard                                                 off for this session",
        "  PreToolUse Bash · .wave/settings.json:6      1 run · p50 12 ms · p95 12 ms",
      ],
    ],
  ])("%s", (_what, row, columns, expected) => {
    expect(itemText(row, columns)).toEqual(expected);
  });

  it.each([20, 38, 59, 60, 78, 118, 198])(
    "has the same height and fits %i columns, whatever it says",
    (columns) => {
      const long = hook({ name: "n".repeat(90), matcher: "m".repeat(90) });
      const rows = [
        rowOf(guard),
        rowOf(long, tallyOf([timed({ hooks: [entryOf(long, { ended: "e".repeat(90) })] })])),
        rowOf(long, EMPTY_TALLY, leftOut("why ".repeat(40))),
      ];
      for (const row of rows) {
        const lines = hookItem(row, columns);
        expect(lines).toHaveLength(hookItemHeight(columns));
        expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(columns);
      }
    },
  );
});

describe("the details of a hook", () => {
  it("say where it stands, what it does and what went wrong (T55)", () => {
    const tally = tallyOf([
      timed({
        hooks: [
          entryOf(guard, { verdict: "could not decide", failure: "missing: ./guard.sh", failedOpen: true }),
        ],
      }),
      timed({
        hooks: [
          entryOf(guard, {
            verdict: "deny",
            reason: "not on\na Friday\u001b[1m",
            ended: "exit 2",
            durationMs: 12,
          }),
        ],
      }),
    ]);
    expect(hookDetails(rowOf(guard, tally), 80).map((line) => textOf(line).trimEnd())).toEqual([
      "guard",
      "is          on",
      "asked on    PreToolUse Bash",
      "from        .wave/settings.json:6",
      "runs        ./guard.sh",
      "limit       60 s; onError continue",
      "",
      "so far      2 runs",
      "p50, p95    3 ms, 12 ms",
      "said no     1 time",
      "asked you   never",
      "trouble     1 failure, 1 let pass",
      "",
      "last        said no, exit 2 after 12 ms",
      "            not on",
      "            a Friday\\x1b[1m",
      "went wrong  missing: ./guard.sh",
    ]);
  });
});

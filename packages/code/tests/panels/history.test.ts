import { describe, expect, it } from "vitest";
import { decisionsIn, historyItem, historyItemHeight, recordKey } from "../../src/panels/history.ts";
import { recordLines } from "../../src/panels/recordLines.ts";
import { whyLines, type EarlierDecisions } from "../../src/panels/why.ts";
import { localTime } from "../../src/utils/localTime.ts";
import { lineWidth, textOf, type Line } from "../../src/view/span.ts";
import { record } from "../support/events.ts";
import { entryOf, FOLDER, hook, timed } from "./samples.ts";

const guard = hook();
const page = { earlier: { are: "read", decisions: [] } as EarlierDecisions, columns: 80, folder: FOLDER };
const texts = (lines: readonly Line[]) => lines.map((line) => textOf(line).trimEnd());
const today = new Date("2026-11-20T10:00:02.000Z");
const local = (ts: string) => new Date(ts).toTimeString().slice(0, 8);

const denied = timed({
  ts: "2026-11-20T10:00:01.000Z",
  toolName: "Bash",
  toolUseId: "call_1",
  inputPreview: '{"command":"git push -f"}',
  inputHash: "1a".repeat(32),
  finalInputHash: "1a".repeat(32),
  decision: "deny",
  decidedBy: "hook guard",
  reason: "no force",
  hooks: [
    entryOf(guard, { verdict: "deny", reason: "no force", ended: "exit 2", durationMs: 12, stderrBytes: 9 }),
  ],
  skipped: [{ name: "other", source: `${FOLDER}/.wave/settings.json:30`, why: "it is off" }],
  rules: [{ rule: "Bash(git:*)", behavior: "allow", source: `${FOLDER}/.wave/settings.json:2` }],
});

describe("the history", () => {
  it("is made of the decisions that the session remembers", () => {
    const run = {
      kind: "run" as const,
      runId: 1,
      event: "PreToolUse" as const,
      hook: { name: "guard", source: "x" },
      toolUseId: undefined,
      at: 5,
      finished: undefined,
    };
    const one = record({ decision: "pass" });
    expect(decisionsIn([run, { kind: "decision", record: one, at: 1_000 }])).toEqual([
      { ...one, ts: "1970-01-01T00:00:01.000Z" },
    ]);
  });

  it("knows a record again in a later copy", () => {
    expect(recordKey({ ...denied })).toBe(recordKey(denied));
    expect(recordKey({ ...denied, toolUseId: "call_2" })).not.toBe(recordKey(denied));
  });

  const time = local(denied.ts);
  it.each([
    [
      "a refused call",
      denied,
      78,
      [`${time} PreToolUse Bash  {"command":"git push -f"}                did not run`],
    ],
    [
      "a refused call at 40 columns",
      denied,
      38,
      [`${time} PreToolUse Bash   did not run`, '  {"command":"git push -f"}'],
    ],
    [
      "a prompt",
      timed({ ts: denied.ts, event: "UserPromptSubmit", decision: "blocked", promptLength: 1 }),
      60,
      [`${time} UserPromptSubmit  1 character               blocked`],
    ],
  ])("has a line for %s", (_what, one, columns, expected) => {
    expect(texts(historyItem(one, columns, today))).toEqual(expected);
    expect(historyItem(one, columns, today)).toHaveLength(historyItemHeight(columns));
  });

  it("has the day of what was not today, on the clock of the person", () => {
    const later = new Date(2026, 10, 23);
    const at = new Date(2026, 10, 22, 23, 4, 5).toISOString();
    expect(texts(historyItem(timed({ ts: at }), 60, later))[0]).toMatch(/^2026-11-22 23:04:05 /);
    expect(texts(historyItem(timed({ ts: at }), 60, new Date(2026, 10, 22)))[0]).toMatch(/^23:04:05 /);
    const narrow = timed({ ts: at, inputPreview: "{}" });
    expect(texts(historyItem(narrow, 38, later))[1]).toBe("  2026-11-22 {}");
    expect(localTime("never")).toBe("never");
  });

  it.each([
    ["allow", "ran"],
    ["deny", "did not run"],
    ["pass", "went on"],
    ["blocked", "blocked"],
    ["halted", "ended the turn"],
    ["continued", "told to go on"],
  ] as const)("says of %s that it %s", (decision, words) => {
    expect(texts(historyItem(timed({ decision }), 60, today))[0]).toMatch(new RegExp(`${words}$`));
  });
});

describe("a full record", () => {
  it("says what went in, what each hook said and who decided (T36, T55)", () => {
    expect(texts(recordLines(denied, page))).toEqual([
      "PreToolUse for Bash",
      `when        ${localTime(denied.ts)}`,
      "call        call_1",
      "came out    did not run",
      "decided by  hook guard",
      "mode        default",
      "reason      no force",
      "took        3 ms",
      "",
      "What went in",
      '  {"command":"git push -f"}',
      `sha-256     ${"1a".repeat(32)}`,
      "",
      "What each hook said",
      "  guard: said no",
      "    .wave/settings.json:6",
      "    exit 2 after 12 ms, printed 0 bytes on stdout and 9 on stderr",
      "    no force",
      "",
      "Hooks that did not run",
      "  other: it is off (.wave/settings.json:30)",
      "",
      "Rules that matched",
      "  allow Bash(git:*) (.wave/settings.json:2)",
    ]);
  });

  it("says what hooks made of the input, and everything that was odd about them", () => {
    const rewriter = entryOf(guard, {
      pass: 2,
      rewrote: ["command"],
      rewriteTaken: false,
      unknownFields: ["permision"],
      failure: "invalid: not JSON",
      failedOpen: true,
      verdict: "could not decide",
      stdoutBytes: 1,
      cutBytes: 500,
    });
    const changed = timed({
      inputHash: "a",
      finalInputHash: "b",
      finalInputPreview: "{}",
      hooks: [rewriter],
    });
    const text = texts(recordLines(changed, page));
    expect(text.slice(text.indexOf("What hooks made of it"))).toEqual([
      "What hooks made of it",
      "  {}",
      "sha-256     b",
      "",
      "What each hook said",
      "  guard, second look: could not decide",
      "    .wave/settings.json:6",
      "    exit 0 after 3 ms, printed 1 byte on stdout and 0 on stderr, 500 more were",
      "    not kept",
      "    invalid: not JSON",
      "    it held nothing back: its onError says continue",
      "    changed command, but not all of it stayed",
      "    fields Wave does not know: permision",
    ]);
  });

  it("has what a hook wrote on stderr although it had no objection (T125)", () => {
    const chatty = entryOf(guard, { stderrBytes: 9, stderr: "cache hit\n\u001b[2Jdone" });
    const lines = texts(recordLines(timed({ hooks: [chatty] }), page));
    expect(lines.slice(lines.indexOf("  guard: no objection"))).toEqual([
      "  guard: no objection",
      "    .wave/settings.json:6",
      "    exit 0 after 3 ms, printed 0 bytes on stdout and 9 on stderr",
      "    cache hit",
      "    \\x1b[2Jdone",
    ]);
  });

  it("of a prompt has its size and hash, not its text", () => {
    const text = texts(
      recordLines(timed({ event: "UserPromptSubmit", promptLength: 12, promptHash: "ff" }), page),
    );
    expect(text).toContain("prompt      12 characters; the text itself is not kept here");
    expect(text).toContain("sha-256     ff");
    expect(text).toContain("No hook ran");
  });

  it.each([20, 40, 80])("fits %i columns", (columns) => {
    const lines = recordLines(denied, { ...page, columns });
    expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(columns);
  });
});

describe("why", () => {
  const before = timed({ toolName: "Bash", toolUseId: "call_0", decision: "allow", decidedBy: "person" });
  const after = timed({ event: "PostToolUse", toolName: "Bash", toolUseId: "call_0", decision: "pass" });
  const stop = timed({ event: "Stop", decision: "pass" });
  const history = [before, after, denied, stop];
  const titles = (chosen: typeof before | undefined) =>
    texts(whyLines(history, chosen, page)).filter((line) => line !== "" && !line.startsWith(" "));

  it("tells the whole story of the last call (T56)", () => {
    expect(titles(undefined)).toEqual([
      `PreToolUse for Bash (call_1), ${localTime("2026-11-20T10:00:01.000Z")}`,
    ]);
    expect(texts(whyLines(history, undefined, page))).toContain(
      "  guard (.wave/settings.json:6) ended with exit 2 after 12 ms: it said no: no",
    );
    expect(texts(whyLines(history, undefined, page))).toContain(
      "  other (.wave/settings.json:30) did not run: it is off.",
    );
  });

  it("tells the story of a chosen call, before it and after it", () => {
    expect(titles(after)).toEqual([
      `PreToolUse for Bash (call_0), ${localTime("2026-11-20T10:00:00.000Z")}`,
      `PostToolUse for Bash (call_0), ${localTime("2026-11-20T10:00:00.000Z")}`,
    ]);
  });

  it("tells the story of an event that belongs to no call", () => {
    expect(titles(stop)).toEqual([`Stop, ${localTime("2026-11-20T10:00:00.000Z")}`]);
  });

  it.each<[EarlierDecisions, string]>([
    [{ are: "read", decisions: [] }, "Nothing has been decided in this session yet."],
    [{ are: "being-read" }, "Reading what was decided in this session…"],
    [{ are: "unreadable", why: "EIO." }, "What was decided before cannot be read: EIO."],
  ])("says so when nothing has been decided, and earlier decisions %j", (earlier, words) => {
    expect(texts(whyLines([], undefined, { ...page, earlier }))).toEqual([words]);
  });
});

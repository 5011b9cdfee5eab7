import { render } from "ink-testing-library";
import { useState } from "react";
import type { HookState, SessionHit, SessionSummary } from "wave-agent-sdk";
import { describe, expect, it } from "vitest";
import { HelpPanel } from "../../src/components/HelpPanel.tsx";
import { HooksPanel, type HooksPanelProps } from "../../src/components/HooksPanel.tsx";
import { SessionPicker } from "../../src/components/SessionPicker.tsx";
import { StatusLine } from "../../src/components/StatusLine.tsx";
import { localTime } from "../../src/utils/localTime.ts";
import { draw, widest } from "../panels/drawn.tsx";
import {
  BY_HAND,
  entryOf,
  FOLDER,
  hook,
  leftOut,
  session,
  state,
  tallyOf,
  timed,
} from "../panels/samples.ts";

const guard = hook({ name: "no force push" });
const formatter = hook({ event: "PostToolUse", name: "formatter", matcher: "Edit", line: 14 });
const policy = hook({
  event: "Stop",
  name: "policy",
  matcher: undefined,
  source: { scope: "managed", file: "/etc/wave/settings.json", line: 3, path: "hooks.Stop[0]" },
});
const history = [
  timed({ event: "UserPromptSubmit", decision: "pass", decidedBy: "no hook objected", promptLength: 7 }),
  timed({
    toolName: "Bash",
    toolUseId: "call_1",
    inputPreview: '{"command":"git push -f"}',
    decision: "deny",
    decidedBy: "hook no force push",
    hooks: [entryOf(guard, { verdict: "deny", reason: "no force", ended: "exit 2", durationMs: 12 })],
  }),
  timed({
    toolName: "Read",
    toolUseId: "call_2",
    inputPreview: "{}",
    decision: "allow",
    decidedBy: "mode default",
  }),
];

const props: HooksPanelProps = {
  hooks: [state(guard), state(formatter), state(policy)],
  stats: tallyOf(history),
  history,
  folder: FOLDER,
  columns: 80,
  rows: 24,
  onSwitch: () => {},
  onClose: () => {},
};

describe("/hooks", () => {
  it("lists every hook with its source, matcher, runs, last result and times at 80 columns (T55)", async () => {
    const panel = await draw(<HooksPanel {...props} />);
    expect(panel.lines()).toEqual([
      "─ Hooks ───────────────────────────────────────────────────────────────── 3 on ─",
      "› ● no force push                                                said no, exit 2",
      "    PreToolUse Bash · .wave/settings.json:6        1 run · p50 12 ms · p95 12 ms",
      "  ● formatter",
      "    PostToolUse Edit · .wave/settings.json:14                        has not run",
      "  ◆ policy",
      "    Stop · /etc/wave/settings.json:3                                 has not run",
      "",
      "↑↓ choose  Enter details  Space on/off  h history  w why last call  Esc close",
    ]);
  });

  it("stands below each other at 40 columns (T55)", async () => {
    const panel = await draw(<HooksPanel {...props} columns={40} />);
    expect(panel.lines().slice(0, 7)).toEqual([
      "─ Hooks ───────────────────────── 3 on ─",
      "› ● no force push",
      "    PreToolUse Bash",
      "    .wave/settings.json:6",
      "    1 run · p50 12 ms · p95 12 ms",
      "    said no, exit 2",
      "  ● formatter",
    ]);
    expect(widest(panel)).toBeLessThanOrEqual(40);
  });

  it.each([40, 80])(
    "opens details, history, a record and its story, and Esc leads back, at %i columns",
    async (columns) => {
      let closed = 0;
      const panel = await draw(<HooksPanel {...props} columns={columns} onClose={() => closed++} />);
      panel.press("enter");
      await panel.see("limit       60 s; onError continue");
      panel.type("h");
      await panel.see("─ Hook history ─");
      expect(panel.lines()[1]).toMatch(/^› (2026-11-20 )?\d\d:\d\d:\d\d PreToolUse Read/);
      panel.press("down", "enter");
      await panel.see("decided by  hook no force push");
      expect(widest(panel)).toBeLessThanOrEqual(columns);
      panel.type("w");
      await panel.see("It did not run; decided by hook");
      expect(widest(panel)).toBeLessThanOrEqual(columns);
      panel.press("esc");
      await panel.see("─ Record ─");
      panel.press("esc");
      await panel.see("─ Hook history ─");
      // The record that was looked at is still the chosen one.
      expect(panel.lines().find((line) => line.startsWith("›"))).toContain("PreToolUse Bash");
      panel.press("esc");
      await panel.see("─ Hook ─");
      panel.press("esc");
      await panel.see("─ Hooks ─");
      expect(closed).toBe(0);
      panel.press("esc");
      await expect.poll(() => closed).toBe(1);
    },
  );

  it("explains the last call at once when it is opened for that (T56)", async () => {
    const panel = await draw(<HooksPanel {...props} openAt="why" />);
    expect(panel.lines().slice(0, 3)).toEqual([
      "─ Why the last call ────────────────────────────────────────────────────────────",
      `PreToolUse for Read (call_2), ${localTime("2026-11-20T10:00:00.000Z")}`,
      "  It ran; decided by mode default, in mode default.",
    ]);
  });

  it("calls what it explains an event where no call was made (T56)", async () => {
    const stop = timed({ event: "Stop", decision: "pass", decidedBy: "no hook objected" });
    const panel = await draw(<HooksPanel {...props} history={[stop]} openAt="why" />);
    expect(panel.lines()[0]).toMatch(/^─ Why the last event ─/);
    const chosen = await draw(<HooksPanel {...props} history={[stop]} />);
    chosen.type("h");
    chosen.type("w");
    await chosen.see("─ Why this event ─");
  });

  function Switchable({ first }: { first: HookState[] }) {
    const [hooks, setHooks] = useState(first);
    const onSwitch = (id: string, on: boolean) =>
      setHooks(hooks.map((one) => (one.id === id ? { ...one, off: on ? undefined : BY_HAND } : one)));
    return <HooksPanel {...props} hooks={hooks} onSwitch={onSwitch} />;
  }

  it("switches a hook that blocks everything off and on again, with a visible mark (T8)", async () => {
    const panel = await draw(<Switchable first={[state(formatter), state(guard)]} />);
    panel.press("down", "space");
    await panel.see("1 on, 1 off");
    expect(panel.frame()).toMatch(/› ○ no force push +off for this session/);
    panel.press("enter");
    await panel.see("is          off for this session");
    panel.press("space");
    await panel.see("is          on");
    panel.press("esc");
    await panel.see("2 on");
    expect(panel.frame()).toContain("› ● no force push");
  });

  it("says why a managed hook, and one that a flag left out, cannot be switched (T169)", async () => {
    const switched: string[] = [];
    const hooks = [
      state(policy),
      state(guard, leftOut("hooks of the project are switched off for this run")),
    ];
    const panel = await draw(<HooksPanel {...props} hooks={hooks} onSwitch={(id) => switched.push(id)} />);
    panel.press("space");
    await panel.see("policy stays on: it comes from the managed settings of this machine.");
    panel.press("down", "space");
    await panel.see("no force push cannot be switched on here: hooks of the project are switched");
    expect(switched).toEqual([]);
  });

  it("keeps the chosen hook when others appear above it", async () => {
    const panel = await draw(<HooksPanel {...props} hooks={[state(guard), state(formatter)]} />);
    panel.press("down");
    await panel.see("› ● formatter");
    panel.redraw(<HooksPanel {...props} hooks={[state(policy), state(guard), state(formatter)]} />);
    await panel.see("◆ policy");
    expect(panel.frame()).toContain("› ● formatter");
  });

  it.each([40, 80])("says so when there is nothing yet, at %i columns", async (columns) => {
    const panel = await draw(<HooksPanel {...props} columns={columns} hooks={[]} history={[]} />);
    expect(panel.frame()).toContain("No hooks are configured.");
    panel.press("space", "enter");
    panel.type("h");
    await panel.see("Nothing has been decided in this session");
    panel.press("esc");
    await panel.see("No hooks are configured.");
    panel.type("w");
    await panel.see("Why the last call");
    expect(panel.frame()).toContain("Nothing has been decided in this session");
  });

  it.each([
    [40, 16],
    [80, 12],
  ])("never takes more than its lines at %i columns and %i rows", async (columns, rows) => {
    const hooks = Array.from({ length: 30 }, (_, index) =>
      state(hook({ name: `hook ${index}`, line: index })),
    );
    const panel = await draw(<HooksPanel {...props} hooks={hooks} columns={columns} rows={rows} />);
    expect(panel.lines().length).toBeLessThanOrEqual(rows);
    panel.press("end");
    await panel.see("› ● hook 29");
    expect(panel.frame()).toMatch(/↑ \d+ more/);
    expect(panel.lines().length).toBeLessThanOrEqual(rows);
    panel.press("home");
    await panel.see("› ● hook 0");
  });

  it("scrolls a record that is longer than the screen, and says how much there is", async () => {
    const long = timed({
      hooks: Array.from({ length: 20 }, (_, index) => entryOf(guard, { name: `hook ${index}` })),
    });
    const panel = await draw(<HooksPanel {...props} history={[long]} openAt="history" rows={16} />);
    panel.press("enter");
    await panel.see("lines 1 to 12 of");
    expect(panel.lines().length).toBeLessThanOrEqual(16);
    panel.press("end");
    await panel.see("hook 19");
    panel.press("pageup", "up");
    await panel.see("hook 15");
  });

  it("cannot be drawn on by what a hook said or is called (G46)", async () => {
    const evil = hook({ name: "\u001b[2Jevil\u202e", matcher: "\u0007" });
    const said = timed({
      hooks: [entryOf(evil, { verdict: "deny", reason: "\u001b]0;title\u0007", ended: "exit 2" })],
    });
    const panel = await draw(
      <HooksPanel {...props} hooks={[state(evil)]} history={[said]} stats={tallyOf([said])} />,
    );
    const unsafe = /[^\P{Cc}\n]|\u202e/u;
    expect(panel.frame()).toContain("\\x1b[2Jevil\\u202e");
    expect(panel.frame()).not.toMatch(unsafe);
    panel.press("enter");
    await panel.see("\\x1b]0;title\\x07");
    expect(panel.frame()).not.toMatch(unsafe);
    panel.type("w");
    await panel.see("said no");
    expect(panel.frame()).not.toMatch(unsafe);
  });
});

describe("the session picker", () => {
  const sessions = [
    session({ id: "3f0a", firstPrompt: "make the tests pass" }),
    session({ id: "77bc", firstPrompt: "explain the hook" }),
    session({ id: "9d11", firstPrompt: "tests for the parser", messageCount: 1 }),
  ];
  const picker = (changes: Partial<Parameters<typeof SessionPicker>[0]> = {}) => (
    <SessionPicker
      sessions={sessions}
      searchTexts={async function* () {}}
      now={86_400_000}
      columns={80}
      rows={20}
      onResume={() => {}}
      onClose={() => {}}
      {...changes}
    />
  );

  it("lists sessions with what they were about, their size and age", async () => {
    const panel = await draw(picker());
    expect(panel.lines()).toEqual([
      "─ Sessions ──────────────────────────────────────────────────────── 3 sessions ─",
      "Search: ▏",
      "› make the tests pass                                    12 messages · 1 day ago",
      "  explain the hook                                       12 messages · 1 day ago",
      "  tests for the parser                                     1 message · 1 day ago",
      "",
      "↑↓ choose  Enter resume  letters search  /text search inside",
      "Esc clear the search, close",
    ]);
  });

  it("names a session that cannot be read", async () => {
    const skipped = [
      { file: "/home/sessions/x/0199-odd.jsonl", why: "it is a named pipe, not a regular file" },
      { file: "/home/sessions/x/0199-other.jsonl", why: "it is a folder, not a regular file" },
    ];
    const panel = await draw(picker({ columns: 80, skipped }));
    expect(panel.lines().slice(1, 3).join(" ")).toBe(
      "skipped 0199-odd.jsonl: it is a named pipe, not a regular file (and 1 more: wave sessions list)",
    );
  });

  it.each([
    [80, "3 sessions · 2 empty sessions not shown ─"],
    [40, "3 sessions, 2 empty ─"],
  ])("says at %i columns how many are left out because nothing was said in them", async (columns, words) => {
    const panel = await draw(picker({ columns, leftOut: 2 }));
    expect(panel.lines()[0]).toContain(words);
  });

  it.each([40, 80])(
    "looks into the sessions after a slash, and shows where it is, at %i columns",
    async (columns) => {
      const resumed: SessionSummary[] = [];
      const searched: string[] = [];
      async function* searchTexts(text: string): AsyncGenerator<SessionHit> {
        searched.push(text);
        if (text === "needle")
          yield { id: "77bc", file: "", by: "Bash", line: "\u001b[2J found a needle here" };
      }
      const panel = await draw(picker({ columns, searchTexts, onResume: (one) => resumed.push(one) }));
      panel.type("/");
      await panel.see("Type what was said, called or answered.");
      panel.type("needle");
      await panel.see("Bash: \\x1b[2J found a needle");
      expect(panel.frame()).toContain("explain the hook");
      expect(panel.frame()).toContain("1 of 3");
      expect(widest(panel)).toBeLessThanOrEqual(columns);
      panel.press("enter");
      await expect.poll(() => resumed.map(({ id }) => id)).toEqual(["77bc"]);
      panel.type("s");
      await panel.see("No session matches.");
      // Letters that come together are one search.
      expect(searched).toEqual(["needle", "needles"]);
    },
  );

  it("stops a search when another one begins, and says why one failed", async () => {
    const stopped: string[] = [];
    async function* searchTexts(text: string, signal: AbortSignal): AsyncGenerator<SessionHit> {
      if (text === "broken") throw new Error("no permission");
      signal.addEventListener("abort", () => stopped.push(text));
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      yield { id: "77bc", file: "", by: "you", line: "too late" };
    }
    const panel = await draw(picker({ searchTexts }));
    panel.type("/slow");
    await panel.see("Looking into the sessions…");
    panel.press("esc");
    await panel.see("3 sessions");
    panel.type("/broken");
    await panel.see("The sessions cannot be searched: no permission.");
    expect(panel.frame()).not.toContain("too late");
  });

  it.each([40, 80])("narrows while one types, and resumes the chosen one, at %i columns", async (columns) => {
    const resumed: SessionSummary[] = [];
    const panel = await draw(picker({ columns, onResume: (one) => resumed.push(one) }));
    panel.type("tes");
    panel.type("ts");
    await panel.see("Search: tests▏");
    expect(panel.frame()).toContain("2 of 3");
    expect(panel.frame()).not.toContain("explain");
    expect(widest(panel)).toBeLessThanOrEqual(columns);
    panel.press("down", "enter");
    await expect.poll(() => resumed.map(({ id }) => id)).toEqual(["9d11"]);
  });

  it("takes the search back with Backspace and Esc, and closes with the next Esc", async () => {
    let closed = 0;
    const panel = await draw(picker({ onClose: () => closed++ }));
    panel.type("zzz");
    await panel.see("No session matches.");
    panel.press("enter", "backspace");
    await panel.see("Search: zz▏");
    panel.press("esc");
    await panel.see("3 sessions");
    expect(closed).toBe(0);
    panel.press("esc");
    await expect.poll(() => closed).toBe(1);
  });

  it("searches for what is pasted, on one line", async () => {
    const panel = await draw(picker());
    panel.type("\u001b[200~explain\nthe\u001b[201~");
    await panel.see("Search: explain the▏");
    expect(panel.frame()).toContain("1 of 3");
  });

  it.each([
    ["loading" as const, "Reading the sessions of this folder…"],
    [[], "There are no other sessions in this folder yet."],
  ])("says so when there is nothing to choose from", async (none, words) => {
    const panel = await draw(picker({ sessions: none }));
    expect(panel.frame()).toContain(words);
  });
});

describe("the help", () => {
  const rows = Array.from({ length: 30 }, (_, index) => ({
    keys: `F${index}`,
    does: `does ${index}`,
    where: "Keys",
  }));

  it.each([40, 80])("shows the key table and scrolls, at %i columns", async (columns) => {
    let closed = 0;
    const panel = await draw(
      <HelpPanel rows={rows} columns={columns} height={12} onClose={() => closed++} />,
    );
    expect(panel.lines().length).toBeLessThanOrEqual(12);
    expect(widest(panel)).toBeLessThanOrEqual(columns);
    panel.press("end");
    await panel.see("does 29");
    panel.press("esc");
    await expect.poll(() => closed).toBe(1);
  });
});

describe("the status line", () => {
  const facts = {
    model: "gpt-5.2-codex",
    folder: "~/code/shop",
    branch: "main",
    mode: "plan" as const,
    tokens: { used: 64_000, contextSize: 128_000 },
    hooksRunning: [{ name: "guard", runningMs: 2_100 }],
    hooksOff: [{ names: ["guard"], why: "switched off for this session" }],
    instructionsOut: false,
    changed: 0,
    failedOpen: 0,
    queued: 1,
  };
  it.each([
    [40, ["plan · gpt-5.2-codex · shop · 64.0k, 50%", "guard 2 s · 1 hook off: guard · 1 queued"]],
    [
      80,
      [
        "mode plan · gpt-5.2-codex · ~/code/shop · on main · 64.0k, 50%",
        "hook guard 2 s · 1 hook off: guard (switched off for this session) · 1 queued",
      ],
    ],
  ])("fits %i columns (T57, T133)", (columns, expected) => {
    const { lastFrame } = render(<StatusLine {...facts} columns={columns} />);
    expect(lastFrame()?.split("\n")).toEqual(expected);
  });
});

import { describe, expect, it } from "vitest";
import { fitItems, type StatusItem } from "../../src/panels/fitItems.ts";
import { say } from "../../src/panels/lines.ts";
import { statusLines, type StatusFacts } from "../../src/panels/statusLine.ts";
import { shortCount } from "../../src/utils/shortCount.ts";
import { lineWidth, textOf } from "../../src/view/span.ts";

const calm: StatusFacts = {
  model: "gpt-5.2-codex",
  folder: "~/code/clients/shop",
  branch: "feature/new-checkout",
  mode: "acceptEdits",
  tokens: { used: 12_345, contextSize: 128_000 },
  hooksRunning: [],
  hooksOff: [],
  instructionsOut: false,
  changed: 0,
  failedOpen: 0,
  queued: 0,
};
const busy: StatusFacts = {
  ...calm,
  hooksRunning: [
    { name: "quick", runningMs: 999 },
    { name: "types", runningMs: 1_500 },
    { name: "no force push", runningMs: 3_999 },
  ],
  hooksOff: [
    { names: ["types", "no force push"], why: "hooks of the project are switched off for this run" },
  ],
  queued: 2,
};
const shown = (facts: StatusFacts, columns: number) => statusLines(facts, columns).map(textOf);

describe("the status line", () => {
  it("counts commands that run in the background", () => {
    expect(shown({ ...calm, inBackground: 1 }, 120)[1]).toBe("1 task in the background: /tasks");
    expect(shown({ ...busy, inBackground: 3 }, 80)[1]).toContain("3 in background");
  });

  it.each<[string, number, StatusFacts, unknown[]]>([
    ["calm", 40, calm, ["acceptEdits · gpt-5.2-codex · shop · 10%"]],
    ["calm", 80, calm, ["acceptEdits · gpt-5.2-codex · ~/code/clients/shop · on feature/new… · 12.3k, 10%"]],
    [
      "calm",
      120,
      calm,
      [
        "mode acceptEdits · gpt-5.2-codex · ~/code/clients/shop · on feature/new-checkout · 12.3k tokens, 10% of the context",
      ],
    ],
    ...[
      [80, "2 changes wait for review: /hooks trust"],
      [36, "2 changes wait: /hooks trust"],
      [20, "2 changes wait"],
    ].map(([columns, said]): [string, number, StatusFacts, unknown[]] => [
      "with changes that wait for review (T83)",
      Number(columns),
      { ...calm, changed: 2 },
      [expect.any(String), said],
    ]),
    [
      "busy",
      40,
      busy,
      ["acceptEdits · gpt-5.2-codex · shop · 10%", "no forc… 3 s +1 · 2 hooks off · 2 queued"],
    ],
    [
      "busy",
      80,
      busy,
      [
        "acceptEdits · gpt-5.2-codex · ~/code/clients/shop · on feature/new… · 12.3k, 10%",
        "no forc… 3 s +1 · 2 hooks off: types and 1 more (hooks of th…) · 2 queued",
      ],
    ],
    [
      "busy",
      120,
      busy,
      [
        "mode acceptEdits · gpt-5.2-codex · ~/code/clients/shop · on feature/new-checkout · 12.3k tokens, 10% of the context",
        "hook no force push 3 s and 1 more · 2 hooks off: types, no force push (hooks of the project ar…) · 2 messages queued",
      ],
    ],
  ])("%s, in %i columns (T57, T133)", (_what, columns, facts, expected) => {
    expect(shown(facts, columns)).toEqual(expected);
  });

  it.each([
    [40, "3 unjudged · 2 messages queued"],
    [80, "3 passed unjudged: a hook failed · 2 messages queued"],
  ])("says in %i columns how often something went on although a hook failed (T55)", (columns, line) => {
    const facts = { ...calm, failedOpen: 3, queued: 2 };
    expect(shown(facts, columns)[1]).toBe(line);
  });

  const off = [
    { names: ["guard", "types", "lint"], why: "nobody has approved it in this form" },
    { names: ["own"], why: "switched off by your hand" },
  ];
  it.each([
    [40, "4 hooks off · AGENTS.md is not read"],
    [60, "4 hooks off: guard and 3 more · AGENTS.md is not read"],
    [
      120,
      "4 hooks off: guard, types, lint, own (nobody has approved it …) · AGENTS.md is not read (not approved): /hooks trust",
    ],
    [
      200,
      "4 hooks off: guard, types, lint (nobody has approved it in this form); own (switched off by your hand) · AGENTS.md is not read (not approved): /hooks trust",
    ],
  ])(
    "names in %i columns what is off, as far as there is room, and that AGENTS.md is not read (T57, T37)",
    (columns, line) => {
      expect(shown({ ...calm, hooksOff: off, instructionsOut: true }, columns)[1]).toBe(line);
    },
  );

  it("leaves out what is not known", () => {
    expect(shown({ ...calm, model: undefined, branch: undefined, tokens: undefined }, 80)).toEqual([
      "mode acceptEdits · ~/code/clients/shop",
    ]);
    expect(shown({ ...calm, tokens: { used: 900, contextSize: 1_000, estimated: true } }, 120)[0]).toMatch(
      /about 900 tokens, 90% of the context$/,
    );
    expect(shown({ ...calm, tokens: { used: 900, contextSize: undefined } }, 120)[0]).toMatch(
      / · 900 tokens$/,
    );
  });

  it("shows a hook only when it has run for a second (T133)", () => {
    expect(shown({ ...calm, hooksRunning: [{ name: "guard", runningMs: 999 }] }, 80)).toHaveLength(1);
    expect(shown({ ...calm, hooksRunning: [{ name: "guard", runningMs: 1_000 }] }, 80)[1]).toBe(
      "hook guard 1 s",
    );
  });

  it.each([
    ["default", { text: "mode default" }],
    ["acceptEdits", { text: "mode acceptEdits", tone: "accent" }],
    ["plan", { text: "mode plan", tone: "accent" }],
    ["dontAsk", { text: "mode dontAsk", tone: "warning" }],
    ["bypassPermissions", { text: "! mode bypassPermissions", tone: "danger" }],
  ] as const)("shows mode %s with its weight", (mode, shown) => {
    expect(statusLines({ ...calm, mode }, 120)[0]?.[0]).toEqual(shown);
  });

  it("says that a question waits for its answer, before everything else of the moment", () => {
    expect(shown({ ...calm, awaitsAnswer: true, queued: 1 }, 80)[1]).toBe(
      "waiting for your answer · 1 message queued",
    );
  });

  it.each([
    [79, undefined],
    [80, "warning"],
    [95, "danger"],
  ])("warns when %i%% of the context is used", (share, tone) => {
    const [line = []] = statusLines({ ...calm, tokens: { used: share * 10, contextSize: 1_000 } }, 120);
    expect(line.at(-1)?.tone).toBe(tone);
  });

  it("says of every hook that is off that it is, however narrow the screen (T57)", () => {
    for (let columns = 40; columns <= 200; columns++) {
      const lines = statusLines(busy, columns);
      expect(textOf(lines[1] ?? [])).toContain("2 hooks off");
      expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(columns);
    }
  });

  it("cannot be drawn on by the name of a hook or a branch (G46)", () => {
    const lines = shown(
      { ...calm, branch: "x\u001b[2J", hooksRunning: [{ name: "\u001b]0;t\u0007", runningMs: 2_000 }] },
      120,
    );
    expect(lines.join("\n")).not.toMatch(/[^\P{Cc}\n]/u);
  });
});

describe("fitting", () => {
  const item = (full: string, ...shorter: [number, string][]): StatusItem => ({
    full: [say("plain", full)],
    shorter: shorter.map(([loss, text]) => ({ loss, form: text === "" ? [] : [say("plain", text)] })),
  });
  const items = [item("alpha", [2, "a"], [4, ""]), item("beta", [1, "b"], [3, ""]), item("gamma")];
  it.each([
    [20, "alpha · beta · gamma"],
    [19, "alpha · b · gamma"],
    [16, "a · beta · gamma"],
    [13, "a · b · gamma"],
    [12, "a · gamma"],
    [8, "gamma"],
    [4, "gam…"],
  ])("to %i columns takes the smallest loss first", (width, expected) => {
    expect(textOf(fitItems(items, width))).toBe(expected);
  });
});

describe("counts are short", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1_000, "1.0k"],
    [12_345, "12.3k"],
    [99_960, "100k"],
    [128_000, "128k"],
    [1_200_000, "1.2M"],
  ])("%i", (count, expected) => {
    expect(shortCount(count)).toBe(expected);
  });
});

import type { RewindPoint, Rewound } from "wave-agent-sdk";
import { describe, expect, it } from "vitest";
import { RewindPanel, type RewindPanelProps } from "../../src/components/RewindPanel.tsx";
import { draw, widest } from "../panels/drawn.tsx";

const points: RewindPoint[] = [
  { messageId: "m2", firstLine: "second prompt", at: "2026-11-15T10:00:00.000Z", filesChanged: 1 },
  { messageId: "m1", firstLine: "first prompt", at: "2026-11-15T09:00:00.000Z", filesChanged: 30 },
];
const planOf = (count: number): Rewound => ({
  prompt: "x",
  messages: 3,
  files: Array.from({ length: count }, (_, index) => ({
    path: `/p/file-${index + 1}.ts`,
    outcome: "restored",
  })),
  note: undefined,
});

describe("/rewind", () => {
  const panel = (changes: Partial<RewindPanelProps> = {}) => (
    <RewindPanel
      points={points}
      planFor={async (id) => planOf(id === "m1" ? 30 : 1)}
      folder="/p"
      now={Date.parse("2026-11-15T10:05:00.000Z")}
      columns={80}
      rows={20}
      onRewind={() => {}}
      onClose={() => {}}
      {...changes}
    />
  );

  it("lists the earlier prompts, and shows what would happen before the yes", async () => {
    const done: object[] = [];
    let closed = 0;
    const drawn = await draw(
      panel({
        onRewind: (point, options) => done.push({ ...options, id: point.messageId }),
        onClose: () => closed++,
      }),
    );
    expect(drawn.lines()).toEqual(
      [
        "─ Rewind ──────────────────────────────────────────────────────────── 2 prompts ─",
        "› second prompt                            1 file changed since · 5 minutes ago",
        "  first prompt                                30 files changed since · 1 hour ago",
        "",
        "↑↓ choose  Enter go back to before it  Esc close",
      ].map((line) => fitted(line, 80)),
    );
    drawn.press("enter");
    await drawn.see("put back  file-1.ts");
    expect(drawn.frame()).toContain("› go back: conversation and files");
    expect(done).toEqual([]);
    drawn.press("enter");
    await expect.poll(() => done).toEqual([{ files: true, id: "m2" }]);
    expect(closed).toBe(1);
  });

  it.each([40, 80])("fits %i columns and a low screen, and scrolls through many files", async (columns) => {
    const drawn = await draw(panel({ columns, rows: 16 }));
    drawn.press("down", "enter");
    await drawn.see("file-1.ts");
    expect(drawn.lines().length).toBeLessThanOrEqual(16);
    expect(widest(drawn)).toBeLessThanOrEqual(columns);
    expect(drawn.frame()).toMatch(/lines 1 to \d+ of 3\d, PgDn/);
    for (let page = 0; page < 12; page++) drawn.press("pagedown");
    await drawn.see("file-30.ts");
    drawn.press("esc");
    await drawn.see("─ Rewind ─");
    expect(drawn.lines().find((line) => line.startsWith("›"))).toContain("first prompt");
  });

  it("takes no Enter for a yes to files that were looked at in the same moment, and not drawn yet (T71)", async () => {
    const done: object[] = [];
    const { promise, resolve } = Promise.withResolvers<Rewound>();
    const drawn = await draw(
      panel({ planFor: () => promise, onRewind: (_point, options) => done.push(options) }),
    );
    drawn.press("enter");
    await drawn.see("Looking at the files");
    // Behind the panel's own turn, which has not been drawn by then.
    const pressed = promise.then(() => drawn.press("enter"));
    resolve(planOf(1));
    await pressed;
    await drawn.see("put back  file-1.ts");
    expect(done).toEqual([]);
    drawn.press("enter");
    await expect.poll(() => done).toEqual([{ files: true }]);
  });

  it("does not go back to files it could not look at, and says why", async () => {
    const done: object[] = [];
    const planFor = () => Promise.reject(new Error("the disk is gone"));
    const drawn = await draw(panel({ planFor, onRewind: (_point, options) => done.push(options) }));
    drawn.press("enter");
    await drawn.see("the disk is gone");
    drawn.press("enter", "down", "enter");
    await expect.poll(() => done).toEqual([{ files: false }]);
  });

  it("says so when nothing was said yet", async () => {
    const drawn = await draw(panel({ points: [] }));
    expect(drawn.frame()).toContain("Nothing was said in this session yet.");
  });
});

/** The gap in the middle of a line takes what the width leaves. */
function fitted(line: string, width: number): string {
  if (line.startsWith("─"))
    return line.replace(/─{3,}/, (rule) => rule.slice(0, rule.length + width - line.length));
  if (!/ {5,}/.test(line)) return line;
  return line.replace(/ {5,}/, (gap) => " ".repeat(gap.length + width - line.length));
}

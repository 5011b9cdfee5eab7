import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { earlierDecisions } from "../../src/app/earlierDecisions.ts";
import { makeProject } from "../support/project.ts";

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;

/** A session that began in this second, with a decision in each of these. */
function session(folder: string, began: number, decided: number[], parent?: string): string {
  const hex = Date.parse(at(began)).toString(16).padStart(12, "0");
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
  const record = (second: number) => ({
    event: "Stop",
    mode: "default",
    hooks: [],
    skipped: [],
    decision: "pass",
    decidedBy: `${id} in second ${second}`,
    durationMs: 0,
  });
  const lines = [
    { ts: at(began), type: "header", version: 1, id, cwd: folder, ...(parent && { parent }) },
    ...decided.map((second) => ({ ts: at(second), type: "decision", record: record(second) })),
  ];
  mkdirSync(folder, { recursive: true });
  const text = lines.map((line, index) => `${JSON.stringify({ v: 1, seq: index + 1, ...line })}\n`);
  writeFileSync(join(folder, `${id}.jsonl`), text.join(""));
  return id;
}

describe("what was decided before a session was opened here", () => {
  it("is what its file has from before, and in a copy what the other one had before it was copied", async () => {
    using project = makeProject();
    const sessionsDir = join(project.home, "s");
    const first = session(sessionsDir, 1, [2, 9, 30]);
    const copy = session(sessionsDir, 10, [11, 40], first);
    const orphan = session(sessionsDir, 20, [21], "00000000-0000-7000-8000-000000000000");
    const decided = async (id: string) =>
      (await earlierDecisions(join(sessionsDir, `${id}.jsonl`), { sessionsDir, before: at(35) })).map(
        ({ decidedBy }) => decidedBy,
      );
    expect(await decided(first)).toEqual([2, 9, 30].map((second) => `${first} in second ${second}`));
    expect(await decided(copy)).toEqual([
      `${first} in second 2`,
      `${first} in second 9`,
      `${copy} in second 11`,
    ]);
    expect(await decided(orphan)).toEqual([`${orphan} in second 21`]);
    expect(await earlierDecisions(join(sessionsDir, "none.jsonl"), { sessionsDir, before: at(35) })).toEqual(
      [],
    );
  });
});

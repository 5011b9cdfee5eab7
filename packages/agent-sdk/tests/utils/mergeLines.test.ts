import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineHunks } from "@/utils/lineHunks.ts";
import { mergeLines } from "@/utils/mergeLines.ts";

const seed = Number(process.env["WAVE_SEED"] ?? Date.now() % 2 ** 31);
console.info(`merging lines: WAVE_SEED=${seed}`);

/** Few different lines, so that they repeat and a search can go wrong. */
const lines = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "}\n", "\n"), { maxLength: 25 });
const text = fc
  .tuple(lines, fc.constantFrom("", "end without a line break"))
  .map(([all, end]) => all.join("") + end);

const rows = (letters: string) => Array.from(letters, (letter) => `${letter}\n`).join("");

describe("two changes of one text", () => {
  // A letter is a line.
  it.each([
    ["nobody changed anything", "abc", "abc", "abc", "abc"],
    ["only I did", "abc", "aXc", "abc", "aXc"],
    ["only they did", "abc", "abc", "aYc", "aYc"],
    ["both did the same", "abc", "aXc", "aXc", "aXc"],
    ["I above, they below", "abcde", "Xbcde", "abcdY", "XbcdY"],
    ["I below, they above", "abcde", "abcdX", "Ybcde", "YbcdX"],
    ["I at both ends, they in the middle", "abcde", "XabcdeX", "abYde", "XabYdeX"],
    ["they took lines away that I left alone", "abcdef", "abcdeX", "adef", "adeX"],
    ["I added lines to what they emptied elsewhere", "abc", "abcX", "bc", "bcX"],
    ["the same line differently", "abc", "aXc", "aYc", undefined],
    ["lines beside each other", "abcd", "aXcd", "abYd", undefined],
    ["new lines at the same place", "ab", "aXb", "aYb", undefined],
    ["I changed what they took away", "abc", "aXc", "ac", undefined],
    ["from nothing, both", "", "X", "Y", undefined],
    ["from nothing, the same", "", "X", "X", "X"],
    ["they emptied it, I left it", "abc", "abc", "", ""],
  ])("%s", (_what, base, mine, theirs, merged) => {
    expect(mergeLines(rows(base), rows(mine), rows(theirs))).toBe(
      merged === undefined ? undefined : rows(merged),
    );
  });

  it("keep CRLF, a byte order mark and a last line without a line break as they are", () => {
    const base = "\uFEFFone\r\ntwo\r\nthree\r\nfour";
    expect(mergeLines(base, `${base}!`, base.replace("one", "ONE"))).toBe(
      "\uFEFFONE\r\ntwo\r\nthree\r\nfour!",
    );
  });

  it("give one side what the other left alone, and do not depend on who is who", () => {
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        expect(mergeLines(base, base, theirs)).toBe(theirs);
        expect(mergeLines(base, mine, base)).toBe(mine);
        expect(mergeLines(base, mine, mine)).toBe(mine);
        expect(mergeLines(base, mine, theirs)).toBe(mergeLines(base, theirs, mine));
      }),
      { seed, numRuns: 3_000 },
    );
  });

  it("that are a line apart are both there, and taking one back leaves the other", () => {
    const stretch = fc
      .array(fc.constantFrom("x\n", "y\n", "{\n"), { maxLength: 4 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(stretch, stretch, stretch, stretch, (old1, new1, old2, new2) => {
        const around = (first: string, second: string) => `top\n${first}middle\n${second}bottom\n`;
        const base = around(old1, old2);
        const merged = mergeLines(base, around(new1, old2), around(old1, new2));
        expect(merged).toBe(around(new1, new2));
        // What a rewind does: the base is what Wave wrote, theirs is what was there before it.
        expect(mergeLines(around(old1, new2), around(new1, new2), around(old1, old2))).toBe(
          around(new1, old2),
        );
      }),
      { seed, numRuns: 2_000 },
    );
  });
});

describe("the hunks between two texts", () => {
  const apply = (before: readonly string[], hunks: ReturnType<typeof lineHunks>) => {
    let at = 0;
    const out: string[] = [];
    for (const { from, to, lines: now } of hunks) {
      out.push(...before.slice(at, from), ...now);
      at = to;
    }
    return [...out, ...before.slice(at)];
  };

  it("lead from one to the other, and never touch", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const hunks = lineHunks(before, after);
        expect(apply(before, hunks)).toEqual(after);
        for (const [index, { from }] of hunks.entries()) {
          if (index > 0) expect(from).toBeGreaterThan(hunks[index - 1]?.to ?? 0);
        }
        expect(lineHunks(before, before)).toEqual([]);
      }),
      { seed, numRuns: 3_000 },
    );
  });

  it("of two texts that have nothing in common are one hunk, soon", () => {
    const before = Array.from({ length: 50_000 }, (_, n) => `old ${n}\n`);
    const after = Array.from({ length: 50_000 }, (_, n) => `new ${n}\n`);
    const hunks = lineHunks(["top\n", ...before], ["top\n", ...after]);
    expect(hunks.map(({ from, to }) => [from, to])).toEqual([[1, 50_001]]);
    expect(apply(["top\n", ...before], hunks)).toEqual(["top\n", ...after]);
  });
});

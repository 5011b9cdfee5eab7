import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GrowingText } from "../../src/view/growingText.ts";
import { renderMarkdown } from "../../src/view/markdown.ts";
import { textOf } from "../../src/view/span.ts";

const words = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `word${from + index}`).join(" ");

const rows = (text: string, width: number) => renderMarkdown(text, { width }).map(textOf);

/** What is printed of an answer that comes in pieces, and which rows of it while it still streams. */
function stream(pieces: readonly string[], widths: readonly number[]): { early: string[]; all: string[] } {
  const growing = new GrowingText();
  let whole = "";
  const early: string[] = [];
  const print = (text: string, gap: boolean | undefined, width: number) =>
    early.push(...(gap ? [""] : []), ...rows(text, width));
  for (const [index, piece] of pieces.entries()) {
    whole += piece;
    const width = widths[index % widths.length] ?? 80;
    for (const { text, gap } of growing.grow(whole, width)) print(text, gap, width);
  }
  const before = [...early];
  const { text, gap } = growing.rest(whole);
  if (text.trim() !== "") print(text, gap, widths.at(-1) ?? 80);
  return { early: before, all: early };
}

const inPieces = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );

const ANSWERS: [what: string, text: string, earlyRows: number][] = [
  ["a long paragraph", words(60), 6],
  ["paragraphs", `${words(12)}\n\n${words(12, 12)}\n\n${words(12, 24)}`, 6],
  ["a list", `Before:\n\n- ${words(3)}\n- ${words(3, 3)}\n- ${words(3, 6)}\n\nAfter.`, 5],
  ["a list with blank rows", `1. ${words(3)}\n\n2. ${words(3, 3)}\n\n3. ${words(3, 6)}`, 3],
  ["code", `See:\n\n\`\`\`ts\nconst a = 1;\n\n  const b = 2;\nconst c = 3;\n\`\`\`\n\nDone.`, 6],
  ["words in bold and code", `Use **the \`one\` way** and ${words(20)} \`then\` ${words(9, 20)}`, 1],
  ["a table", "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n\nDone.", 2],
  ["a heading", "# Title\n\nText.\n\n## Next\n\nMore.", 5],
];

describe("an answer that streams in (T72)", () => {
  it.each(ANSWERS)(
    "%s gives the rows of the whole answer, most of them while it streams",
    (_, text, least) => {
      for (const size of [1, 3, 7]) {
        const { early, all } = stream(inPieces(text, size), [60]);
        expect(all).toEqual(rows(text, 60));
        expect(early.length).toBeGreaterThanOrEqual(least);
      }
    },
  );

  it("has every word once, in order, whatever its marks and however the width changes", () => {
    const mark = fc.constantFrom(
      "",
      "**",
      "`",
      "_",
      "[",
      "|",
      "\n",
      "\n\n",
      "\n- ",
      "\n1. ",
      "\n```\n",
      "\n> ",
      "# ",
    );
    fc.assert(
      fc.property(
        fc.array(mark, { minLength: 5, maxLength: 60 }),
        fc.array(fc.integer({ min: 16, max: 120 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 12 }),
        (marks, widths, size) => {
          const text = marks.map((one, index) => `${one}w${index}x `).join("");
          const { all } = stream(inPieces(text, size), widths);
          const found =
            all
              .map((row) => row.replaceAll(/[│ ]/g, ""))
              .join("")
              .match(/w\d+x/g) ?? [];
          expect(found).toEqual(
            marks.map((_, index) => `w${index}x`).filter((word) => rows(text, 400).join(" ").includes(word)),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it("begins anew when the answer does", () => {
    const growing = new GrowingText();
    expect(growing.grow(words(30), 40).length).toBeGreaterThan(0);
    expect(growing.grow("other", 40)).toEqual([]);
    expect(growing.rest("other").text).toBe("other");
  });
});

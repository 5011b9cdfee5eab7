import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appendOutput, NO_OUTPUT, shownTail } from "../../src/view/liveOutput.ts";

const after = (...pieces: string[]) => pieces.reduce(appendOutput, NO_OUTPUT);

describe("the output of a running command", () => {
  const rows: [string, string[], number, string[], number][] = [
    ["nothing at first", [], 5, [], 0],
    ["whole lines", ["a\nb\n"], 5, ["a", "b"], 0],
    ["a line that grows", ["a\nb", "c"], 5, ["a", "bc"], 0],
    ["its last lines and how many came before", ["1\n2\n3\n4\n"], 2, ["3", "4"], 2],
    ["a progress bar in its last state", ["10%\r", "20%\r", "30%"], 5, ["30%"], 0],
    ["line breaks of Windows that come in two pieces", ["a\r", "\nb"], 5, ["a", "b"], 0],
  ];
  it.each(rows)("is %s", (_what, pieces, max, lines, before) => {
    expect(shownTail(after(...pieces), max)).toEqual({ lines, before });
  });

  it("counts and keeps the same lines, however it is cut into pieces", () => {
    const text = Array.from({ length: 1_110 }, (_, index) => `line ${index}`).join("\n");
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 20 }), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
        expect(after(...pieces)).toEqual(after(text));
      }),
    );
    expect(after(text).before).toBe(110);
  });

  it("costs little memory, also without line breaks", () => {
    const tail = after(...Array.from({ length: 100 }, () => "x".repeat(10_000)));
    expect(tail.lines.join("").length).toBeLessThan(3_000);
  });
});

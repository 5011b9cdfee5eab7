import { describe, expect, it } from "vitest";
import { readLine } from "wave-shell-reader";
import { READING } from "./everydayCommands.ts";
import { HIDDEN_PROGRAMS, UNSEEN_CODE } from "./hiddenPrograms.ts";
import { HIDDEN_WRITES } from "./hiddenWrites.ts";
import { ATTACKS } from "./shellAttacks.ts";

const read = (line: string) => readLine(line, { folder: "/home/ada/shop", variables: { HOME: "/home/ada" } });
const certaintyOf = (line: string) => read(line).certainty.is;

describe("of lines that only look as if they read", () => {
  const lists = { ...ATTACKS, ...HIDDEN_PROGRAMS, "code that nobody sees": UNSEEN_CODE };
  it.each(Object.entries(lists))("none is proven or bounded: %s (G33)", (_kind, lines) => {
    expect(lines.filter((line) => certaintyOf(line) !== "unknown")).toEqual([]);
  });

  it.each(Object.entries(HIDDEN_WRITES))(
    "none is proven, and what is bounded may write anywhere to whoever guards a file: %s (G27, G33)",
    (_kind, lines) => {
      const unguarded = lines.map(read).filter(({ certainty, accesses }) => {
        if (certainty.is === "unknown") return false;
        return certainty.is === "proven" || !accesses.some(({ unread }) => unread !== undefined);
      });
      expect(unguarded.map(({ line }) => line.slice(0, 200))).toEqual([]);
    },
  );
});

describe("of everyday lines that read", () => {
  it("nearly all are proven, so that they run where there is no sandbox (G33)", () => {
    const others = READING.filter((line) => certaintyOf(line) !== "proven");
    expect(others).toEqual(["git ls-files | xargs wc -l", "tail -f README.md"]);
  });
});

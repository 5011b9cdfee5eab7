import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stepsBack, takeBack, type FileChange, type FileVersion } from "@/messages/fileChanges.ts";
import { sha256 } from "@/utils/sha256.ts";

/** A letter is a line; null is no file. */
type Content = string | null;

const rows = (letters: string) => Array.from(letters, (letter) => `${letter}\n`).join("");
const version = (content: Content): FileVersion | null =>
  content === null ? null : { hash: sha256(rows(content)) };

/** "abc>aXc" is one change of Wave's, "abc>" one that removed the file, ">abc" one that made it. */
function changesOf(...changes: string[]): FileChange[] {
  return changes.map((change) => {
    const [before = "", after = ""] = change.split(">");
    return { path: "/f", before: version(before || null), after: version(after || null) };
  });
}

function back(changes: string[], disk: Content, lost: Content[] = []): string {
  const contents = [...changes.flatMap((change) => change.split(">")), disk ?? ""].filter(
    (one) => !lost.includes(one),
  );
  const texts = new Map(contents.map((one) => [sha256(rows(one)), rows(one)]));
  const now = disk === null ? null : { hash: sha256(rows(disk)), text: rows(disk) };
  const steps = stepsBack(changesOf(...changes), now?.hash ?? null);
  const taken = takeBack(now, steps, (hash) => texts.get(hash));
  if (taken.do === "nothing") return `kept: ${taken.why}`;
  const text = taken.do === "merge" ? taken.text : texts.get(taken.version?.hash ?? "");
  return `${taken.do}: ${text === undefined ? "no file" : text.replaceAll("\n", "")}`;
}

describe("taking back what Wave did to a file", () => {
  it.each<[what: string, changes: string[], disk: Content, expected: string]>([
    ["puts back what was there", ["abc>aXc"], "aXc", "put-back: abc"],
    ["goes back over several changes", ["abc>aXc", "aXc>aXY"], "aXY", "put-back: abc"],
    ["removes a file that Wave made", [">abc", "abc>aXc"], "aXc", "put-back: no file"],
    ["keeps what somebody added above", ["abcd>abcX"], "PabcX", "merge: Pabcd"],
    ["keeps what somebody added below", ["abcd>Xbcd"], "XbcdP", "merge: abcdP"],
    ["keeps what somebody changed between two changes", ["abcd>Xbcd", "XbcP>XYcP"], "XYcP", "merge: abcP"],
    ["leaves a file that both changed", ["abc>aXc"], "aPc", "kept: it was changed since, in the same lines"],
    [
      "leaves a file that Wave made and somebody changed",
      [">abc"],
      "abcP",
      "kept: Wave made it, and it was changed since",
    ],
    ["leaves a file that was deleted", ["abc>aXc"], null, "kept: it was deleted since"],
    ["has nothing to do where Wave's file is gone", [">abc"], null, "kept: it is already gone"],
    ["has nothing to do after a crash before the write", ["abc>aXc"], "abc", "kept: it is already as it was"],
    ["goes back over what was written before a crash", ["abc>aXc", "aXc>aXY"], "aXc", "put-back: abc"],
    ["goes back from where a person took it", ["abc>aXc", "aXc>aXY", "aXY>ZXY"], "aXc", "put-back: abc"],
    ["takes no notice of a write that failed", ["abc>aXc", "abc>aYc"], "aYc", "put-back: abc"],
    [
      "is not confused by what a rewind did in between",
      ["abc>aXc", "aXc>abc", "abc>abY"],
      "abY",
      "put-back: abc",
    ],
    [
      "merges once over what a rewind took back, not step by step",
      ["abcd>abXd", "abXd>abcd", "abcd>Ybcd"],
      "YbcdP",
      "merge: abcdP",
    ],
    ["puts back a file that a command deleted in between", ["abc>aXc", ">new"], "new", "put-back: abc"],
    ["puts back a file that a rewind removed", ["abc>"], null, "put-back: abc"],
    ["leaves another file in its place", ["abc>"], "new", "kept: another file is there now"],
  ])("%s", (_what, changes, disk, expected) => {
    expect(back(changes, disk)).toBe(expected);
  });

  it.each<[what: string, disk: string, lost: Content, expected: string]>([
    ["what was there", "Xbcd", "abcd", "kept: Wave's copy of it is gone"],
    ["what was there, of a file that was changed", "XbcdP", "abcd", "kept: Wave's copy of it is gone"],
    ["what Wave wrote", "XbcdP", "Xbcd", "kept: it was changed since, and Wave's copy of it is gone"],
    ["what Wave wrote, which nobody changed", "Xbcd", "other", "put-back: abcd"],
  ])("says so when the copy is gone of %s", (_what, disk, lost, expected) => {
    expect(back(["abcd>Xbcd"], disk, [lost])).toBe(expected);
  });

  it("says why there never was a copy", () => {
    const [change] = changesOf("abc>aXc");
    const large = { ...change?.before, hash: "h", notKept: "it has 7 MB, and more than 5 MB are not kept" };
    const steps = stepsBack([{ path: "/f", before: large, after: version("aXc") }], sha256(rows("aXc")));
    expect(takeBack({ hash: sha256(rows("aXc")), text: rows("aXc") }, steps, () => undefined)).toEqual({
      do: "nothing",
      why: "Wave kept no copy of it: it has 7 MB, and more than 5 MB are not kept",
    });
  });

  it("leads from what Wave left to what was there first, whatever happened in between", () => {
    const seed = Number(process.env["WAVE_SEED"] ?? Date.now() % 2 ** 31);
    console.info(`taking back: WAVE_SEED=${seed}`);
    const content = fc.option(fc.constantFrom("abc", "aXc", "ab", "abcd", "Q"), { nil: null, freq: 4 });
    fc.assert(
      fc.property(fc.array(content, { minLength: 2, maxLength: 8 }), (contents) => {
        const changes = contents.slice(1).map((after, index) => `${contents[index] ?? ""}>${after ?? ""}`);
        const [first = null, last = null] = [contents[0], contents.at(-1)];
        const same =
          first === last ? `kept: it is already ${first === null ? "gone" : "as it was"}` : undefined;
        expect(back(changes, last)).toBe(same ?? `put-back: ${first ?? "no file"}`);
      }),
      { seed, numRuns: 2_000 },
    );
  });
});

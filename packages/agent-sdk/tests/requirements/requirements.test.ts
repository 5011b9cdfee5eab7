import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { REQUIREMENTS } from "./requirements.ts";

const packages = fileURLToPath(new URL("../../..", import.meta.url));
const citation = /\b(?:FR-\d{3}|SC-\d{3}|JO-\d|MB-\d|PD-\d|TS-\d)\b/g;
// The first string of a test or describe call, also when a table stands between the name and the title.
const title = /\b(?:it|test|describe)(?:\.\w+)*(?:\([^()]*\))?\(\s*(["'`])((?:\\.|(?!\1)[\s\S])*)\1/g;

function testFiles(): string[] {
  return readdirSync(packages, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.test\.tsx?$/.test(name) && !name.includes("node_modules"))
    .map((name) => join(packages, name));
}

const cited = new Map<string, string[]>();
for (const file of testFiles()) {
  for (const [, , text] of readFileSync(file, "utf8").matchAll(title)) {
    for (const [id] of (text ?? "").matchAll(citation)) cited.set(id, [...(cited.get(id) ?? []), file]);
  }
}

describe("the list of requirements", () => {
  it.each(Object.keys(REQUIREMENTS))("%s is cited by the title of a test", (id) => {
    expect(cited.get(id) ?? []).not.toEqual([]);
  });

  it("has every id that a title cites", () => {
    expect([...cited.keys()].filter((id) => !Object.hasOwn(REQUIREMENTS, id))).toEqual([]);
  });

  it("is whole: no id of a range is missing", () => {
    const ranges: [string, number, number][] = [
      ["FR-", 21, 3],
      ["SC-", 6, 3],
      ["JO-", 9, 1],
      ["MB-", 3, 1],
      ["PD-", 4, 1],
      ["TS-", 1, 1],
    ];
    const expected = ranges.flatMap(([prefix, last, digits]) =>
      Array.from({ length: last }, (_, index) => prefix + String(index + 1).padStart(digits, "0")),
    );
    expect(Object.keys(REQUIREMENTS)).toEqual(expected);
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { INCIDENTS } from "./incidents.ts";

const FOLDERS = [".", "../../../code/tests/incidents"].map((path) =>
  fileURLToPath(new URL(`${path}/`, import.meta.url)),
);

/** The ids at the beginning of the titles: everything before the first colon that a blank follows. */
const proven = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".test.ts") && name !== "incidents.test.ts")
    .flatMap((name) => [
      ...readFileSync(folder + name, "utf8").matchAll(/\bit(?:\.\w+\([^"]*?\))?\(\s*"([^":]+): /g),
    ])
    .flatMap(([, ids = ""]) => ids.split(", ")),
);

it("every incident that applies is the beginning of exactly one test's title, and no test has an unknown one", () => {
  const applies = INCIDENTS.filter(({ waitsFor }) => waitsFor === undefined).map(({ id }) => id);
  expect(proven.toSorted()).toEqual(applies.toSorted());
});

it("every incident is listed once, with its mechanism", () => {
  const ids = INCIDENTS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(INCIDENTS.filter(({ what }) => what.length < 8)).toEqual([]);
});

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { MUTANTS } from "../../../../scripts/mutants/list.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

it("every mistake in the list of mutants can still be made: change scripts/mutants/lists with the code", () => {
  const sources = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: root });
  const tests = globSync("packages/*/tests/**/*.test.{ts,tsx}", { cwd: root });
  const stale = MUTANTS.flatMap((mutant) => {
    const files = sources.filter((path) => path.endsWith(`/${mutant.in}`));
    const places = files.map((path) => readFileSync(join(root, path), "utf8").split(mutant.from).length - 1);
    const noTests = mutant.tests.filter((part) => !tests.some((path) => path.includes(part)));
    return places.length === 1 && places[0] === 1 && noTests.length === 0
      ? []
      : [
          `${mutant.in} (${files.length} files, ${places.join()} places): ${mutant.from} ${noTests.map((part) => `no test ${part}`).join()}`,
        ];
  });
  expect(stale).toEqual([]);
  expect(MUTANTS.length).toBeGreaterThanOrEqual(100);
});

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const DECISIONS = fileURLToPath(new URL("../../../../docs/decisions/", import.meta.url));

it("every decision has a number of its own, and its heading says the same", () => {
  const names = readdirSync(DECISIONS).sort();
  const numbers = names.map((name) => name.slice(0, 4));
  expect([...new Set(numbers)]).toEqual(numbers);
  const headings = names.map((name) => readFileSync(DECISIONS + name, "utf8").slice(0, 7));
  expect(headings).toEqual(numbers.map((number) => `# ${number}.`));
});

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const index = readFileSync(new URL("../../src/index.ts", import.meta.url), "utf8");

/** Every name that the package gives to programs: values first, then types. */
function publicNames(): string[] {
  const names = [...index.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, type = "", list = ""]) =>
    list
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "")
      .map((name) => (name.startsWith("type ") ? name : `${type}${name}`))
      .map((name) => name.replace(/^(type )?.* as /, "$1")),
  );
  const isType = (name: string) => name.startsWith("type ");
  return [...names.filter((name) => !isType(name)).sort(), ...names.filter(isType).sort()];
}

it("what the package exports is what is checked in: widening it is a decision", async () => {
  expect(index).not.toMatch(/export \*|export default/);
  await expect(`${publicNames().join("\n")}\n`).toMatchFileSnapshot("publicList.txt");
});

import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { describe, expect, it } from "vitest";

const dist = new URL("../../dist/", import.meta.url);
const files = readdirSync(dist);

/** What a file of the bundle cannot run without, as it stands there. */
const importsOf = (file: string) =>
  Array.from(readFileSync(new URL(file, dist), "utf8").matchAll(/\b(?:from|import)"([^"]+)"/g), ([, name]) =>
    String(name),
  );

/** The files that a start by this one reads, by the name before the hash. */
function readWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const name of importsOf(file)) if (name.startsWith("./")) readWith(name.slice(2), seen);
  return seen;
}

const namesReadWith = (name: string) =>
  files
    .filter((file) => file.replace(/-[\w-]{8}\.js$/, "") === name)
    .flatMap((file) => [...readWith(file)])
    .map((file) => file.replace(/-[\w-]{8}\.js$/, ""));

describe("the bundle", () => {
  it("imports nothing of Node, which would load all that hangs on it: it is taken as it is needed", () => {
    const imported = files.flatMap(importsOf);
    expect(imported.filter((name) => isBuiltin(name))).toEqual([]);
    expect(imported.length).toBeGreaterThan(20);
  });

  it("shows its first frame without the agent, and prints without the screen", () => {
    for (const early of ["start", "environmentModel", "screen"]) {
      expect(namesReadWith(early)).toContain(early);
      expect(namesReadWith(early)).not.toContain("agent");
    }
    expect(namesReadWith("print")).toContain("agent");
    expect(namesReadWith("print")).not.toContain("screen");
  });
});

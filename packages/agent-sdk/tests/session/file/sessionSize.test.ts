import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../support/tempFolder.ts";

const PROGRAM = fileURLToPath(new URL("../../fixtures/sessions/loadBig.ts", import.meta.url));
const SIZES: [number, string][] = process.env["WAVE_SOAK"]
  ? [
      [100, "short"],
      [1_000, "long"],
    ]
  : [[20, "short"]];

describe("a long session", () => {
  // The bounds only tell "in proportion to its size" from "with the square of it" and "all at once": on a busy machine
  // loading takes several times what it takes on a free one (about 2 s for 100 MB).
  it.each(SIZES)("of %i MB of %s lines loads in bounded time and memory (G58)", (megabytes, lines) => {
    using folder = tempFolder();
    const run = spawnSync(process.execPath, ["--expose-gc", PROGRAM, folder.path, String(megabytes), lines], {
      encoding: "utf8",
    });
    expect(run.stderr).toBe("");
    const seen = JSON.parse(run.stdout);
    console.info(`${megabytes} MB of ${lines} lines: ${run.stdout.trim()}`);
    expect(seen).toMatchObject({ complete: true, problems: [] });
    expect(seen.loadMs).toBeLessThan(megabytes * 300);
    expect(seen.extraMegabytes).toBeLessThan(256 + seen.keptMegabytes * 4);
  });
});

import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import v8 from "node:v8";

/**
 * Loaded into a Wave by a test (`--expose-gc --import`): at SIGUSR2 it has V8 tidy up all it can, and writes down what is left. What a
 * process takes otherwise depends on when V8 last did so, and that on what else the machine does.
 */
export const KEPT_FILE = "kept.json";

/** In megabytes. */
export interface Kept {
  /** What objects and buffers take, after tidying up. */
  used: number;
  /** What the process takes, after tidying up. */
  resident: number;
  /** The space for new objects, before tidying up: V8 lets it grow, and Wave does not. */
  newObjects: number;
}

const MEGABYTE = 2 ** 20;

process.on("SIGUSR2", () => {
  const space = v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
  globalThis.gc?.({ type: "major", flavor: "last-resort", execution: "sync" });
  const { heapUsed, external, rss } = process.memoryUsage();
  const kept: Kept = {
    used: (heapUsed + external) / MEGABYTE,
    resident: rss / MEGABYTE,
    newObjects: (space?.space_size ?? Infinity) / MEGABYTE,
  };
  const file = join(process.env["WAVE_HOME"] ?? "", KEPT_FILE);
  writeFileSync(`${file}.new`, JSON.stringify(kept));
  renameSync(`${file}.new`, file);
});

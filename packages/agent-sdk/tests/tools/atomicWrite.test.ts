import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { removeLeftovers } from "../../src/workspace/leftovers.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { toolBench } from "../support/toolBench.ts";

const program = (name: string) => fileURLToPath(new URL(`../fixtures/tools/${name}`, import.meta.url));

describe("a write that fails half way", () => {
  it("leaves the old file, and nothing else, and says why", async () => {
    await using bench = toolBench();
    const path = bench.put("a.txt", "old");
    // The limit is in blocks of 1,024 bytes; the write fails after the first of them.
    const run = spawnSync(
      "bash",
      ["-c", 'ulimit -f 1; exec "$0" "$@"', process.execPath, program("writeUnderLimit.ts"), path, "100000"],
      { encoding: "utf8" },
    );
    expect(JSON.parse(run.stdout)).toMatchObject({
      success: false,
      result: `Cannot write ${path}: the file would be larger than the system allows.`,
    });
    expect(bench.content("a.txt")).toBe("old");
    expect(readdirSync(bench.dir)).toEqual(["a.txt"]);
  });
});

describe("a Wave that is killed while it writes", () => {
  it("leaves the old content or the new one, never half of it, and nothing else after the next start, ten times", async () => {
    await using bench = toolBench();
    using home = tempFolder("home");
    const size = 300_000;
    const path = bench.put("a.txt", "a".repeat(size));
    for (let round = 0; round < 10; round++) {
      const writer = spawn(process.execPath, [program("writeForEver.ts"), path, String(size), home.path]);
      await once(writer.stdout, "data");
      await sleep(Math.random() * 30);
      writer.kill("SIGKILL");
      await once(writer, "exit");
      const content = readFileSync(path, "utf8");
      expect(content).toBe(content.charAt(0).repeat(size));
      removeLeftovers(home.path);
      expect([readdirSync(bench.dir), readdirSync(join(home.path, "running"))]).toEqual([["a.txt"], []]);
    }
  });
});

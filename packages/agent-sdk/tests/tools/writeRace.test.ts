import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { toolBench } from "../support/toolBench.ts";

const FLIPS = process.env["WAVE_SOAK"] === "1" ? 200_000 : 20_000;
const flipper = fileURLToPath(new URL("../fixtures/tools/flipLink.ts", import.meta.url));

it("a write goes nowhere else when a folder becomes a link between judging and writing (G30)", async () => {
  await using bench = toolBench();
  const outside = mkdtempSync(join(realpathSync(tmpdir()), "wave-outside-"));
  try {
    mkdirSync(bench.path("real"));
    symlinkSync(outside, bench.path("folder"));
    bench.judgedFiles = [bench.path("folder/a.txt")];
    const { success, result } = await bench.call("Write", {
      file_path: bench.path("folder/a.txt"),
      content: "x",
    });
    expect([success, result]).toEqual([
      false,
      expect.stringMatching(/leads to .* now, which it did not when the call was judged/),
    ]);
    expect(readdirSync(outside)).toEqual([]);
  } finally {
    rmSync(outside, { recursive: true, force: true });
  }
});

it(`no write lands outside in ${FLIPS} flips of a link (G30)`, { timeout: 1_800_000 }, async () => {
  await using bench = toolBench();
  const outside = mkdtempSync(join(realpathSync(tmpdir()), "wave-outside-"));
  mkdirSync(bench.path("folder"));
  const args = [flipper, bench.path("folder"), bench.path("aside"), outside, String(FLIPS)];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  try {
    let running = true;
    const closed = new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => {
        running = false;
        resolve(code);
      });
    });
    let [tried, written] = [0, 0];
    while (running) {
      const file_path = bench.path(`folder/${tried++}.txt`);
      bench.judgedFiles = [file_path];
      if ((await bench.call("Write", { file_path, content: "x" })).success) written++;
    }
    expect(await closed).toBe(0);
    expect(readdirSync(outside)).toEqual([]);
    expect(tried).toBeGreaterThan(100);
    process.stderr.write(`write race: ${written} of ${tried} writes came through\n`);
  } finally {
    child.kill();
    rmSync(outside, { recursive: true, force: true });
  }
});

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { listFiles } from "../src/app/listFiles.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "wave-files-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function withFiles(count: number, below = ""): string {
  const made = folder();
  const place = join(made, below);
  mkdirSync(place, { recursive: true });
  for (let number = 0; number < count; number++) writeFileSync(join(place, `file${number}`), "");
  return made;
}

const LONG = "n".repeat(250);

describe("the files behind @", () => {
  it("are all of them, whatever their names add up to", async () => {
    // Over four million characters: as much as the names of 80,000 everyday files.
    const below = Array.from({ length: 14 }, () => LONG).join("/");
    const found = await listFiles(withFiles(1_250, below));
    expect(found.lacks).toBeUndefined();
    expect(new Set(found.names).size).toBe(1_250);
    expect(found.names.join("").length).toBeGreaterThan(4 * 1024 * 1024);
    expect(found.names.every((name) => name.startsWith(`${below}/file`))).toBe(true);
  });

  it.each([
    ["names", { names: 50, length: 1_000_000 }, 50],
    ["characters", { names: 1_000_000, length: 50 * "file10".length }, 50],
  ])("are bounded in %s, and the list says so", async (_what, bounds, most) => {
    const { names, lacks } = await listFiles(withFiles(120), { bounds });
    expect(names.length).toBeLessThanOrEqual(most + 5);
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names).size).toBe(names.length);
    expect(lacks).toBe(`only the first ${names.length} files are searched`);
  });

  it("that fill a bound exactly are all of them", async () => {
    const { names, lacks } = await listFiles(withFiles(50), { bounds: { names: 50, length: 1_000_000 } });
    expect([names.length, lacks]).toEqual([50, undefined]);
  });

  it("are those that can be read, and the list says what could not", async () => {
    const made = withFiles(2);
    // Deeper than a path may be long, which no one can read, root neither.
    const dig = `for n in {1..20}; do mkdir ${LONG} && cd ${LONG} || exit; done`;
    execFileSync("bash", ["-c", dig], { cwd: made });
    const { names, lacks } = await listFiles(made);
    expect(names.toSorted()).toEqual(["file0", "file1"]);
    expect(lacks).toMatch(/^some are missing: .*too long/);
  });

  it("are none in an empty folder, also one with a name of two lines that holds something", async () => {
    expect(await listFiles(folder())).toEqual({ names: [] });
    expect(await listFiles(withFiles(1, "two\nlines"))).toEqual({ names: ["two\nlines/file0"] });
  });

  it("are not looked for any longer than they are wanted, nor in a folder that is gone", async () => {
    await expect(listFiles(withFiles(1), { signal: AbortSignal.abort() })).rejects.toThrow("aborted");
    await expect(listFiles(join(folder(), "gone"))).rejects.toThrow("ENOENT");
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setImmediate, setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { isLink } from "@/workspace/files/fileFacts.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { toolBench, type ToolBench } from "../support/toolBench.ts";

const SOAK = process.env["WAVE_SOAK"] === "1";
const flipper = fileURLToPath(new URL("../fixtures/tools/flipLink.ts", import.meta.url));

const namesBelow = (folder: string) => new Set(readdirSync(folder, { recursive: true, encoding: "utf8" }));

type Call = [tool: string, input: Record<string, unknown>, judged: string];

const CALLS: Record<string, (bench: ToolBench, tried: number) => Call> = {
  Grep: (bench, tried) => {
    const output_mode = ["content", "count", "files_with_matches"][tried % 3];
    return ["Grep", { pattern: "SECRET", path: bench.path("src"), output_mode }, "src"];
  },
  Glob: (bench) => ["Glob", { pattern: "**/*", path: bench.path("src") }, "src"],
  LS: (bench) => ["LS", { path: bench.path("src/deep") }, "src/deep"],
  Read: (bench) => ["Read", { file_path: bench.path("src/deep/a.txt") }, "src/deep/a.txt"],
  Write: (bench, tried) => {
    const name = `src/deep/new-${tried}/inner/a.txt`;
    return ["Write", { file_path: bench.path(name), content: "x\n" }, name];
  },
};

/** Which of them, while what is flipped, and how often. */
const rows: [tool: string, place: string, calls: number][] = [
  ["Grep", "src", 10],
  ["Grep", "src/deep/a.txt", 10],
  ["Glob", "src", 15],
  ["LS", "src/deep", 100],
  ["Read", "src", 200],
  ["Write", "src", 40],
];

it.each(rows)(
  "%s reads and writes nothing elsewhere while a link takes the place of %s again and again, in %d calls (G29, G30, G32)",
  { timeout: 1_800_000 },
  async (tool, place, calls) => {
    await using bench = toolBench();
    using elsewhere = tempFolder();
    const outside = join(elsewhere.path, "outside");
    const put = (path: string, text: string) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    };
    for (const name of ["a.txt", "b.txt"]) put(bench.path(`src/deep/${name}`), "plain\n");
    for (const name of ["a.txt", "SECRET.txt", "deep/a.txt", "deep/SECRET.txt"])
      put(join(outside, name), "SECRET\n");
    const before = namesBelow(outside);
    const target = place.endsWith(".txt") ? join(outside, "a.txt") : outside;
    const args = [flipper, bench.path(place), bench.path("aside"), target, "100000000"];
    const child = spawn(process.execPath, args, { stdio: "inherit" });
    const told: string[] = [];
    try {
      while (!isLink(bench.path(place))) await setImmediate();
      for (let tried = 0; tried < (SOAK ? 100 : 1) * calls; tried++) {
        const [name, input, judged] = CALLS[tool]?.(bench, tried) ?? ["", {}, ""];
        bench.judgedFiles = [bench.path(judged)];
        const { result } = await bench.call(name, input);
        // The pattern itself is repeated.
        if (/SECRET/.test(result.replace(/^No matches for SECRET/, ""))) told.push(result);
      }
      expect(child.exitCode).toBe(null);
    } finally {
      child.kill("SIGKILL");
      await once(child, "close");
    }
    expect(told).toEqual([]);
    expect(namesBelow(outside)).toEqual(before);
    expect(readFileSync(join(outside, "deep/a.txt"), "utf8")).toBe("SECRET\n");
  },
);

describe("a search that takes its time", () => {
  /** Nothing matches the first half, and some tenths of a second are needed to find that out. */
  const pattern = "(?:.*)(?:.*)(?:.*)[X-Z](?=Q)|SECRET";
  const slow = `${"a".repeat(99)}\n`.repeat(8_000);

  it.each(["src", "src/z"])(
    "shows nothing of a place that was a link meanwhile: %s (G30, G32)",
    async (place) => {
      await using bench = toolBench();
      using elsewhere = tempFolder();
      const put = (path: string, text: string) => {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      };
      put(bench.path("src/a.txt"), slow);
      put(bench.path("src/z/b.txt"), "plain\n");
      for (const name of ["a.txt", "b.txt"]) put(join(elsewhere.path, name), "SECRET\n");
      put(join(elsewhere.path, "c.txt"), slow);
      bench.judgedFiles = [bench.path("src")];
      const flip = () => {
        renameSync(bench.path(place), bench.path("aside"));
        symlinkSync(elsewhere.path, bench.path(place));
      };
      const search = () => bench.call("Grep", { pattern, path: bench.path("src"), output_mode: "content" });
      // Of the folder itself it is enough to lead elsewhere at first; one below it is opened long after it was seen.
      if (place === "src") flip();
      const called = search();
      while (place !== "src" && bench.processes().length === 0) await setTimeout(1);
      if (place !== "src") flip();
      await Promise.race([called, setTimeout(place === "src" ? 150 : 10_000)]);
      unlinkSync(bench.path(place));
      renameSync(bench.path("aside"), bench.path(place));
      expect((await called).result).not.toMatch(/SECRET$/m);
    },
  );
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ripgrep } from "@/tools/ripgrep.ts";
import { memoryFolder } from "../support/tempFolder.ts";

it("a search tells how many files were gone or closed to it, and not their names (G30, G32)", async () => {
  using folder = memoryFolder();
  writeFileSync(join(folder.path, "a.txt"), "word\n");
  const found: string[] = [];
  const end = await ripgrep({
    cwd: folder.path,
    env: process.env as Record<string, string>,
    signal: new AbortController().signal,
    args: ["--files-with-matches", "word", "--", "a.txt", "SECRET.txt", "SECRET-2.txt"],
    separator: "\n",
    onEntry: (entry) => found.push(entry) > 0,
  });
  expect(found).toEqual(["a.txt"]);
  expect(end).toEqual({ end: "incomplete", why: "2 files could not be read: No such file or directory" });
});

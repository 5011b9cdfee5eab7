import { expect, it } from "vitest";
import { structuredPatch } from "@/tools/structuredPatch.ts";
import { toolBench } from "../support/toolBench.ts";

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `${from + at}`);

it("a change is told in hunks with three lines around it, counted from 1 in both files", () => {
  const before = numbers(1, 30).join("\n");
  const after = [...numbers(1, 4), "five", "5b", ...numbers(6, 24), ...numbers(26, 30)].join("\n");
  expect(structuredPatch(before, after)).toEqual([
    {
      oldStart: 2,
      oldLines: 7,
      newStart: 2,
      newLines: 8,
      lines: [" 2", " 3", " 4", "-5", "+five", "+5b", " 6", " 7", " 8"],
    },
    {
      oldStart: 22,
      oldLines: 7,
      newStart: 23,
      newLines: 6,
      lines: [" 22", " 23", " 24", "-25", " 26", " 27", " 28"],
    },
  ]);
  expect(structuredPatch(before, before)).toEqual([]);
  const near = structuredPatch("a\nb\nc\nd", "A\nb\nc\nD");
  expect(near.map(({ lines }) => lines)).toEqual([["-a", "+A", " b", " c", "-d", "+D"]]);
});

it("hooks read of Write and Edit what scripts of Claude Code read (SPEC 6)", async () => {
  await using bench = toolBench();
  const filePath = bench.path("a.txt");
  const created = await bench.call("Write", { file_path: filePath, content: "one\ntwo\n" });
  expect(created.response).toMatchObject({
    type: "create",
    filePath,
    content: "one\ntwo\n",
    originalFile: null,
    structuredPatch: [],
    userModified: false,
  });
  const edited = await bench.call("Edit", { file_path: filePath, old_string: "two", new_string: "2" });
  expect(edited.response).toMatchObject({
    filePath,
    oldString: "two",
    newString: "2",
    originalFile: "one\ntwo\n",
    replaceAll: false,
    userModified: false,
    structuredPatch: [{ oldStart: 1, lines: [" one", "-two", "+2", " "] }],
  });
  const updated = await bench.call("Write", { file_path: filePath, content: "1\n" });
  expect(updated.response).toMatchObject({ type: "update", originalFile: "one\n2\n" });
});

import { describe, expect, it } from "vitest";
import { foldProblems, sortProblems } from "@/workspace/settings/problemOrder.ts";
import type { SettingsProblem } from "@/workspace/settings/problem.ts";

const problem = (
  severity: SettingsProblem["severity"],
  file: string | undefined,
  line: number | undefined,
  message: string,
): SettingsProblem => ({ severity, file, line, path: undefined, message });

describe("problems of settings at the start", () => {
  it("come with the worst first, then file by file and line by line (T49)", () => {
    const [a, b, c, d, e] = [
      problem("warning", "/b", 9, "later"),
      problem("warning", "/b", 2, "sooner"),
      problem("error", "/a", 5, "worse"),
      problem("warning", "/a", 1, "other file"),
      problem("fatal", "/a", 7, "worst"),
    ];
    expect(sortProblems([a, b, c, d, e])).toEqual([e, c, b, a, d]);
  });

  it("of one kind are folded after three, and how many more there are is said (T49)", () => {
    const unknown = (line: number, file = "/f") =>
      problem("warning", file, line, `"key${line}" is not used, in ${line}`);
    const many = [1, 2, 3, 4, 5].map((line) => unknown(line));
    const few = [1, 2, 3].map((line) => unknown(line, "/g"));
    const texts = foldProblems([...many, ...few, problem("error", "/f", 8, "the one that matters")]);
    expect(texts.map(({ text }) => text)).toEqual([
      "/f:8: the one that matters",
      '/f:1: "key1" is not used, in 1',
      '/f:2: "key2" is not used, in 2',
      '/f:3: "key3" is not used, in 3',
      "/f: and 2 more like these: wave doctor shows all",
      '/g:1: "key1" is not used, in 1',
      '/g:2: "key2" is not used, in 2',
      '/g:3: "key3" is not used, in 3',
    ]);
  });

  it("are never folded when they stop Wave, or when no command could show them again", () => {
    const five = (severity: "fatal" | "warning", file: string | undefined) =>
      [1, 2, 3, 4, 5].map((line) => problem(severity, file, line, "x"));
    expect(foldProblems(five("fatal", "/f"))).toHaveLength(5);
    expect(foldProblems(five("warning", undefined))).toHaveLength(5);
  });
});

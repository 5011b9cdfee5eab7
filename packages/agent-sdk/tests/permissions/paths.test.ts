import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { absolutePath, isInside } from "@/permissions/paths.ts";

describe("whether a path lies in a folder", () => {
  const rows: [folder: string, path: string, inside: boolean][] = [
    ["/proj", "/proj", true],
    ["/proj", "/proj/", true],
    ["/proj/", "/proj/a", true],
    ["/proj", "/proj/a/b", true],
    ["/proj", "/proj-evil", false],
    ["/proj", "/proj-evil/a", false],
    ["/proj", "/proj/../proj-evil", false],
    ["/proj", "/proj/..", false],
    ["/proj", "/proj/a/../../proj/b", true],
    ["/proj", "//proj//a", true],
    ["/proj", "/proj/./a", true],
    ["/proj", "/proj/...", true],
    ["/proj", "/proj/..a", true],
    ["/proj", "/PROJ/a", false],
    ["/proj", "/", false],
    ["/proj", "proj/a", false],
    ["/proj", "", false],
    ["proj", "/proj", false],
    ["/", "/anything", true],
    ["/", "/", true],
    ["/proj", "/proj/a\0b", false],
    ["/proj", "/proj/~user", true],
    ["/proj", "/proj/\\??\\C:\\x", true],
    ["/proj", "\\proj\\a", false],
    ["/a/b", "/a", false],
    ["/a/../proj", "/proj/x", true],
  ];
  it.each(rows)("%j holds %j: %s (G31)", (folder, path, inside) => {
    expect(isInside(folder, path)).toBe(inside);
  });

  it("agrees with relative paths for thousands of random spellings (G31)", () => {
    const names = ["proj", "proj-evil", "pro", "a", ".", "..", "", "...", "b c"];
    let state = 7;
    const next = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
    const spelling = () => `/${Array.from({ length: next(6) }, () => names[next(names.length)]).join("/")}`;
    for (let round = 0; round < 5_000; round += 1) {
      const [folder, path] = [spelling(), spelling()];
      const way = posix.relative(folder, path);
      expect(isInside(folder, path), `${folder} ${path}`).toBe(way !== ".." && !way.startsWith("../"));
    }
  });
});

describe("a path as somebody wrote it", () => {
  const folders = { cwd: "/proj/sub", home: "/home/ada" };
  const rows: [text: string, path: string][] = [
    ["a.ts", "/proj/sub/a.ts"],
    ["./a.ts", "/proj/sub/a.ts"],
    ["../a.ts", "/proj/a.ts"],
    ["../../../../a", "/a"],
    ["/etc//x/", "/etc/x"],
    ["/etc/./y/../x", "/etc/x"],
    ["//etc/x", "/etc/x"],
    ["~", "/home/ada"],
    ["~/x", "/home/ada/x"],
    ["~/../bob", "/home/bob"],
    ["~bob/x", "/proj/sub/~bob/x"],
    ["a/~/x", "/proj/sub/a/~/x"],
    ["\\??\\C:", "/proj/sub/\\??\\C:"],
    [".", "/proj/sub"],
    ["/", "/"],
  ];
  it.each(rows)("%j becomes %j (G31)", (text, path) => {
    expect(absolutePath(text, folders)).toEqual({ path });
  });

  it.each(["", "a\0b", "/etc/passwd\0.png"])("%j is refused in a sentence (G31)", (text) => {
    expect(absolutePath(text, folders)).toEqual({ problem: expect.stringMatching(/^The path .*\.$/) });
  });
});

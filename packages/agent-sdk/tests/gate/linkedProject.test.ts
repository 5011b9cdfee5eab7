import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { viewCall } from "@/gate/callView.ts";
import { namesOfProject } from "@/workspace/projectDir.ts";
import { builtInTools } from "@/tools/index.ts";
import { tempFolder } from "../support/tempFolder.ts";

function place() {
  const folder = tempFolder();
  const top = realpathSync(folder.path);
  mkdirSync(join(top, "real/src"), { recursive: true });
  mkdirSync(join(top, "other"));
  symlinkSync("real", join(top, "link"));
  symlinkSync("../other", join(top, "real/out"));
  return {
    top,
    real: join(top, "real"),
    link: join(top, "link"),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

describe("a project that a person came to through a link", () => {
  it("goes by that name as well, and by no other", () => {
    using at = place();
    const named = (pwd: string | undefined) => namesOfProject(at.real, pwd === undefined ? {} : { PWD: pwd });
    expect(named(at.link)).toEqual([at.real, at.link]);
    expect(named(join(at.link, "src"))).toEqual([at.real, at.link]);
    for (const other of [
      undefined,
      "",
      "link",
      at.real,
      join(at.real, "src"),
      join(at.top, "other"),
      at.top,
      join(at.link, "out"),
    ])
      expect(named(other)).toEqual([at.real]);
  });

  it("is inside itself under both names, and what a link of its leads to is not", () => {
    using at = place();
    const session = { projectDir: at.real, cwd: at.real, env: { PWD: at.link, PATH: "/usr/bin:/bin" } };
    const isInside = (name: string, input: Record<string, unknown>) => {
      const tool = builtInTools().find((one) => one.name === name);
      if (!tool) throw new Error(name);
      return viewCall(tool, input, session).insideProject;
    };
    for (const file of [join(at.real, "src/a"), join(at.link, "src/a")]) {
      expect(isInside("Read", { file_path: file })).toBe(true);
      expect(isInside("Write", { file_path: file, content: "x" })).toBe(true);
      expect(isInside("Bash", { command: `cat '${file}'` })).toBe(true);
    }
    expect(isInside("Bash", { command: `cd '${at.link}' && ls src` })).toBe(true);
    for (const file of [join(at.link, "out/a"), join(at.link, "../other/a"), join(at.top, "other/a")]) {
      expect([file, isInside("Read", { file_path: file })]).toEqual([file, false]);
      expect([file, isInside("Bash", { command: `cat '${file}'` })]).toEqual([file, false]);
    }
  });
});

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layOut, type HeldPath } from "@/workspace/sandbox/layOut.ts";
import { tempFolder } from "../../support/tempFolder.ts";

const held = (path: string, more: Partial<HeldPath> = {}): HeldPath => ({
  path,
  ifMissing: "leave",
  ifLink: "refuse",
  ...more,
});

/** Each mount as one word, with `/` for the folder itself. */
function laidOut(folder: string, writable: string[], paths: HeldPath[]) {
  const at = (name: string) => join(folder, name);
  const layout = layOut(
    writable.map(at),
    paths.map((one) => ({ ...one, path: at(one.path) })),
  );
  const short = (path: string) => path.slice(folder.length) || "/";
  return {
    mounts: layout.mounts.map(({ path, as }) => `${short(path)} ${as}`),
    links: layout.links.map(({ path }) => short(path)),
    missing: layout.missing.map(({ path }) => short(path)),
  };
}

describe("what has to be mounted", () => {
  it("is every folder on the way to something held, so that none can be moved away (G66)", () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, ".git/hooks"), { recursive: true });
    writeFileSync(join(folder.path, ".git/config"), "");
    expect(laidOut(folder.path, [""], [held(".git/hooks"), held(".git/config")]).mounts).toEqual([
      "/ writable",
      "/.git writable",
      "/.git/hooks read-only",
      "/.git/config read-only",
    ]);
  });

  it("is also every folder between an outer writable folder and the project", () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "a/b/project/.wave"), { recursive: true });
    expect(laidOut(folder.path, ["", "a/b/project"], [held("a/b/project/.wave")]).mounts).toEqual([
      "/ writable",
      "/a writable",
      "/a/b writable",
      "/a/b/project writable",
      "/a/b/project/.wave read-only",
    ]);
  });

  it("is a folder to be made where something could be created (T46, G66, CVE-2026-25725)", () => {
    using folder = tempFolder();
    const { mounts, missing } = laidOut(
      folder.path,
      [""],
      [
        held(".wave", { ifMissing: "make-folder" }),
        held("no/such", { ifMissing: "make-folder" }),
        held(".envrc"),
      ],
    );
    expect(missing).toEqual(["/.wave"]);
    expect(mounts).toEqual(["/ writable", "/.wave read-only"]);
  });

  it("is the file that stands where a folder was expected", () => {
    using folder = tempFolder();
    writeFileSync(join(folder.path, ".git"), "gitdir: /elsewhere");
    expect(laidOut(folder.path, [""], [held(".git/hooks", { ifMissing: "make-folder" })])).toEqual({
      mounts: ["/ writable", "/.git read-only"],
      links: [],
      missing: [],
    });
  });

  it("is no link, which is named instead", () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "real/hooks"), { recursive: true });
    symlinkSync("real", join(folder.path, ".git"));
    expect(laidOut(folder.path, [""], [held(".git/hooks")])).toEqual({
      mounts: ["/ writable"],
      links: ["/.git"],
      missing: [],
    });
  });

  it("is nothing that lies outside of what is writable, and nothing writable in what is held", () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "project"));
    mkdirSync(join(folder.path, "home/inner"), { recursive: true });
    const { mounts } = laidOut(folder.path, ["project", "home", "home/inner"], [held("home"), held("other")]);
    expect(mounts).toEqual(["/home read-only", "/project writable"]);
  });
});

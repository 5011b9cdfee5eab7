import {
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { holdFile, holdFolder, holdList, holdName } from "@/workspace/files/held.ts";
import { tempFolder } from "../../support/tempFolder.ts";

/** Two folders with a file each, and a link that leads to one of them. */
function twoPlaces() {
  const folder = tempFolder();
  const top = realpathSync(folder.path);
  for (const name of ["inside", "outside"]) {
    mkdirSync(join(top, name));
    writeFileSync(join(top, name, "a.txt"), `${name}\n`);
  }
  const link = join(top, "link");
  const lead = (to: string) => {
    rmSync(link, { force: true });
    symlinkSync(to, link);
  };
  return { top, link, lead, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe.runIf(process.platform === "linux")("what is held", () => {
  it("says where it is, not where its path leads by now (G30)", async () => {
    using places = twoPlaces();
    places.lead("outside");
    await using held = await holdFile(join(places.link, "a.txt"));
    places.lead("inside");
    expect(held.realPath).toBe(join(places.top, "outside/a.txt"));
    for (const path of [held.path, held.pathForChild]) expect(await readFile(path, "utf8")).toBe("outside\n");
  });

  it("stays what it was when another takes its place (G30)", async () => {
    using places = twoPlaces();
    const folder = join(places.top, "inside");
    await using held = await holdList(folder);
    await using name = await holdName(join(folder, "a.txt"));
    renameSync(folder, join(places.top, "aside"));
    symlinkSync("outside", folder);
    writeFileSync(join(places.top, "outside/b.txt"), "");
    expect(await readdir(held.path)).toEqual(["a.txt"]);
    expect(name.realPath).toBe(join(folder, "a.txt"));
  });

  it("is no folder behind a link, in whichever part of its path (G30)", async () => {
    using places = twoPlaces();
    places.lead("outside");
    for (const path of [places.link, join(places.link, "new"), join(places.link, "new/deep")])
      await expect(holdFolder(path, { make: true })).rejects.toThrow(/was replaced by a link|ENOTDIR|ELOOP/);
    expect(readdirSync(join(places.top, "outside"))).toEqual(["a.txt"]);
  });

  it("is made where it is missing, one folder in the other (G30)", async () => {
    using places = twoPlaces();
    const path = join(places.top, "inside/new/deep");
    await using held = await holdFolder(path, { make: true });
    expect(held.realPath).toBe(path);
    await expect(holdFolder(join(places.top, "inside/none"))).rejects.toMatchObject({ code: "ENOENT" });
  });
});

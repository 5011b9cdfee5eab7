import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keepOutOfGit } from "@/workspace/settings/keepOutOfGit.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "wave-git-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const told = () => keepOutOfGit(join(folder, "settings.local.json"));
const ignoring = () => readFileSync(join(folder, ".gitignore"), "utf8");

describe("settings of one person", () => {
  it("are kept out of git by a file that git does not see either, and that is said once", () => {
    expect([told(), told()]).toEqual([true, false]);
    expect(ignoring()).toMatch(/^settings\.local\.json\n\.gitignore$/m);
  });

  it.each([
    ["cache", "cache\nsettings.local.json\n", true],
    ["cache\n", "cache\nsettings.local.json\n", true],
    ["/settings.local.json\r\n", "/settings.local.json\r\n", false],
    ["*\n", "*\n", false],
  ])("are added to a .gitignore that does not name them (%j)", (before, after, isNews) => {
    writeFileSync(join(folder, ".gitignore"), before);
    expect(told()).toBe(isNews);
    expect(ignoring()).toBe(after);
  });

  it("follow no link that leads elsewhere to nothing", () => {
    symlinkSync(join(folder, "nowhere", "file"), join(folder, ".gitignore"));
    expect(told()).toBe(false);
  });
});

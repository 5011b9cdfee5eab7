import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sameOnDisk } from "@/workspace/git/gitBlob.ts";
import { tempFolder } from "../../support/tempFolder.ts";

/** As `git hash-object` says of "a\n", in both kinds of ids, and of a link to "file". */
const SHA1 = "78981922613b2afb6025042ff6bd878ac1994e85";
const SHA256 = "f8625e43f9e04f24291f77cdbe4c71b3c2a3b0003f60419b3ed06a058d766c8b";
const LINK = "1a010b1c0f081b2e8901d55307a15c29ff30af0e";

it("a file is the same as in a tree of git when content, mode and kind are (T82)", () => {
  using folder = tempFolder();
  const file = join(folder.path, "file");
  const link = join(folder.path, "link");
  writeFileSync(file, "a\n", { mode: 0o644 });
  symlinkSync("file", link);
  const same = (path: string, mode: string, content: string | undefined) =>
    sameOnDisk(path, { path: "x", mode, content });
  expect(same(file, "100644", SHA1)).toBe(true);
  expect(same(file, "100755", SHA1)).toBe(false);
  expect(same(file, "120000", SHA1)).toBe(false);
  expect(same(file, "100644", LINK)).toBe(false);
  expect(same(file, "100644", SHA256)).toBe(true);
  expect(same(file, "000000", undefined)).toBe(false);
  expect(same(link, "120000", LINK)).toBe(true);
  expect(same(link, "100644", SHA1)).toBe(false);
  expect(same(join(folder.path, "none"), "000000", undefined)).toBe(true);
  expect(same(join(folder.path, "none"), "100644", SHA1)).toBe(false);
  expect(same(folder.path, "100644", SHA1)).toBe(false);
  chmodSync(file, 0o755);
  expect(same(file, "100755", SHA1)).toBe(true);
});

import {
  appendFileSync,
  closeSync,
  constants,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SessionFile } from "@/session/file/sessionFile.ts";
import { tempFolder } from "../../support/tempFolder.ts";

describe("an open session file", () => {
  const acts: [what: string, act: (path: string) => void, byName: string, byItself: string][] = [
    ["nobody touched it", () => {}, "as-left", "as-left"],
    ["it was removed", (path) => rmSync(path), "gone", "gone"],
    ["it was moved away", (path) => renameSync(path, `${path}.old`), "gone", "as-left"],
    [
      "another file has its name, and it has another one",
      (path) => {
        linkSync(path, `${path}.old`);
        writeFileSync(`${path}.other`, "theirs");
        renameSync(`${path}.other`, path);
      },
      "replaced",
      "as-left",
    ],
    [
      "another file has its name, and it has none",
      (path) => {
        writeFileSync(`${path}.other`, "theirs");
        renameSync(`${path}.other`, path);
      },
      "gone",
      "gone",
    ],
    ["it was emptied", (path) => writeFileSync(path, ""), "shortened", "shortened"],
    ["somebody wrote at its end", (path) => appendFileSync(path, "theirs\n"), "grown", "grown"],
  ];
  it.each(acts)("tells what others did: %s (G54, G57)", (_, act, byName, byItself) => {
    using folder = tempFolder();
    const path = join(folder.path, "s1.jsonl");
    const file = new SessionFile(path);
    try {
      file.append(Buffer.from("mine\n"), { sync: false });
      act(path);
      expect(file.look({ byName: true })).toBe(byName);
      expect(file.look({ byName: false })).toBe(byItself);
    } finally {
      file.close();
    }
  });

  it("takes half a line back before the next one, when the disk did not let it do so at once (G54)", () => {
    using folder = tempFolder();
    const path = join(folder.path, "s1.jsonl");
    const file = new SessionFile(path);
    try {
      file.append(Buffer.from("first\n"), { sync: true });
      // The system's own errors: what is always full takes no byte, and cannot be cut.
      instead(file.fd, "/dev/full", constants.O_RDWR);
      expect(() => file.append(Buffer.from("second\n"), { sync: true })).toThrow("ENOSPC");
      appendFileSync(path, "seco");
      instead(file.fd, path, constants.O_RDWR | constants.O_APPEND);
      expect(file.look({ byName: true })).toBe("as-left");
      file.append(Buffer.from("third\n"), { sync: true });
      expect(readFileSync(path, "utf8")).toBe("first\nthird\n");
    } finally {
      file.close();
    }
  });
});

/** The lowest number that is free is given to the file that is opened next. */
function instead(fd: number, path: string, flags: number): void {
  closeSync(fd);
  const taken: number[] = [];
  for (let got = openSync(path, flags); got !== fd; got = openSync(path, flags)) {
    taken.push(got);
    if (taken.length > 50) throw new Error(`descriptor ${fd} was taken by somebody else`);
  }
  for (const other of taken) closeSync(other);
}

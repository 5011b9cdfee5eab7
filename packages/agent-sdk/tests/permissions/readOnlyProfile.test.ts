import { expect, it } from "vitest";
import { readOnlyProfile } from "@/permissions/readOnlyProfile.ts";

const PLACE = {
  cwd: "/Users/ada/shop",
  asRoot: false,
  temporary: ["/private/tmp"],
  closed: ["/Users"],
  kept: ["/Users/ada/shop"],
  hidden: [
    { path: "/Users/ada/shop/.env", isFolder: false },
    { path: '/Users/ada/shop/a "b" \\ c', isFolder: true },
  ],
  written: ["/private/tmp/wave-bash-1/folder"],
};

it("a profile for macOS lets nothing be written or reached, and hides last what rules keep back (G33)", () => {
  expect(readOnlyProfile(PLACE).split("\n")).toEqual([
    "(version 1)",
    "(allow default)",
    "(deny network*)",
    "(deny signal)",
    "(allow signal (target same-sandbox))",
    "(deny file-write*)",
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/stdout") (literal "/dev/stderr") (subpath "/private/tmp/wave-bash-1"))',
    '(deny file-read-data (subpath "/Users"))',
    '(allow file-read* (subpath "/Users/ada/shop") (subpath "/private/tmp/wave-bash-1"))',
    '(deny file-read* (literal "/Users/ada/shop/.env") (subpath "/Users/ada/shop/a \\"b\\" \\\\ c"))',
  ]);
});

it("a profile without closed or hidden places says nothing about them", () => {
  const profile = readOnlyProfile({ ...PLACE, closed: [], hidden: [], written: [], kept: [] });
  expect(profile).not.toContain("file-read");
});

import { describe, expect, it } from "vitest";
import { GAP } from "../../../shell-reader/src/words/unknownText.ts";
import type { MadeLink } from "wave-shell-reader";
import { placesReached } from "@/permissions/links.ts";

const LINKS: Record<string, string> = {
  "/p/d": "secrets/sub",
  "/p/out": "/elsewhere/deep",
  "/p/a/l": "../b/c",
  "/p/a/m": "../secrets/sub",
  "/p/b/c/up": "..",
  "/p/chain": "d/../next",
  "/p/secrets/next": "/end",
  "/p/circle": "circle/circle",
  "/p/names": "/proc",
  "/proc/self": "77",
};

const places = (path: string, made: readonly MadeLink[] = []) =>
  placesReached(path, (place) => LINKS[place], made);

describe("the places that a path may lead to", () => {
  const rows: [path: string, reached: string[] | undefined][] = [
    ["/p/src/a.ts", ["/p/src/a.ts"]],
    ["/p/src/../a.ts", ["/p/a.ts"]],
    ["/p/./src//../../q/", ["/q"]],
    ["/../..", ["/"]],
    ["/p/d", ["/p/secrets/sub"]],
    ["/p/d/key", ["/p/secrets/sub/key"]],
    // The kernel's way, and the text's.
    ["/p/d/../key", ["/p/secrets/key", "/p/key"]],
    ["/p/d/x/../../key", ["/p/secrets/key", "/p/key"]],
    ["/p/out/../key", ["/elsewhere/key", "/p/key"]],
    // The folder is left as `cd ..` does it, and the file is named as the kernel reads it.
    ["/p/a/l/../m/../key", ["/p/b/key", "/p/secrets/key", "/p/a/key"]],
    ["/p/a/l/up/..", ["/p", "/p/b/c"]],
    // What stands in a link only the kernel reads.
    ["/p/chain/x", ["/end/x"]],
    ["/p/circle/../x", undefined],
    // Other names of places, which belong to a process.
    ["/proc/self/cwd/key", undefined],
    ["/proc/77/root/etc", undefined],
    ["/proc/self/task/9/cwd/key", undefined],
    ["/proc/12/fd/3/key", undefined],
    ["/p/names/self/cwd", undefined],
    ["/proc/self/status", ["/proc/77/status"]],
  ];
  it.each(rows)("%s: %j (G29)", (path, reached) => {
    expect(places(path)).toEqual(reached);
  });

  const X: MadeLink = { at: "/p/x", to: "tools/sub" };
  const made: [what: string, path: string, links: MadeLink[], reached: string[] | undefined][] = [
    ["a link", "/p/x/../guard.sh", [X], ["/p/guard.sh", "/p/tools/guard.sh"]],
    ["what is in it", "/p/x/a", [X], ["/p/x/a", "/p/tools/sub/a"]],
    ["the link itself, which is written", "/p/x", [X], ["/p/x"]],
    ["another path", "/p/y/../a", [X], ["/p/a"]],
    [
      "a link in a folder behind a link",
      "/p/secrets/sub/x/../a",
      [{ at: "/p/d/x", to: "/p/tools/sub" }],
      ["/p/secrets/sub/a", "/p/tools/a"],
    ],
    [
      "a link in a folder behind one that the line makes",
      "/p/tools/sub/y/../a",
      [X, { at: "/p/x/y", to: "/q/r" }],
      ["/p/tools/sub/a", "/q/a"],
    ],
    [
      "a link that is moved",
      "/p/y/../key",
      [{ at: "/p/y", to: "/p/d", copied: true }],
      ["/p/key", "/p/secrets/key"],
    ],
    [
      "a link that counts from another folder once it is moved",
      "/p/q/y/../key",
      [{ at: "/p/q/y", to: "/p/d", copied: true }],
      ["/p/q/key", "/p/secrets/key", "/p/q/secrets/key"],
    ],
    ["what is in a copy", "/p/y/key", [{ at: "/p/y", to: "/p/secrets", copied: true }], ["/p/y/key"]],
    [
      "a link in a copy",
      "/p/y/m/../key",
      [{ at: "/p/y", to: "/p/a", copied: true }],
      ["/p/y/key", "/p/secrets/key", "/p/a/key"],
    ],
    [
      "links to each other",
      "/p/x/../a",
      [
        { at: "/p/x", to: "y" },
        { at: "/p/y", to: "x" },
      ],
      ["/p/a"],
    ],
    ["a name with gaps", "/p/x1/../a", [{ at: `/p/x${GAP.name}`, to: "tools/sub" }], ["/p/a", "/p/tools/a"]],
    ["a link to nobody knows where", "/p/x/a", [{ at: "/p/x", to: GAP.any }], undefined],
    ["a link nobody knows where", "/p/x/../a", [{ at: GAP.any, to: "tools" }], undefined],
    ["such a link, and no way up", "/p/x/a", [{ at: GAP.any, to: "tools" }], ["/p/x/a"]],
    ["more links than are followed", "/p/x/../a", Array.from({ length: 30 }, () => X), undefined],
  ];
  it.each(made)("count links that the line makes: %s (G29)", (_what, path, links, reached) => {
    expect(places(path, links)).toEqual(reached);
  });
});

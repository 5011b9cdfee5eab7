import { describe, expect, it } from "vitest";
import type { MadeLink } from "wave-shell-reader";
import { readPath } from "../../../shell-reader/src/words/pathName.ts";
import { GAP } from "../../../shell-reader/src/words/unknownText.ts";
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

/** A link as a line makes it, written with gaps. */
const link = (at: string, to: string | undefined, copied?: true): MadeLink => ({
  at: readPath(at),
  to,
  ...(copied ? { copied } : {}),
});

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

  const X: MadeLink = link("/p/x", "tools/sub");
  const made: [what: string, path: string, links: MadeLink[], reached: string[] | undefined][] = [
    ["a link", "/p/x/../guard.sh", [X], ["/p/guard.sh", "/p/tools/guard.sh"]],
    ["what is in it", "/p/x/a", [X], ["/p/x/a", "/p/tools/sub/a"]],
    ["the link itself, which is written", "/p/x", [X], ["/p/x"]],
    ["another path", "/p/y/../a", [X], ["/p/a"]],
    [
      "a link in a folder behind a link",
      "/p/secrets/sub/x/../a",
      [link("/p/d/x", "/p/tools/sub")],
      ["/p/secrets/sub/a", "/p/tools/a"],
    ],
    [
      "a link in a folder behind one that the line makes",
      "/p/tools/sub/y/../a",
      [X, link("/p/x/y", "/q/r")],
      ["/p/tools/sub/a", "/q/a"],
    ],
    ["a link that is moved", "/p/y/../key", [link("/p/y", "/p/d", true)], ["/p/key", "/p/secrets/key"]],
    [
      "a link that counts from another folder once it is moved",
      "/p/q/y/../key",
      [link("/p/q/y", "/p/d", true)],
      ["/p/q/key", "/p/secrets/key", "/p/q/secrets/key"],
    ],
    [
      "what is in a copy, which may be a link that lay there",
      "/p/y/key",
      [link("/p/y", "/p/secrets", true)],
      ["/p/y/key", "/p/secrets/key"],
    ],
    [
      "what a link in a copy leads to",
      "/p/y/m/key",
      [link("/p/y", "/p/a", true)],
      ["/p/y/m/key", "/p/secrets/sub/key"],
    ],
    [
      "a link in a copy",
      "/p/y/m/../key",
      [link("/p/y", "/p/a", true)],
      ["/p/y/key", "/p/secrets/key", "/p/a/key"],
    ],
    ["links to each other", "/p/x/../a", [link("/p/x", "y"), link("/p/y", "x")], ["/p/a"]],
    ["a name with gaps", "/p/x1/../a", [link(`/p/x${GAP.name}`, "tools/sub")], ["/p/a", "/p/tools/a"]],
    ["a link to nobody knows where", "/p/x/a", [link("/p/x", undefined)], undefined],
    ["a link nobody knows where", "/p/x/../a", [link(GAP.any, "tools")], undefined],
    ["such a link, and no way up", "/p/x/a", [link(GAP.any, "tools")], ["/p/x/a"]],
    ["more links than are followed", "/p/x/../a", Array.from({ length: 30 }, () => X), undefined],
  ];
  it.each(made)("count links that the line makes: %s (G29)", (_what, path, links, reached) => {
    expect(places(path, links)).toEqual(reached);
  });
});

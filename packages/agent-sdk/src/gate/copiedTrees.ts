import { basename, join } from "node:path";
import type { MadeLink } from "wave-shell-reader";
import { isInside } from "../permissions/paths.ts";
import { isProtectedName } from "../permissions/protectedHits.ts";
import type { Touched } from "../permissions/touched.ts";
import { realPath, statOf, treeBelow } from "../workspace/files/fileFacts.ts";

/** A bigger tree is not looked through, and then nobody knows what it brings. */
const MOST_IN_TREE = 20_000;

/**
 * Protected files that a folder brings with it when it is copied or moved as a whole: `cp -R template new` (G27). Not into a new
 * folder outside of the project: as after `git clone`, they count there once a program works in that folder.
 */
export function copiedProtected(links: readonly MadeLink[], projectDir: string): Touched[] {
  const copies = links.flatMap(({ at, to, copied }) =>
    copied && to !== undefined && at.known !== undefined && at.names.length === 0
      ? [{ at: at.known, from: to }]
      : [],
  );
  const rest = { access: "write", names: [], below: false } as const;
  return [...new Set(copies.map(({ from }) => from))].flatMap((from): Touched[] => {
    if (statOf(from)?.isDirectory() !== true) return [];
    const target = placeOf(
      from,
      copies.flatMap((copy) => (copy.from === from ? [copy.at] : [])),
    );
    if (!isInside(realPath(projectDir), realPath(target)) && statOf(target) === undefined) return [];
    const tree = treeBelow(from, MOST_IN_TREE);
    if (!tree) return [{ ...rest, shown: `what ${from} holds`, spellings: [] }];
    const found = tree.find(({ path }) => isProtectedName(path));
    const path = found && join(target, found.path);
    return path === undefined ? [] : [{ ...rest, shown: path, spellings: [path] }];
  });
}

/** In a folder that is there, under the name it had; otherwise in its place. */
function placeOf(from: string, places: readonly string[]): string {
  const inFolder = places.find(
    (place) => basename(place) === basename(from) && statOf(join(place, ".."))?.isDirectory() === true,
  );
  return inFolder ?? places[0] ?? from;
}

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { isInside, namesBelow } from "../../permissions/paths.ts";
import type { Mount } from "../../permissions/sandbox.ts";

/** Something that stays as it is although it may lie in a writable folder. */
export interface HeldPath {
  path: string;
  /** It could be created, so an empty folder or file takes its place, where that means nothing to whoever reads it. */
  ifMissing: "make-folder" | "make-file" | "leave";
  /** A link cannot be held: whoever may write beside it can put another one in its place. */
  ifLink: "refuse" | "tell";
}

export interface Layout {
  mounts: Mount[];
  /** Links that cannot be held. */
  links: HeldPath[];
  /** What has to be made, as what is held there is mounted on it. */
  missing: Placeholder[];
}

export interface Placeholder {
  path: string;
  as: "folder" | "file";
}

/**
 * What has to be mounted so that everything in `writable` can be written and nothing that is held. A mount can be neither
 * renamed nor removed in the sandbox, so every folder on the way to something held becomes one: otherwise its whole parent
 * could be moved away and built anew. All paths of `writable` are real ones.
 */
export function layOut(writable: readonly string[], held: readonly HeldPath[]): Layout {
  const mounts = new Map<string, "writable" | "read-only">();
  const layout: Layout = { mounts: [], links: [], missing: [] };
  const outerFirst = writable.toSorted((a, b) => a.length - b.length);
  const outermost = (path: string) => outerFirst.find((root) => isInside(root, path));
  const mount = (path: string, as: "writable" | "read-only") => {
    if (mounts.get(path) !== "read-only") mounts.set(path, as);
  };

  for (const root of outerFirst) {
    for (const { path } of wayTo(root, outermost(root) ?? root)) mount(path, "writable");
    mount(root, "writable");
  }
  for (const one of held) {
    const root = outermost(one.path);
    if (root === undefined) continue;
    if (root === one.path) {
      mount(root, "read-only");
      continue;
    }
    for (const { path, is, isLast } of wayTo(one.path, root)) {
      if (is === "link") layout.links.push({ ...one, path });
      else if (is === "missing" && isLast && one.ifMissing !== "leave") {
        layout.missing.push({ path, as: one.ifMissing === "make-folder" ? "folder" : "file" });
        mount(path, "read-only");
      } else if (is !== "missing") mount(path, is === "folder" && !isLast ? "writable" : "read-only");
      if (is !== "folder") break;
    }
  }
  const closed = [...mounts].flatMap(([path, as]) => (as === "read-only" ? [path] : []));
  layout.mounts = [...mounts]
    .map(([path, as]): Mount => ({ path, as }))
    .filter(({ path, as }) => as !== "writable" || !closed.some((folder) => isInside(folder, path)));
  return layout;
}

interface Step {
  path: string;
  is: "folder" | "file" | "link" | "missing";
  isLast: boolean;
}

/** Every name between a folder and a path in it, the path included. */
function wayTo(path: string, root: string): Step[] {
  const names = namesBelow(root, path) ?? [];
  return names.map((_, at) => {
    const here = join(root, ...names.slice(0, at + 1));
    return { path: here, is: kindAt(here), isLast: at === names.length - 1 };
  });
}

function kindAt(path: string): Step["is"] {
  try {
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) return "link";
    return stats.isDirectory() ? "folder" : "file";
  } catch {
    // ENOENT, and ENOTDIR below a file. EACCES: what Wave cannot see, its commands cannot write.
    return "missing";
  }
}

import type { PathName } from "wave-shell-reader";
import { couldBe, isAnyDepth, type Touched } from "./touched.ts";

/** A file or folder that is protected because of this session: its settings, and the scripts that its hooks run. */
export interface OwnPlace {
  path: string;
  why: string;
}

/** The folders in which a shell looks for programs: a file that comes to lie there is run by every hook that calls its name. */
export interface ProgramPlaces {
  folders: readonly ProgramFolder[];
  /** Whether something calls a program of that name: it is in such a folder, of the project only if `orInProject`, or a hook names it. */
  isCalled: (name: string, orInProject: boolean) => boolean;
}

export interface ProgramFolder {
  path: string;
  /** Its programs come and go with the project's: only one that takes the place of another program is protected. */
  inProject: boolean;
  /** Its programs are often named on a line to be run or looked at: only what certainly writes counts. */
  ofSystem: boolean;
}

export const NO_PROGRAMS: ProgramPlaces = { folders: [], isCalled: () => false };

const partsOf = (path: string) => path.split("/").filter((name) => name !== "");
export const CALLED = "hooks and other programs run it by its name";

/** The program that a write puts into a folder of the PATH, changes or removes there. */
export function programReached(
  names: readonly PathName[],
  { access, below, through }: Pick<Touched, "access" | "below" | "through">,
  { folders, isCalled }: ProgramPlaces,
): OwnPlace | undefined {
  // What may lie at any depth is looked for among files that are there.
  if (names.some(isAnyDepth)) return undefined;
  for (const { path, inProject, ofSystem } of folders) {
    const parts = partsOf(path);
    if ((ofSystem && access !== "write") || !sameBeginning(names, parts)) continue;
    const last = names[parts.length];
    if (last === undefined) {
      // The folder itself, or one that it lies in. Of a project's own only what is unpacked right into it can be another program.
      const isWhole =
        access === "write" && (inProject ? through === "archive" && names.length === parts.length : below);
      if (isWhole) return { path, why: "hooks and other programs run by their names what lies there" };
    } else if (names.length === parts.length + 1) {
      if (typeof last !== "string") return { path: `${path}/${last.pieces.join("…")}`, why: CALLED };
      if (isCalled(last, !inProject)) return { path: `${path}/${last}`, why: CALLED };
    }
  }
  return undefined;
}

/** The same for a plain path, of which there may be many. */
export function programFinder({ folders, isCalled }: ProgramPlaces): (path: string) => string | undefined {
  const byPath = new Map(folders.map((folder) => [folder.path, folder]));
  return (path) => {
    const slash = path.lastIndexOf("/");
    const folder = byPath.get(path.slice(0, slash));
    return folder && isCalled(path.slice(slash + 1), !folder.inProject) ? CALLED : undefined;
  };
}

function sameBeginning(names: readonly PathName[], parts: readonly string[]): boolean {
  return names
    .slice(0, parts.length)
    .every((name, index) => couldBe(name, parts[index] ?? "", (text) => text.toLowerCase()));
}

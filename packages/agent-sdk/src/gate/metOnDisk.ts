import { isAbsolute } from "node:path";
import type { Access, Doings, PathName, Supposition } from "wave-shell-reader";
import { isInside } from "../permissions/paths.ts";
import { choosersOf, HEEDED, type ProjectSettings } from "../permissions/projectSettings.ts";
import { couldBe, isAnyDepth, type Touched } from "../permissions/touched.ts";
import { mayExist, namesIn, programOnPath, realPath, treeBelow } from "../workspace/files/fileFacts.ts";
import { heededFile } from "../workspace/settings/heededFiles.ts";
import { personHome } from "../workspace/personHome.ts";
import type { ToolPlace } from "../tools/tool.ts";
/** Part of every shell: there is no file that could be another program. */
const BUILTINS = new Set(
  "cd pushd popd command builtin echo printf pwd test [ true false : type wait exit break continue set export read".split(
    " ",
  ),
);

/** Why the programs of a line may be others than those that their names say. */
export function whyOtherPrograms(doings: Doings, { env, projectDir }: ToolPlace): string | undefined {
  for (const { name } of doings.programs) {
    const file = BUILTINS.has(name) ? "/builtin" : programOnPath(name, env["PATH"]);
    if (file === undefined) return `${name} is not a program of the system`;
    if (isInside(realPath(projectDir), realPath(file))) return `${name} is a program of the project`;
  }
  return undefined;
}

/** Why a line is not known to do only what the analysis says of it: what else it would meet on the disk. */
export function whyUnproven(
  doings: Doings,
  touched: readonly Touched[],
  { cwd, env, projectDir }: ToolPlace,
): string | undefined {
  const folders = [...new Set([cwd, ...doings.folders.flatMap(({ known }) => known ?? [])])];
  const heeded = (settings: readonly ProjectSettings[]) =>
    folders.map((folder) => heededFile(folder, settings, personHome(env))).find((file) => file !== undefined);
  for (const { name, optionsIn = "" } of doings.programs) {
    const file = BUILTINS.has(name) ? undefined : programOnPath(name, env["PATH"]);
    const settings = env[optionsIn];
    if (settings && (!isAbsolute(settings) || isInside(realPath(projectDir), realPath(settings))))
      return `${name} takes options from ${settings}, a file of the project`;
    const chosen = file === undefined ? undefined : heeded(choosersOf(file, realPath(file)));
    if (chosen !== undefined) return `${chosen} says which program ${name} is`;
  }
  const settings = heeded(doings.heeding.flatMap((call) => HEEDED[call]));
  if (settings !== undefined) return `${settings} may have a program write or send something`;
  const exported = doings.assigned.find((name) => Object.hasOwn(env, name));
  if (exported !== undefined) return `programs know the variable ${exported}, and it sets it`;
  const odd = oddNames(doings);
  if (odd !== undefined) return odd;
  if (Object.hasOwn(env, "POSIXLY_CORRECT")) return "POSIXLY_CORRECT changes what options mean";
  const deep = touched.find((one) => one.names.some(isAnyDepth) && !isPlainTree(one, projectDir));
  return deep && `links and odd names among ${deep.shown} may lead anywhere`;
}

/** Why names that a star finds may be more than names: words that are cut in two, options. */
export function oddNames({
  suppositions,
  accesses,
}: Pick<Doings, "suppositions" | "accesses">): string | undefined {
  // The line itself may make one on its way.
  const made = accesses.flatMap(({ access, path: { known = "", names } }) =>
    access === "read" ? [] : [...known.split("/"), ...names.map(asText)],
  );
  const looks = { left: MOST_LOOKS };
  const odd = suppositions.find(
    (one) => made.some((name) => one.unlike.test(name)) || !holdsOnDisk(one, looks),
  );
  return odd && `the name of a file among ${odd.path.shown} may be something else to a program`;
}

/**
 * Words of programs that nobody can see through which are names of files: what becomes of these is not known (G32). A link counts,
 * also one that leads nowhere.
 */
export function wordsOnDisk({ possibleFiles }: Pick<Doings, "possibleFiles">, looks: Looks): Access[] {
  return possibleFiles.flatMap(({ known, names, shown }): Access[] => {
    if (known === undefined) return [];
    const found = names.length === 0 ? [known] : foundOnDisk([known === "/" ? "" : known], names, looks);
    const rest = { access: "unknown", below: false, isWord: true } as const;
    // Too many to look at: any of them may be.
    if (found === undefined) return [{ ...rest, shown, path: { known, names, shown } }];
    return found
      .filter(mayExist)
      .map((path) => ({ ...rest, shown: path, path: { known: path, names: [], shown: path } }));
  });
}

/** A name of which some pieces are not known, for whoever looks for signs in it. */
const asText = (name: PathName) => (typeof name === "string" ? name : name.pieces.join("…"));

/** Whether none of the names that are found is like what was ruled out. */
function holdsOnDisk({ path: { known, names }, unlike }: Supposition, looks: Looks): boolean {
  if (known === undefined) return false;
  const folder = known === "/" ? "" : known;
  const found = foundOnDisk([folder], names, looks);
  return found?.every((there) => !unlike.test(there.slice(folder.length + 1))) ?? false;
}

/** A star may find a link: what it leads to is what is read. */
export function linksStayInside(
  { spellings, names }: Touched,
  projectDir: string,
  looks: Looks = { left: MOST_LOOKS },
): boolean {
  // Those at any depth are looked at elsewhere.
  if (names.length === 0 || names.some(isAnyDepth)) return true;
  return (
    foundOnDisk(spellings, names, looks)?.every((path) => isInside(realPath(projectDir), realPath(path))) ??
    false
  );
}

/** What names with gaps find in these folders; undefined where it is too much to look at. */
function foundOnDisk(
  spellings: readonly string[],
  names: readonly PathName[],
  looks: Looks,
): readonly string[] | undefined {
  return names.reduce<readonly string[] | undefined>((folders, name) => {
    if (folders === undefined || folders.length > MOST_FOUND) return undefined;
    if (typeof name === "string") return folders.map((folder) => `${folder}/${name}`);
    looks.left -= folders.length;
    if (looks.left < 0) return undefined;
    return folders.flatMap((folder) =>
      namesIn(folder)
        .filter((there) => (!there.startsWith(".") || name.mayHide) && name.couldBe(there))
        .map((there) => `${folder}/${there}`),
    );
  }, spellings);
}

/** How many folders are looked at for all words of a line. */
export interface Looks {
  left: number;
}
export const MOST_LOOKS = 10_000;
/** More than this is not looked up file by file. */
const MOST_FOUND = 2_000;
const MOST_IN_TREE = 50_000;

/** What xargs would cut at, or take away. */
const ODD_NAME = /[\s'"\\]/;

/** Whether all that find comes across are files of the project, under names that stay one word each. */
function isPlainTree({ spellings, names: [depth, name, ...others] }: Touched, projectDir: string): boolean {
  if (spellings.length === 0 || depth === undefined || !isAnyDepth(depth) || others.length > 0) return false;
  const project = realPath(projectDir);
  // `-iname` finds letters of either case.
  const isFound = (path: string) => {
    const last = path.slice(path.lastIndexOf("/") + 1);
    return name === undefined || couldBe(name, last, (text) => text.toLowerCase());
  };
  // Behind a link `..` may lead to more than one place.
  return [...new Set(spellings.map((path) => realPath(path)))].every((top) => {
    const tree = isInside(project, top) ? treeBelow(top, MOST_IN_TREE) : undefined;
    return (
      tree?.every(
        ({ path, isLink }) =>
          !isFound(path) ||
          (!ODD_NAME.test(path) && (!isLink || isInside(project, realPath(`${top}/${path}`)))),
      ) ?? false
    );
  });
}

import { dirname, join } from "node:path";
import { isInside } from "../../permissions/paths.ts";
import { namesIn } from "../files/fileFacts.ts";
import { BEYOND, codeBelow, codeIn, foldersUp, isFile, isFolder } from "./codeFolder.ts";
import { HEARS_NO_VARIABLES, isLoadedBy, NODE, PYTHON, type Loading } from "./languages.ts";
import { filesMeantBy, nodeCode } from "./nodeCode.ts";

interface Script {
  path: string;
  text: string;
  /** The text that starts it. */
  startedBy: string;
  loading: Loading;
}

/** Files that a script's interpreter could load for it, besides those that it names as paths. */
export interface LoadedCode {
  /** Loaded by a name in its text: what they load counts, too. */
  named: string[];
  /** Loaded in the place of something else, whenever that is asked for. */
  beside: string[];
}

/** Also what is not loaded today, but would be in the place of another (G19). Packages in `node_modules` are no part of it. */
export function loadedCode(
  { path, text, startedBy, loading: { languages, whole, computes } }: Script,
  projectDir: string,
): LoadedCode {
  const folder = dirname(path);
  const starts = `${startedBy}\n${/^#!.*/.exec(text)?.[0] ?? ""}`;
  const compiled = HEARS_NO_VARIABLES.test(starts) ? "counts" : "is not read";
  // Below the project's own folder lies all of it, which is no code of a hook.
  const besideIt = () =>
    folder === projectDir ? codeIn(folder, languages) : codeBelow(folder, languages, { compiled });
  const beside = whole ? besideIt() : [];
  const named = [
    ...(languages.includes(PYTHON) ? pythonCode(path, text, projectDir) : []),
    ...(languages.includes(NODE) ? nodeCode(path, text, projectDir) : []),
    // Each of them may be the one that is meant.
    ...(computes ? beside : []),
  ];
  const isOfProject = (one: string) => one === BEYOND || isInside(projectDir, one);
  return { named: named.filter(isOfProject), beside: beside.filter(isOfProject) };
}

/** `import a.b`, where a may lie beside the script or in a folder above it: that of the script that was started, for one. */
function pythonCode(path: string, text: string, projectDir: string): string[] {
  const python = [PYTHON];
  const modules = importsOf(text);
  return foldersUp(dirname(path), projectDir).flatMap((base) => {
    const names = namesIn(base);
    return modules.flatMap((parts) => {
      const [first = ""] = parts;
      const files = names.filter((name) => name.startsWith(`${first}.`)).map((name) => join(base, name));
      const folders = parts.map((_, at) => join(base, ...parts.slice(0, at + 1)));
      return [
        ...files.filter((file) => isLoadedBy(python, file) && isFile(file)),
        ...folders.filter(isFolder).flatMap((folder) => codeIn(folder, python)),
      ];
    });
  });
}

/** Each as the parts of its name: `import a.b, c` → [["a", "b"], ["c"]]. */
function importsOf(text: string): string[][] {
  const clauses = [...text.matchAll(/(?:^|[;:"'])[ \t]*(?:import|from)[ \t]+([^#\n;"']+)/gm)];
  const names = clauses.flatMap(([, rest = ""]) => (rest.split(/\bimport\b/)[0] ?? "").split(","));
  const modules = new Set(names.map((name) => /^[.\w]+/.exec(name.trim())?.[0] ?? ""));
  return [...modules]
    .map((name) => name.split(".").filter((part) => part !== ""))
    .filter((parts) => parts.length > 0);
}

/** What `python -m` and `python -c` in a text load: the folder they are started in comes first, and that is the project's. */
export function codeOfPlace(text: string, projectDir: string): LoadedCode {
  if (!loadsFromItsPlace(text)) return { named: [], beside: [] };
  return {
    named: pythonCode(join(projectDir, "-c"), text, projectDir),
    beside: codeIn(projectDir, [PYTHON]),
  };
}

/** Whether a text starts Python in a way in which what lies in the folder it is started in comes before libraries. */
export function loadsFromItsPlace(text: string): boolean {
  const starts = text.matchAll(/\b(?:python|pypy)[\d.]*((?:\s+-(?:[WX]\s+\S+|\S*))*)(\s*<<)?/g);
  return [...starts].some(([, options = "", here]) => {
    const isAlone = /\s-\w*[IP]/.test(options);
    return !isAlone && (here !== undefined || /\s-(?:\w*[cm]\b|(?=\s|$))/.test(options));
  });
}

/** What an interpreter makes of a path that is not that of a file: `node hooks/guard`, `python3 hooks`. */
export function codeStartedAs(place: string, command: string): string[] {
  if (isFile(place)) return [];
  const node = NODE.interpreter.test(command) ? filesMeantBy(place, "loaded") : [];
  const python = PYTHON.interpreter.test(command)
    ? ["py", "pyc"].map((end) => join(place, `__main__.${end}`))
    : [];
  return [...node, ...python.filter(isFile)];
}

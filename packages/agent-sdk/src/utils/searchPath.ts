import { delimiter, isAbsolute, relative } from "node:path";

/**
 * The folders in which a program of the machine is looked for: a relative or empty entry of PATH, or one inside the
 * project, would let a repository bring its own `git` or `bash`.
 */
export function searchFolders(path: string | undefined, projectDir: string): string[] {
  return (path ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(projectDir, folder));
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}

import { homedir } from "node:os";
import { sep } from "node:path";

/** Paths inside the text as a person would say them: below the folder without it, below the home folder with a tilde. */
export function shortenPaths(text: string, folder: string): string {
  const home = homedir();
  const below = (path: string) => (path.endsWith(sep) ? path : path + sep);
  let short = folder === sep ? text : text.replaceAll(below(folder), "");
  if (home !== sep && home !== "") short = short.replaceAll(below(home), `~${sep}`);
  return short;
}

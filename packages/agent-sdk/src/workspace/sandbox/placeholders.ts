import { mkdirSync, rmdirSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { errorCode } from "../../utils/errorCode.ts";
import type { RunRegister } from "../../process/runRegister.ts";
import type { Placeholder } from "./layOut.ts";

/** False when something was there already, or when nobody can make anything there. */
export function makePlaceholder({ path, as }: Placeholder): boolean {
  try {
    if (as === "folder") mkdirSync(path, 0o700);
    else writeFileSync(path, "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    // ENOENT: its folder is gone, and what was held with it.
    if (["EEXIST", "EACCES", "EROFS", "ENOENT"].includes(errorCode(error) ?? "")) return false;
    throw error;
  }
}

/** The same, with a note for whoever tidies up after a kill. */
export function makeNoted(placeholder: Placeholder, register: RunRegister | undefined): boolean {
  const { path, as } = placeholder;
  const isGone = register?.making(path, as === "folder" ? "empty-folder" : "empty-file");
  const isMade = makePlaceholder(placeholder);
  if (!isMade) isGone?.();
  return isMade;
}

/** Whatever somebody put something into is theirs now, and stays. */
export function removePlaceholder({ path, as }: Placeholder): void {
  try {
    if (as === "folder") rmdirSync(path);
    else if (statSync(path).size === 0) unlinkSync(path);
  } catch {
    // ENOTEMPTY: it is in use. ENOENT: it is gone already.
  }
}

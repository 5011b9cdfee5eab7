import { mkdirSync, rmdirSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { errorCode } from "../../utils/errorCode.ts";
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

/** Whatever somebody put something into is theirs now, and stays. */
export function removePlaceholder({ path, as }: Placeholder): void {
  try {
    if (as === "folder") rmdirSync(path);
    else if (statSync(path).size === 0) unlinkSync(path);
  } catch {
    // ENOTEMPTY: it is in use. ENOENT: it is gone already.
  }
}

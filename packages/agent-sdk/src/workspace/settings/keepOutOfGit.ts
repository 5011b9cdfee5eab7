import { appendFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../../utils/errorCode.ts";
import { plainFileAt } from "../files/plainFile.ts";

/**
 * Keeps a file of one person's out of the repository, with a `.gitignore` beside it. True: git was told just now, which a person
 * should know. Nothing is done to a `.gitignore` that names the file or cannot be written: the settings count all the same.
 */
export function keepOutOfGit(file: string): boolean {
  const ignoring = join(dirname(file), ".gitignore");
  const name = basename(file);
  try {
    // Exclusive: whoever made one meanwhile, or planted a link, keeps it.
    writeFileSync(ignoring, `# Yours alone, not for the repository.\n${name}\n.gitignore\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if (errorCode(error) !== "EEXIST") return false;
  }
  const before = plainFileAt(ignoring)?.toString("utf8");
  if (
    before === undefined ||
    before.split(/\r?\n/).some((line) => ["*", name, `/${name}`].includes(line.trim()))
  )
    return false;
  try {
    appendFileSync(ignoring, `${before === "" || before.endsWith("\n") ? "" : "\n"}${name}\n`);
    return true;
  } catch {
    return false;
  }
}

import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";

/**
 * The person's home folder. An empty or relative HOME is none: what is looked for below it would be found in whatever folder Wave
 * was started in, and a project would speak as the person.
 */
export function personHome(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const named = env["HOME"];
  if (named !== undefined) return isAbsolute(named) ? named : userInfo().homedir;
  const found = homedir();
  return isAbsolute(found) ? found : userInfo().homedir;
}

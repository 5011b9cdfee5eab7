import { dirname, join, resolve } from "node:path";
import type { ProjectSettings } from "../../permissions/projectSettings.ts";
import { exists, realPath } from "../files/fileFacts.ts";
import { plainFileAt } from "../files/plainFile.ts";

/** Longer ones are not read. */
const MOST_BYTES = 256 * 1024;

/**
 * The first file in a folder or above it that tells a program more than is known to be harmless. Those of the person's own home
 * are the person's.
 */
export function heededFile(
  folder: string,
  settings: readonly ProjectSettings[],
  home: string | undefined,
): string | undefined {
  if (settings.length === 0) return undefined;
  const own = home === undefined ? undefined : realPath(home);
  for (let at = resolve(folder); ; at = dirname(at)) {
    const found = realPath(at) === own ? undefined : settings.find((one) => !isHarmlessIn(at, one));
    if (found) return join(at, found.file);
    if (at === dirname(at)) return undefined;
  }
}

function isHarmlessIn(folder: string, { file, isHarmless }: ProjectSettings): boolean {
  const path = join(folder, file);
  if (!exists(path)) return true;
  const bytes = plainFileAt(path, MOST_BYTES);
  return bytes !== undefined && isHarmless(bytes.toString("utf8"));
}

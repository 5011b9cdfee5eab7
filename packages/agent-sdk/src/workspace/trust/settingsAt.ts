import type { Reviewable } from "../../hooks/fingerprint.ts";
import { isInside } from "../../permissions/paths.ts";
import { realPath } from "../files/fileFacts.ts";

/** A link in the project may lead to a file that is no part of it. */
export function settingsAt(file: string | undefined, projectDir: string): Pick<Reviewable, "settingsAt"> {
  if (file === undefined) return {};
  const real = realPath(file);
  return isInside(realPath(projectDir), real) ? {} : { settingsAt: real };
}

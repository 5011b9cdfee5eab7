import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TempFolder extends Disposable {
  readonly path: string;
}

/** A folder of its own for one test, removed with `using`. `name` becomes the last part of its path. */
export function tempFolder(name = "project"): TempFolder {
  const outer = mkdtempSync(join(realpathSync(tmpdir()), "wave-test-"));
  const path = join(outer, name);
  mkdirSync(path);
  return {
    path,
    [Symbol.dispose]: () => rmSync(outer, { recursive: true, force: true }),
  };
}

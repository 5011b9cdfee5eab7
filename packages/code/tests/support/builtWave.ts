import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** Vitest's global set-up: the tests start the real program, so the bundle must not be older than the sources. */
export function setup(): void {
  const bundle = join(root, "packages/code/dist/cli.js");
  const built = existsSync(bundle) ? statSync(bundle).mtimeMs : 0;
  const newest = Math.max(
    ...["packages/code/src", "packages/agent-sdk/src", "packages/shell-reader/src"].map((folder) =>
      newestIn(join(root, folder)),
    ),
  );
  if (built > newest) return;
  execFileSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: "inherit" });
}

function newestIn(folder: string): number {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) =>
    entry.isFile(),
  );
  return Math.max(0, ...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DEMO_FILES } from "./files.ts";

export interface DemoProject extends Disposable {
  folder: string;
  /** A WAVE_HOME of its own: the demo reads no settings of the user's and leaves no session behind. */
  home: string;
}

export function makeProject(): DemoProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "wave-demo-")));
  const remove = () => rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  // Also when something ends the process without a word to us.
  process.on("exit", remove);
  const folder = join(root, "project");
  for (const { path, text, executable } of DEMO_FILES) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: executable ? 0o700 : 0o600 });
  }
  return {
    folder,
    home: join(root, "home"),
    [Symbol.dispose]: () => {
      remove();
      process.off("exit", remove);
    },
  };
}

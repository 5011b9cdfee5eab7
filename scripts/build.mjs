// Builds the command `wave` without a word unless there is something to say: rolldown lists its chunks on stdout at
// every log level, and puts warnings and errors on stderr.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const rolldown = fileURLToPath(new URL("../node_modules/rolldown/bin/cli.mjs", import.meta.url));
const { status } = spawnSync(process.execPath, [rolldown, "-c", "--logLevel", "warn"], {
  cwd: root,
  stdio: ["ignore", "ignore", "inherit"],
});
process.exitCode = status ?? 1;

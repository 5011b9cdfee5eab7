// Makes a fresh clone ready: installs when the lockfile is newer than what is installed, builds when a source is
// newer than the bundle. Plain JavaScript, because it runs before Node 24 and the build tool are there.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

const installed = modified(join(root, "node_modules", ".package-lock.json"));
if (installed < modified(join(root, "package-lock.json"))) {
  say("installing (first run, or the lockfile changed)");
  npm("ci");
} else if (newest(join(root, "packages")) > modified(join(root, "packages", "code", "dist", "cli.js"))) {
  say("building");
  npm("run", "--silent", "prepare");
}

/** The newest source file below a folder: what the bundle must not be older than. */
function newest(folder) {
  let latest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const parent = entry.parentPath ?? entry.path;
    if (!entry.isFile() || !parent.includes("src") || parent.includes("node_modules")) continue;
    latest = Math.max(latest, modified(join(parent, entry.name)));
  }
  return latest;
}

function npm(...args) {
  // npm's own output goes to stderr, so that `npm start -s -- -p …` keeps a clean stdout.
  const cli = process.env.npm_execpath;
  const [command, first] = cli ? [process.execPath, [cli]] : ["npm", []];
  execFileSync(command, [...first, ...args], { cwd: root, stdio: ["ignore", 2, 2] });
}

function say(what) {
  process.stderr.write(`wave: ${what}\n`);
}

// npm 10 loses node_modules/.bin/node when several platform packages share the bin name "node". Put the link back;
// take it away where the downloaded binary cannot run (musl), so that the system's Node is used.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

if (process.platform !== "win32") {
  const link = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));
  const target = join("..", `node-${process.platform}-${process.arch}`, "bin", "node");
  const binary = resolve(dirname(link), target);
  if (existsSync(binary)) linkOrRemove(binary, link, target);
}

function linkOrRemove(binary, link, target) {
  try {
    execFileSync(binary, ["-v"], { stdio: "ignore" });
  } catch {
    rmSync(link, { force: true });
    return;
  }
  if (existsSync(link)) return;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(target, link);
}

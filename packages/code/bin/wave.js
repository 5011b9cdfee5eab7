#!/usr/bin/env node
// The launcher is committed JavaScript: npm links a bin only if the file exists at install time.
const NEEDED = 24;
/** In bytes. */
const LEAST_FREE = 50 * 1024 * 1024;

// At SIGUSR1 Node would open its inspector, through which any program of this user could run code in Wave.
process.on("SIGUSR1", () => {});

if (Number(process.versions.node.split(".")[0]) >= NEEDED) {
  keepCompiledCode();
  await import("../dist/cli.js");
} else {
  const { findNode, launch } = await import("./launch.js");
  const binary = findNode();
  if (binary) {
    const { fileURLToPath } = await import("node:url");
    launch(binary, [fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
  } else {
    process.stderr.write(
      `wave: needs Node ${NEEDED} or newer, this is ${process.version}. Install Node ${NEEDED} (https://nodejs.org) and start wave again.\n`,
    );
    process.exitCode = 1;
  }
}

/**
 * Makes the next start faster. Not in the temporary folder, where Node would put it: there a command in the sandbox, or
 * another user, could change what Wave runs next time.
 */
function keepCompiledCode() {
  // Not imported: that has Node load far more than is used here, and the start is what this is about.
  const { existsSync, mkdirSync, statfsSync } = process.getBuiltinModule("node:fs");
  const { enableCompileCache } = process.getBuiltinModule("node:module");
  const { homedir } = process.getBuiltinModule("node:os");
  const path = process.getBuiltinModule("node:path");
  const home = process.env.WAVE_HOME?.trim() || path.join(homedir(), ".wave");
  // Below the folder Wave was started in there may be somebody else's project.
  if (!path.isAbsolute(home)) return;
  const folder = path.join(home, "cache");
  const before = process.umask(0o077);
  try {
    for (const one of [home, folder]) if (!existsSync(one)) mkdirSync(one);
    const { bavail, bsize } = statfsSync(folder);
    // What is left belongs to the session: on a full disk Node leaves an empty file for every module.
    if (bavail * bsize >= LEAST_FREE) enableCompileCache(folder);
  } catch {
    // No home that can be written: Wave starts all the same, and says so when it wants to keep a session.
  } finally {
    process.umask(before);
  }
}

#!/usr/bin/env node
// The launcher is committed JavaScript: npm links a bin only if the file exists at install time.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NEEDED = 24;

if (Number(process.versions.node.split(".")[0]) >= NEEDED) {
  module.enableCompileCache?.();
  await import("../dist/cli.js");
} else {
  restartOnNode24();
}

function restartOnNode24() {
  const binary = findNode24();
  if (!binary) {
    process.stderr.write(
      `wave: needs Node ${NEEDED} or newer, this is ${process.version}. Install Node ${NEEDED}, or run wave through npm.\n`,
    );
    process.exit(1);
  }
  const child = spawn(binary, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // The terminal sends Ctrl-C to both of us; the child decides what it means.
  process.on("SIGINT", () => {});
  child.on("exit", (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
    process.exit(code ?? 1);
  });
}

function findNode24() {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const binary = join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
    return existsSync(binary) ? binary : undefined;
  } catch {
    // Not installed beside Wave: the message above says what to do.
    return undefined;
  }
}

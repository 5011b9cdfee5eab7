// Runs Wave on the Node that came with it, when the one that was started is too old. Plain JavaScript for old Nodes.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * A signal to the whole process group (Ctrl-C in a terminal) reaches Wave from the system as well; one to this process
 * alone does not, and from here the two look the same. So each is told to Wave as a message, never sent on as a second
 * signal, and Wave counts a pair as one. When this process dies the channel closes, and Wave ends as after SIGHUP.
 */
export function launch(binary, args) {
  const child = spawn(binary, args, {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, WAVE_LAUNCHED: "1" },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      // The channel is gone when Wave is just ending: then there is nobody left to tell.
      if (child.connected) child.send({ signal }, () => {});
    });
  }
  child.on("error", (error) => {
    process.stderr.write(`wave: ${binary} cannot be started (${error.message}). Install Node 24.\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
    process.exit(code ?? 1);
  });
}

/** The Node 24 that npm installed beside Wave, if it did. */
export function findNode() {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const binary = join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
    return existsSync(binary) ? binary : undefined;
  } catch {
    // Not installed beside Wave: the message in wave.js says what to do.
    return undefined;
  }
}

import { spawnSync } from "node:child_process";

/**
 * Runs a TypeScript program with a small disk of its own, mounted on `folder` and seen by nobody else. Returns what it
 * printed, or why this machine cannot do that.
 */
export function onOwnDisk(
  folder: string,
  mountOptions: string,
  program: string,
  args: readonly string[],
): { output: string } | { impossible: string } {
  const script = 'mount -t tmpfs -o "$1" tmpfs "$2" || exit 99; shift 2; exec "$@"';
  const command = ["-rm", "sh", "-c", script, "sh", mountOptions, folder, process.execPath, program, ...args];
  const run = spawnSync("unshare", command, { encoding: "utf8", timeout: 120_000 });
  if (run.error) return { impossible: `unshare cannot be started: ${run.error.message}` };
  const refused = run.status === 99 || (run.stdout === "" && run.stderr.startsWith("unshare:"));
  if (refused) return { impossible: `no mounts of one's own here: ${run.stderr.trim()}` };
  if (run.status !== 0) throw new Error(`${program} ended with ${run.status ?? run.signal}: ${run.stderr}`);
  return { output: run.stdout };
}

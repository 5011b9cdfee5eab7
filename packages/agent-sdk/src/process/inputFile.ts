import { randomUUID } from "node:crypto";
import { closeSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A process's input as an open file that has no name any more. Node's own pipes are sockets, and many scripts read `/dev/stdin`, which
 * cannot be opened when it is a socket: a guard that does would fail. Undefined when no file can be written.
 */
export function openInput(text: string | Buffer): number | undefined {
  const path = join(tmpdir(), `.wave-input-${randomUUID()}`);
  try {
    writeFileSync(path, text, { mode: 0o600, flag: "wx" });
  } catch {
    // A full disk: it gets a socket, as most programs can read.
    remove(path);
    return undefined;
  }
  try {
    return openSync(path, "r");
  } catch {
    return undefined;
  } finally {
    remove(path);
  }
}

/** The process has its own by now. */
export function closeInput(input: number | undefined): void {
  if (input !== undefined) closeSync(input);
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never made.
  }
}

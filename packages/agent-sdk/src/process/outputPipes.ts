import { spawnSync } from "node:child_process";
import { closeSync, constants, mkdirSync, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { temporaryName, type RunRegister } from "./runRegister.ts";

/** A process writes into it, Wave reads from it. */
export interface OutputPipe {
  /** For the process; `closeWriter` closes Wave's own copy once the process has started. */
  writer: number;
  reader: Socket;
}

/** For two outputs of four commands: a program has to be started for it, and starting one takes milliseconds. */
const MADE_AT_ONCE = 8;

/** Open at both ends, and without a name. */
const ready: { writer: number; reading: number }[] = [];
let isImpossible = process.platform === "win32";

/**
 * A pipe for what a command prints. Node's own pipes are sockets, and nobody can open a socket by its name: `echo x > /dev/stderr`
 * would fail. Node makes no pipes, but it opens named ones. Undefined where there are none: then it is a socket.
 */
export function openOutputPipe(register: Pick<RunRegister, "making"> | undefined): OutputPipe | undefined {
  if (ready.length === 0 && !isImpossible) makePipes(register);
  const pipe = ready.pop();
  if (!pipe) return undefined;
  return { writer: pipe.writer, reader: new Socket({ fd: pipe.reading, readable: true, writable: false }) };
}

export function closeWriter(pipe: OutputPipe | undefined): void {
  if (pipe) closeSync(pipe.writer);
}

function makePipes(register: Pick<RunRegister, "making"> | undefined): void {
  const folder = join(tmpdir(), temporaryName());
  // For the next Wave, should this one be killed before the names are gone.
  const isGone = register?.making(folder, "folder");
  try {
    mkdirSync(folder, 0o700);
    const paths = Array.from({ length: MADE_AT_ONCE }, (_, index) => join(folder, String(index)));
    const made = spawnSync("mkfifo", ["-m", "600", ...paths], { stdio: "ignore", timeout: 5_000 });
    if (made.status !== 0) throw new Error("no named pipes here");
    for (const path of paths) {
      // The reader first, without waiting for a writer. The writer waits when the pipe is full, as programs expect.
      const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      ready.push({ reading, writer: openSync(path, constants.O_WRONLY) });
    }
  } catch {
    // A full disk, no `mkfifo`, or too many open files.
    isImpossible = ready.length === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    isGone?.();
  }
}

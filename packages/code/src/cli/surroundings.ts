import type { Readable } from "node:stream";
import { sinkFor, type Sink } from "../output/sink.ts";
import { Signals } from "./signals.ts";
import { readVersion } from "./version.ts";

/** Everything outside that a command touches, so that a command is a function of its arguments. */
export interface Surroundings {
  stdin: Readable & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };
  stdout: Sink;
  stderr: Sink;
  env: Record<string, string | undefined>;
  /** Reading it throws when the folder was deleted. */
  readonly cwd: string;
  version: string;
  signals: Signals;
}

export function surroundingsOf(program: NodeJS.Process): Surroundings {
  return {
    // Only when somebody asks: `wave --help` opens no pipe, reads no file, and needs no folder.
    get stdin() {
      return program.stdin;
    },
    get version() {
      return readVersion();
    },
    stdout: sinkFor(program.stdout, program.env),
    stderr: sinkFor(program.stderr, program.env),
    env: program.env,
    get cwd() {
      return program.cwd();
    },
    signals: new Signals(program),
  };
}

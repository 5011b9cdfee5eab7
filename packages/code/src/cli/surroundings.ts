import type { Readable } from "node:stream";
import { sinkFor, type Sink } from "../output/sink.ts";
import { readVersion } from "./version.ts";

/** Everything outside that a command touches, so that a command is a function of its arguments. */
export interface Surroundings {
  stdin: Readable & { isTTY?: boolean };
  stdout: Sink;
  stderr: Sink;
  env: Record<string, string | undefined>;
  cwd: string;
  version: string;
}

export function surroundingsOf(program: NodeJS.Process): Surroundings {
  return {
    // Both only when somebody asks: `wave --help` opens no pipe and reads no file.
    get stdin() {
      return program.stdin;
    },
    get version() {
      return readVersion();
    },
    stdout: sinkFor(program.stdout, program.env),
    stderr: sinkFor(program.stderr, program.env),
    env: program.env,
    cwd: program.cwd(),
  };
}

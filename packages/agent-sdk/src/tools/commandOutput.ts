import type { Captured, ProcessEnd } from "../services/process.ts";

/** What the model gets of one command, both streams together. */
export const MAX_OUTPUT_CHARACTERS = 30_000;
/** Kept of each stream; a little less, so that the line that marks a cut has room. */
export const KEPT_OUTPUT_BYTES = MAX_OUTPUT_CHARACTERS - 100;
/** stderr may be pushed out of the way by a chatty stdout, but not below this. */
const STDERR_SHARE = 10_000;

/** stdout, then stderr; each with its middle cut out where both together are too long. */
export function joinOutput(stdout: Captured, stderr: Captured): string {
  const room = Math.max(STDERR_SHARE, MAX_OUTPUT_CHARACTERS - stdout.text.length);
  const errors = shrink(stderr, room);
  const output = shrink(stdout, Math.max(MAX_OUTPUT_CHARACTERS - errors.length, 0));
  return [output, errors]
    .map((text) => text.replace(/\n+$/, ""))
    .filter((text) => text !== "")
    .join("\n");
}

export function describeEnd(end: ProcessEnd): string {
  switch (end.end) {
    case "exited":
      return `Exit code ${end.code}`;
    case "signalled":
      return `Killed by ${end.signal}`;
    case "timed-out":
      return `Timed out after ${seconds(end.afterMs)} s: the command and everything it started were ended`;
    case "aborted":
      return "Stopped";
    case "not-started":
      return `Not started: ${end.message}`;
  }
}

export function seconds(milliseconds: number): string {
  return String(Math.round(milliseconds / 100) / 10);
}

/** Cuts again what may have been cut before; the count is of all bytes that are missing. */
function shrink({ text, bytes }: Captured, characters: number): string {
  if (text.length <= characters) return text;
  const half = Math.floor(Math.max(characters - 100, 0) / 2);
  const head = text.slice(0, half).toWellFormed();
  const tail = text.slice(text.length - half).toWellFormed();
  const cut = bytes - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return `${head}\n[… ${cut.toLocaleString("en-US")} bytes cut …]\n${tail}`;
}

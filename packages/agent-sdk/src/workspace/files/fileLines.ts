import { createReadStream } from "node:fs";
import { openPlainFile } from "./plainFile.ts";

export interface FileLine {
  /** From 1. */
  number: number;
  /** Without the newline. Valid as long as the caller holds it; not decoded, so that damage can be seen. */
  bytes: Buffer;
  /** False for bytes after the last newline. */
  finished: boolean;
}

const NEWLINE = 0x0a;
const CHUNK = 1024 * 1024;

/**
 * The lines of a file, as many at a time as one chunk completes: awaiting every line by itself would cost more than
 * reading it. At no time is more than one chunk and one line in memory.
 */
export async function* fileLines(file: string): AsyncGenerator<FileLine[], void, undefined> {
  let number = 0;
  let begun: Buffer[] = [];
  const chunks: AsyncIterable<Buffer> = createReadStream(file, {
    fd: openPlainFile(file),
    highWaterMark: CHUNK,
  });
  for await (const chunk of chunks) {
    const lines: FileLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const rest = chunk.subarray(start, end);
      const bytes = begun.length > 0 ? Buffer.concat([...begun, rest]) : rest;
      lines.push({ number: ++number, bytes, finished: true });
      begun = [];
      start = end + 1;
    }
    if (start < chunk.length) begun.push(chunk.subarray(start));
    yield lines;
  }
  if (begun.length > 0) yield [{ number: number + 1, bytes: Buffer.concat(begun), finished: false }];
}

import { readSync } from "node:fs";

/** How a session file ends: what the next line has to know. */
export interface SessionTail {
  /** Of the last line that shows one; 0 when none does. */
  lastSeq: number;
  /** Bytes after the last newline: half a record of a crash. */
  tornBytes: number;
  /** At least one line was finished. */
  hasLines: boolean;
}

const NEWLINE = 0x0a;
const CHUNK = 64 * 1024;

/** Reads backwards from the end, so that the length of the session does not matter. */
export function readTail(fd: number, size: number): SessionTail {
  const lastLineStart = lineStart(fd, size);
  const tail = { tornBytes: size - lastLineStart, hasLines: lastLineStart > 0 };
  for (let start = lastLineStart, end = size; end > 0;) {
    const seq = seqAt(fd, start, end);
    if (seq !== undefined) return { ...tail, lastSeq: seq };
    end = start - 1;
    start = lineStart(fd, end);
  }
  return { ...tail, lastSeq: 0 };
}

/** The offset after the last newline before `end`. */
function lineStart(fd: number, end: number): number {
  const chunk = Buffer.alloc(CHUNK);
  for (let to = end; to > 0;) {
    const from = Math.max(0, to - CHUNK);
    const read = readSync(fd, chunk, 0, to - from, from);
    const newline = chunk.subarray(0, read).lastIndexOf(NEWLINE);
    if (newline !== -1) return from + newline + 1;
    to = from;
  }
  return 0;
}

// Wave puts `seq` near the beginning of every line, so a line of many megabytes need not be read to know it.
function seqAt(fd: number, start: number, end: number): number | undefined {
  if (end <= start) return undefined;
  const head = Buffer.alloc(Math.min(64, end - start));
  readSync(fd, head, 0, head.length, start);
  const seq = /^\{"v":\d+,"seq":(\d{1,15}),/.exec(head.toString("latin1"))?.[1];
  return seq === undefined ? undefined : Number(seq);
}

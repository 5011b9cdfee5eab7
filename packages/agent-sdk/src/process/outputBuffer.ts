import { cutLine } from "../utils/cutLine.ts";
import type { Captured } from "./processRun.ts";

/**
 * Keeps the first and the last bytes of a stream and counts the rest, so that a program may print a gigabyte and costs
 * no more than `keepBytes`. Bytes are copied into two flat buffers: a list of chunks would pin Node's 64 KiB slabs, and
 * a program that writes one byte at a time would cost a hundred bytes for each.
 */
export class OutputBuffer {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #head = Buffer.alloc(0);
  #headLength = 0;
  #tail = Buffer.alloc(0);
  /** Bytes that did not fit into the head; the last `#tailLimit` of them are in `#tail`, as a ring. */
  #beyondHead = 0;

  constructor(keepBytes: number) {
    this.#headLimit = Math.ceil(keepBytes / 2);
    this.#tailLimit = Math.floor(keepBytes / 2);
  }

  push(chunk: Buffer): void {
    const forHead = chunk.subarray(0, this.#headLimit - this.#headLength);
    if (forHead.length > 0) this.#addToHead(forHead);
    const rest = chunk.subarray(forHead.length);
    if (rest.length > 0) this.#addToTail(rest);
  }

  captured(): Captured {
    const head = this.#head.subarray(0, this.#headLength);
    const tail = this.#tailInOrder();
    const bytes = this.#headLength + this.#beyondHead;
    if (bytes === head.length + tail.length) {
      // Decoded as one piece: the seam between head and tail may lie inside a character.
      return { text: Buffer.concat([head, tail]).toString("utf8"), bytes, cut: 0 };
    }
    const wholeHead = head.subarray(0, head.length - unfinishedAtEnd(head));
    const wholeTail = tail.subarray(unfinishedAtStart(tail));
    const cut = bytes - wholeHead.length - wholeTail.length;
    return { text: joinAroundCut(wholeHead.toString("utf8"), wholeTail.toString("utf8"), cut), bytes, cut };
  }

  #addToHead(piece: Buffer): void {
    const needed = this.#headLength + piece.length;
    if (needed > this.#head.length) {
      const grown = Buffer.alloc(Math.min(this.#headLimit, Math.max(needed, this.#head.length * 2)));
      this.#head.copy(grown, 0, 0, this.#headLength);
      this.#head = grown;
    }
    piece.copy(this.#head, this.#headLength);
    this.#headLength = needed;
  }

  #addToTail(piece: Buffer): void {
    const size = this.#tailLimit;
    if (this.#tail.length === 0) this.#tail = Buffer.alloc(size);
    const last = piece.subarray(Math.max(0, piece.length - size));
    const end = this.#beyondHead + piece.length;
    if (last.length > 0) {
      const at = (end - last.length) % size;
      const untilWrap = last.copy(this.#tail, at, 0, Math.min(last.length, size - at));
      last.copy(this.#tail, 0, untilWrap);
    }
    this.#beyondHead = end;
  }

  #tailInOrder(): Buffer {
    if (this.#beyondHead <= this.#tailLimit) return this.#tail.subarray(0, this.#beyondHead);
    const oldest = this.#tailLimit === 0 ? 0 : this.#beyondHead % this.#tailLimit;
    return Buffer.concat([this.#tail.subarray(oldest), this.#tail.subarray(0, oldest)]);
  }
}

function joinAroundCut(head: string, tail: string, cut: number): string {
  const before = head === "" || head.endsWith("\n") ? head : `${head}\n`;
  const after = tail.startsWith("\n") ? tail : `\n${tail}`;
  return `${before}${cutLine(cut)}${after}`;
}

/** How many bytes at the end begin a UTF-8 character without finishing it. */
function unfinishedAtEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return back < characterLength(byte) ? back : 0;
  }
  return 0;
}

/** How many bytes at the start belong to a character whose first byte is gone. */
function unfinishedAtStart(bytes: Buffer): number {
  let count = 0;
  while (count < Math.min(3, bytes.length) && isContinuation(bytes[count] ?? 0)) count++;
  return count;
}

function isContinuation(byte: number): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
}

function characterLength(firstByte: number): number {
  if (firstByte >= 0xf0 && firstByte <= 0xf4) return 4;
  if (firstByte >= 0xe0 && firstByte < 0xf0) return 3;
  if (firstByte >= 0xc2 && firstByte < 0xe0) return 2;
  return 1;
}

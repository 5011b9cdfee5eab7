import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { setImmediate as nextTurn } from "node:timers/promises";
import { OutputBuffer } from "./outputBuffer.ts";
import type { Captured } from "./processRun.ts";

/**
 * A turn of the event loop reads at least 64 KiB of what waits in a pipe, and the kernel holds a few hundred KiB at
 * most, so after this many turns everything written before the exit has been read. Without the limit a background
 * child that never stops printing would keep the result waiting for ever.
 */
const MOST_TURNS = 32;

/** What a background child may still print after the verdict before its pipe is closed on it. */
const BACKGROUND_BYTES = 64 * 1024 * 1024;

/** One output stream of a process, read from the first byte so that the process never waits for Wave. */
export class OutputStream {
  readonly #stream: Readable;
  readonly #kept: OutputBuffer;
  readonly #decoder = new StringDecoder("utf8");
  readonly #onText: ((text: string) => void) | undefined;
  #bytes = 0;
  #ended = false;
  readonly #read = (chunk: Buffer) => {
    this.#bytes += chunk.length;
    this.#kept.push(chunk);
    if (this.#onText) this.#tell(this.#decoder.write(chunk));
  };

  constructor(stream: Readable, keepBytes: number, onText: ((text: string) => void) | undefined) {
    this.#stream = stream;
    this.#kept = new OutputBuffer(keepBytes);
    this.#onText = onText;
    stream.on("data", this.#read);
    const ended = () => {
      this.#ended = true;
    };
    stream.once("end", ended).once("close", ended);
    // A pipe that breaks has no more to say; what came before it stands.
    stream.on("error", () => {});
  }

  get bytes(): number {
    return this.#bytes;
  }

  get ended(): boolean {
    return this.#ended;
  }

  captured(): Captured {
    return this.#kept.captured();
  }

  /**
   * The process is over, but a background child may still hold the pipe. It goes on living and printing (closing the
   * pipe would kill it with SIGPIPE at its next line); nobody keeps what it prints, and Wave can exit meanwhile.
   */
  letGo(): void {
    this.#stopReading();
    if (this.#ended) return;
    let late = 0;
    this.#stream.on("data", (chunk: Buffer) => {
      late += chunk.length;
      if (late > BACKGROUND_BYTES) this.#stream.destroy();
    });
    if (this.#stream instanceof Socket) this.#stream.unref();
  }

  close(): void {
    this.#stopReading();
    this.#stream.destroy();
  }

  #stopReading(): void {
    this.#stream.off("data", this.#read);
    this.#tell(this.#decoder.end());
  }

  #tell(text: string): void {
    if (text !== "") this.#onText?.(text);
  }
}

/**
 * Resolves when everything that was printed before the exit has been read: both streams ended, or a whole turn of the
 * event loop brought nothing new. No timer, and no waiting for whoever else holds the pipes.
 */
export async function drained(streams: readonly OutputStream[]): Promise<void> {
  // The exit may be reported in the middle of a turn, after the pipes were looked at: the first turn does not count.
  await nextTurn();
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    if (streams.every((stream) => stream.ended)) return;
    const before = total(streams);
    await nextTurn();
    if (total(streams) === before) return;
  }
}

function total(streams: readonly OutputStream[]): number {
  return streams.reduce((sum, stream) => sum + stream.bytes, 0);
}

import type { Writable } from "node:stream";

/** Where text goes: a stream that may go away while it is written to. */
export interface Sink {
  write(text: string): void;
  readonly isTTY: boolean;
  /** Columns of the terminal; in a pipe, what COLUMNS says, or 80. */
  readonly columns: number;
  /** The code of the error that ended the stream, if one did: EPIPE when nobody reads, ENOSPC when a disk is full. */
  readonly brokenBy: string | undefined;
  /** Resolves when everything written has left the process, or the reader is gone. */
  flush(): Promise<void>;
  /** Called once, when `brokenBy` has become known. */
  onBroken(listener: (code: string) => void): void;
}

export function sinkFor(
  stream: Writable & { isTTY?: boolean; columns?: number },
  env: Record<string, string | undefined>,
): Sink {
  let brokenBy: string | undefined;
  const listeners: ((code: string) => void)[] = [];
  const broke = (error: Error & { code?: string }): void => {
    if (brokenBy !== undefined) return;
    brokenBy = error.code ?? "EIO";
    for (const listener of listeners) listener(brokenBy);
  };
  stream.on("error", broke);
  return {
    write(text) {
      if (brokenBy === undefined && text !== "") stream.write(text);
    },
    get brokenBy() {
      return brokenBy;
    },
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.columns ?? (Number.parseInt(env["COLUMNS"] ?? "", 10) || 80);
    },
    async flush() {
      if (brokenBy !== undefined || stream.writableEnded) return;
      // The callback comes with the error of the write before it, and earlier than the event that tells of it: whoever
      // waits here decides by `brokenBy` next.
      await new Promise<void>((resolve) =>
        stream.write("", (error) => {
          if (error) broke(stream.errored ?? error);
          resolve();
        }),
      );
    },
    onBroken(listener) {
      if (brokenBy === undefined) listeners.push(listener);
      else listener(brokenBy);
    },
  };
}

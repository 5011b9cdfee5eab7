import type { Readable } from "node:stream";
import { sizeOf } from "../utils/sizeOf.ts";

export interface PipedText {
  text: string;
  /** The bytes were not UTF-8 throughout; what could not be read is U+FFFD in `text`. */
  replaced: boolean;
}

const QUIET_MS = 3000;

/** More than the largest context of any model holds, and little enough to be kept in memory several times. */
const MOST_BYTES = 32 * 1024 * 1024;

/** What is piped in has no end, or none in reach. */
export class PipedTooLong extends Error {
  constructor(mostBytes: number) {
    super(
      `The piped input is longer than ${sizeOf(mostBytes)}, the most that a prompt can have, so nothing was sent: put it into a file and name the file in the prompt.`,
    );
  }
}

interface Reading {
  /** Called once when nothing at all came for a while. */
  onQuiet: () => void;
  mostBytes?: number;
}

/** Reads piped input to its end. */
export async function readPiped(
  stdin: Readable,
  { onQuiet, mostBytes = MOST_BYTES }: Reading,
): Promise<PipedText> {
  const quiet = setTimeout(onQuiet, QUIET_MS);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stdin) {
      clearTimeout(quiet);
      const read = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      bytes += read.length;
      if (bytes > mostBytes) throw new PipedTooLong(mostBytes);
      chunks.push(read);
    }
  } finally {
    clearTimeout(quiet);
  }
  return decode(Buffer.concat(chunks));
}

export function decode(bytes: Buffer): PipedText {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), replaced: false };
  } catch {
    // The only thing a fatal decoder throws for.
    return { text: new TextDecoder("utf-8").decode(bytes), replaced: true };
  }
}

/** In brackets behind "There is no prompt", where something was piped in. */
export function blankInput(piped: string | undefined): string {
  if (piped === undefined || piped === "" || piped.trim() !== "") return "";
  return ` (the piped input, ${sizeOf(Buffer.byteLength(piped))}, is nothing but blanks)`;
}

/** The prompt of the command line with the piped text behind it; undefined when there is neither. */
export function joinPrompt(argument: string | undefined, piped: string | undefined): string | undefined {
  const parts = [argument, piped].filter((part): part is string => part !== undefined && part.trim() !== "");
  return parts.length > 0 ? parts.join("\n\n") : undefined;
}

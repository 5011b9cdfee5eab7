import type { Readable } from "node:stream";

export interface PipedText {
  text: string;
  /** The bytes were not UTF-8 throughout; what could not be read is U+FFFD in `text`. */
  replaced: boolean;
}

const QUIET_MS = 3000;

/** Reads piped input to its end. `onQuiet` is called once when nothing at all came for a while. */
export async function readPiped(stdin: Readable, onQuiet: () => void): Promise<PipedText> {
  const quiet = setTimeout(onQuiet, QUIET_MS);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stdin) {
      clearTimeout(quiet);
      chunks.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
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

/** The prompt of the command line with the piped text behind it; undefined when there is neither. */
export function joinPrompt(argument: string | undefined, piped: string | undefined): string | undefined {
  const parts = [argument, piped].filter((part): part is string => part !== undefined && part.trim() !== "");
  return parts.length > 0 ? parts.join("\n\n") : undefined;
}

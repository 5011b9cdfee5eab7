/**
 * Keeps the first and the last part of a long text, with a mark between them that says how much is missing.
 * Counts bytes of UTF-8 and never splits a character.
 */
export function headAndTail(text: string, maxBytes: number): { text: string; cutBytes: number } {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return { text, cutBytes: 0 };
  const half = Math.floor(maxBytes / 2);
  const buffer = Buffer.from(text);
  const head = withoutBrokenEnd(buffer.subarray(0, half));
  const tail = withoutBrokenStart(buffer.subarray(bytes - half));
  const cutBytes = bytes - head.length - tail.length;
  return { text: `${head.toString()}\n[… ${cutBytes} bytes cut …]\n${tail.toString()}`, cutBytes };
}

/** The same, counted in characters as JavaScript counts them; a pair that makes one sign is not split. */
export function headAndTailOfCharacters(text: string, most: number): { text: string; cut: number } {
  if (text.length <= most) return { text, cut: 0 };
  const half = Math.floor(most / 2);
  const head = text.slice(0, half).replace(/[\ud800-\udbff]$/, "");
  const tail = text.slice(text.length - half).replace(/^[\udc00-\udfff]/, "");
  const cut = text.length - head.length - tail.length;
  return { text: `${head}\n[… ${cut} characters cut …]\n${tail}`, cut };
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

function withoutBrokenStart(buffer: Buffer): Buffer {
  let start = 0;
  while (isContinuation(buffer[start])) start++;
  return buffer.subarray(start);
}

function withoutBrokenEnd(buffer: Buffer): Buffer {
  let start = buffer.length - 1;
  while (start > 0 && isContinuation(buffer[start])) start--;
  const lead = buffer[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + length > buffer.length ? buffer.subarray(0, start) : buffer;
}

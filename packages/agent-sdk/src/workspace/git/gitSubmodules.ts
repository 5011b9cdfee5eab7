import { join } from "node:path";
import { isInside } from "../../permissions/paths.ts";
import { namesIn } from "../files/fileFacts.ts";
import { bytesOf, textOf, type Repository } from "./gitFacts.ts";

/**
 * The folders of a work tree that git enters as repositories of their own, as its index and `.gitmodules` name them. git itself
 * is not asked: where this is needed, its settings may already be somebody else's.
 */
export function submodulesOf({ top, gitDir }: Repository): string[] {
  const indexes = namesIn(gitDir).filter((name) => name === "index" || name.startsWith("sharedindex."));
  const named = [
    ...indexes.flatMap((name) => submodulesInIndex(bytesOf(join(gitDir, name)) ?? NOTHING)),
    ...submodulesInSettings(textOf(join(top, ".gitmodules")) ?? ""),
  ];
  const paths = named.map((path) => join(top, path));
  return [...new Set(paths)].filter((path) => path !== top && isInside(top, path) && !isInside(gitDir, path));
}

/** The values of `path` in a `.gitmodules`. */
export function submodulesInSettings(text: string): string[] {
  return [...text.matchAll(/^[ \t]*path[ \t]*=(.*)$/gim)]
    .map(([, value = ""]) => /^"?(.*?)"?$/s.exec(value.trim())?.[1] ?? "")
    .filter((path) => path !== "");
}

/** Entries with the mode of a submodule. What cannot be read as an index has none. */
export function submodulesInIndex(index: Buffer): string[] {
  if (!index.includes(SUBMODULE_MODE)) return [];
  return (entriesInIndex(index) ?? []).filter(({ mode }) => mode === SUBMODULE).map(({ path }) => path);
}

interface IndexEntry {
  path: string;
  mode: number;
}

/** Undefined when it cannot be read as an index. */
export function entriesInIndex(index: Buffer): IndexEntry[] | undefined {
  if (index.toString("latin1", 0, 4) !== "DIRC" || index.length < HEADER_BYTES) return undefined;
  // Which of the two is not written in the file: the one with which all of its entries can be read.
  return readEntries(index, SHA1_BYTES) ?? readEntries(index, SHA256_BYTES);
}

function readEntries(index: Buffer, hashBytes: number): IndexEntry[] | undefined {
  const version = index.readUInt32BE(4);
  const found: IndexEntry[] = [];
  let path = Buffer.alloc(0);
  let at = HEADER_BYTES;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + HASH_AT + hashBytes;
    if (flagsAt + 4 > index.length) return undefined;
    const flags = index.readUInt16BE(flagsAt);
    let nameAt = flagsAt + ((flags & EXTENDED) === 0 ? 2 : 4);
    let kept = 0;
    if (version === 4) {
      const dropped = readNumber(index, nameAt);
      nameAt = dropped.next;
      kept = path.length - dropped.value;
    }
    const end = index.indexOf(0, nameAt);
    if (end < 0 || kept < 0) return undefined;
    path = Buffer.concat([path.subarray(0, kept), index.subarray(nameAt, end)]);
    // A length that does not fit says that the entries do not begin where they were looked for.
    const length = flags & LENGTH;
    if (length !== LENGTH && length !== path.length) return undefined;
    found.push({ path: path.toString("utf8"), mode: index.readUInt32BE(at + MODE_AT) });
    at = version === 4 ? end + 1 : at + Math.ceil((end + 1 - at) / 8) * 8;
  }
  return found;
}

/** How many bytes of the name before are dropped: seven bits a byte, the highest says that more follow. */
function readNumber(index: Buffer, from: number): { value: number; next: number } {
  let byte = index[from] ?? 0;
  let value = byte & 0x7f;
  let next = from + 1;
  for (; (byte & 0x80) !== 0; next++) {
    byte = index[next] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next };
}

const NOTHING = Buffer.alloc(0);
const SUBMODULE = 0o160000;
const SUBMODULE_MODE = Buffer.from([0, 0, 0xe0, 0]);
const HEADER_BYTES = 12;
const MODE_AT = 24;
const HASH_AT = 40;
const SHA1_BYTES = 20;
const SHA256_BYTES = 32;
const EXTENDED = 0x4000;
const LENGTH = 0xfff;

import { basename } from "node:path";

/** A picture that a text names: `@shot.png`, or `@"my shot.png"`. */
export interface PictureMention {
  readonly start: number;
  readonly end: number;
  readonly path: string;
}

const ENDING = String.raw`\.(?:png|jpe?g|gif|webp)`;
const MENTION = new RegExp(
  String.raw`(?<=^|\s)@(?:"([^"\n]*${ENDING})"|([^\s"]*${ENDING}))(?=$|[\s,;:!?)]|\.(?:\s|$))`,
  "giu",
);

export function pictureMentions(text: string): PictureMention[] {
  if (!text.includes("@")) return [];
  return Array.from(text.matchAll(MENTION), (found) => ({
    start: found.index,
    end: found.index + found[0].length,
    path: found[1] ?? found[2] ?? "",
  }));
}

/** As the input shows it. */
export const pictureLabel = (number: number, path: string): string =>
  `[picture ${number}: ${basename(path)}]`;

export const mentionOf = (path: string): string => (/[\s"]/.test(path) ? `@"${path}"` : `@${path}`);

const PATH = new RegExp(String.raw`^(?:/|~/|\.{1,2}/|[A-Za-z]:[\\/]).*${ENDING}$`, "iu");

/**
 * What is pasted for the path of a picture, as terminals give one that was dropped on them: in quotes, with backslashes before
 * blanks, or as a file: address. Undefined for any other text.
 */
export function pastedPicture(text: string): string | undefined {
  const line = text.trim();
  if (line === "" || line.length > 4_096 || /[\r\n]/.test(line)) return undefined;
  const path = plainPath(line);
  return path !== undefined && PATH.test(path) && !path.includes('"') ? `${mentionOf(path)} ` : undefined;
}

function plainPath(line: string): string | undefined {
  const quoted = /^'([^']*)'$|^"([^"]*)"$/.exec(line);
  if (quoted) return quoted[1] ?? quoted[2];
  if (line.startsWith("file://")) return addressPath(line);
  if (/^[A-Za-z]:\\/.test(line)) return line;
  // A blank without a backslash parts two words: then it is a sentence, or several files.
  return /(?<!\\)\s/.test(line) ? undefined : line.replaceAll(/\\(.)/gu, "$1");
}

function addressPath(address: string): string | undefined {
  try {
    return decodeURIComponent(new URL(address).pathname);
  } catch {
    // No address, or one with a broken escape.
    return undefined;
  }
}

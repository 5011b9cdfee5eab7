import { fileURLToPath } from "node:url";

/** More than any call names; a longer list is cut, and the call is asked about anyway. */
const MOST_PATHS = 100;
const DEEPEST = 8;

/**
 * The texts of an input that are written like paths. What a server does with them nobody knows, so rules about files and
 * protected files judge each as if it may be read or written.
 */
export function mentionedPaths(input: unknown, depth = 0): string[] {
  if (typeof input === "string") return pathIn(input);
  if (typeof input !== "object" || input === null || depth > DEEPEST) return [];
  return Object.values(input)
    .flatMap((value) => mentionedPaths(value, depth + 1))
    .slice(0, MOST_PATHS);
}

function pathIn(text: string): string[] {
  if (text.length > 4_096 || /[\n\0]/.test(text)) return [];
  if (text.startsWith("file://")) {
    try {
      return [fileURLToPath(text)];
    } catch {
      // No address of a file on this machine.
      return [];
    }
  }
  const isPath =
    /^(?:~?\/|\.{1,2}\/)/.test(text) ||
    /^\.?[\w@+-][\w@+. -]*(?:\/[\w@+. -]+)+$/.test(text) ||
    /^\.[\w-]+$/.test(text);
  return isPath ? [text] : [];
}

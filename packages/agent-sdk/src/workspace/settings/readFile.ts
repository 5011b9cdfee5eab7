import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { parseTree, type ParseError } from "jsonc-parser";
import type { SettingsScope } from "../../hooks/definition.ts";
import type { SettingsProblem } from "./problem.ts";
import { quoted } from "../../utils/quoted.ts";
import { NotPlainFile, readPlainFile, readStream } from "../files/plainFile.ts";
import { kindOf, nodeOfJson, type SettingsObject } from "./node.ts";
import { syntaxProblem } from "./syntaxProblem.ts";

export type SettingsFile =
  | { found: "nothing" }
  /** `real` tells whether two names lead to the same file; `text` is what `root` was read from. */
  | { found: "settings"; real: string; root: SettingsObject; text: string; bom: boolean }
  | { found: "problem"; problem: SettingsProblem };

/** Nobody writes longer ones, and everything in them is looked at before Wave starts. */
const MOST_BYTES = 1024 * 1024;

/** Reads one file, without looking at what its settings mean. Comments and trailing commas are fine. */
export function readSettingsFile(scope: SettingsScope, file: string): SettingsFile {
  let bytes: Buffer;
  let real: string;
  try {
    const stat = statSync(file);
    if (stat.isDirectory()) return fatal(file, "this is a folder; a settings file is expected");
    // A pipe in a project would keep Wave waiting for ever. Behind --settings it is somebody's `<(…)`.
    if (!stat.isFile() && scope !== "flag")
      return fatal(file, "this is not a regular file; a settings file is expected");
    bytes = stat.isFile() ? readPlainFile(file, MOST_BYTES) : readStream(file, MOST_BYTES);
    real = realpathSync(file);
  } catch (error) {
    if (error instanceof NotPlainFile) return fatal(file, `this file cannot be read: ${error.message}`);
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code !== "ENOENT" && code !== "ENOTDIR")
      return fatal(file, `this file cannot be read (${code}); correct that or move it away`);
    const lost = [file, dirname(file)].find((path) => isLink(path) && !existsSync(path));
    if (lost !== undefined) return fatal(file, linkToNowhere(file, lost));
    if (scope === "flag") return fatal(file, "this file was named for this run and does not exist");
    return { found: "nothing" };
  }

  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Only the decoder throws here, and only for bytes that are not UTF-8.
    return fatal(file, "this file is not UTF-8 text; save it as UTF-8");
  }
  return parseSettings(file, { real, text, bom: bytes.indexOf(BOM) === 0 });
}

/** Some editors put it before the text. */
export const BOM = "\u{FEFF}";

/** Somebody wanted settings here. To take a link that leads nowhere for "no settings" would drop what they guard. */
function linkToNowhere(file: string, link: string): string {
  const what = link === file ? "this" : `the folder ${link}`;
  return `${what} is a link to ${quoted(readlinkSync(link))}, which leads nowhere; correct the link or remove it`;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    // ENOENT, ENOTDIR: there is nothing of that name, and so no link.
    return false;
  }
}

function parseSettings(file: string, read: { real: string; text: string; bom: boolean }): SettingsFile {
  const { text } = read;
  const errors: ParseError[] = [];
  const positionAt = positionsIn(text);
  try {
    const tree = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
    const first = errors[0];
    if (first !== undefined) return fatal(file, syntaxProblem(text, first), positionAt(first.offset));
    // A disk that was full, or an editor that was killed, leaves such a file: what it guarded would be gone without a word.
    if (text.trim() === "")
      return fatal(file, "this file is empty; restore it, write {} into it or remove it");
    if (tree === undefined)
      return { found: "settings", ...read, root: { path: "", line: 1, type: "object", entries: [] } };
    const root = nodeOfJson(tree, (offset) => positionAt(offset).line);
    if (root.type === "object") return { found: "settings", ...read, root };
    return fatal(file, `settings must be one object in { }, not ${kindOf(root)}`, positionAt(tree.offset));
  } catch (error) {
    if (error instanceof RangeError) return fatal(file, "this file is nested too deeply to be settings");
    throw error;
  }
}

interface Position {
  line: number;
  column: number;
}

export function positionsIn(text: string): (offset: number) => Position {
  const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map((end) => end.index + end[0].length)];
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

function fatal(file: string, message: string, position?: Position): SettingsFile {
  const problem: SettingsProblem = {
    severity: "fatal",
    file,
    line: position?.line,
    path: undefined,
    message,
  };
  if (position !== undefined) problem.column = position.column;
  return { found: "problem", problem };
}

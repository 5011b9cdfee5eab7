import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { errorCode } from "../utils/errorCode.ts";
import { NotPlainFile, readPlainStart } from "./files/plainFile.ts";

/** Where a project says what the model should know about it. */
export const INSTRUCTIONS_FILE = "AGENTS.md";

/** More of it the model does not get. */
export const INSTRUCTIONS_BYTES = 32 * 1024;

/** What of a project's instructions can reach the model. */
export type Instructions =
  | { found: "nothing" }
  | { found: "text"; bytes: Buffer; size: number }
  | { found: "problem"; code: string };

export function readInstructions(projectDir: string): Instructions {
  const path = join(projectDir, INSTRUCTIONS_FILE);
  try {
    const { bytes, size } = readPlainStart(path, INSTRUCTIONS_BYTES);
    if (bytes.toString("utf8").trim() === "") return { found: "nothing" };
    return { found: "text", bytes, size };
  } catch (error) {
    if (error instanceof NotPlainFile) return { found: "problem", code: error.message };
    const code = errorCode(error);
    return code === "ENOENT" || code === "ENOTDIR"
      ? { found: "nothing" }
      : { found: "problem", code: code ?? String(error) };
  }
}

/** As the model reads them; what is missing is said in its place. */
export function instructionsText(read: Instructions): string {
  if (read.found === "nothing") return "";
  if (read.found === "problem") return `[${INSTRUCTIONS_FILE} exists and could not be read: ${read.code}]`;
  const { bytes, size } = read;
  // The decoder keeps back half a character at the cut.
  const text = new StringDecoder("utf8")
    .write(bytes)
    .replace(/^\uFEFF/, "")
    .trim();
  return size > bytes.length
    ? `${text}\n[${INSTRUCTIONS_FILE} is cut here: ${bytes.length} of ${size} bytes are shown]`
    : text;
}

import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder, openToAppend, reasonOf } from "./privateFile.ts";

/** How many prompts come back, and how much of the file is read for them at most. */
const PROMPTS_READ = 500;
const BYTES_READ = 8 * 1024 * 1024;

export interface PromptHistory {
  /** Oldest first, as `PromptBox` wants them. */
  readonly prompts: readonly string[];
  /** One sentence for the person when the file could not be read. */
  readonly problem?: string;
}

export function historyFile(home: string): string {
  return join(home, "history.jsonl");
}

/** The last prompts. Half a last line (a crash) and lines that are no prompts are passed over. */
export function readHistory(home: string): PromptHistory {
  const file = historyFile(home);
  try {
    return { prompts: withoutRepeats(tailOf(file).split("\n").flatMap(promptIn)).slice(-PROMPTS_READ) };
  } catch (error) {
    if (reasonOf(error) === "ENOENT") return { prompts: [] };
    return {
      prompts: [],
      problem: `Earlier prompts are not there: ${file} cannot be read (${reasonOf(error)}).`,
    };
  }
}

/**
 * Adds a prompt for all later sessions; gives back a sentence when that failed. The caller decides what is added: a
 * prompt that a hook blocked must not be.
 */
export function addToHistory(home: string, text: string, at: Date): string | undefined {
  const file = historyFile(home);
  try {
    makePrivateFolder(home);
    const fd = openToAppend(file);
    try {
      const line = `${JSON.stringify({ at: at.toISOString(), text })}\n`;
      // One write for the whole line: two Waves that add at the same time do not mix. A line break first when a
      // crash left half a line, which would otherwise spoil this one as well.
      writeAll(fd, Buffer.from(endsMidLine(fd) ? `\n${line}` : line));
    } finally {
      closeSync(fd);
    }
    return undefined;
  } catch (error) {
    return `This prompt will not be remembered: ${file} cannot be written (${reasonOf(error)}).`;
  }
}

function tailOf(file: string): string {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, BYTES_READ));
    const read = readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    const text = bytes.subarray(0, read).toString("utf8");
    // The first line is cut when the file is longer than what is read.
    return size > bytes.length ? text.slice(text.indexOf("\n") + 1) : text;
  } finally {
    closeSync(fd);
  }
}

function promptIn(line: string): string[] {
  if (line.trim() === "") return [];
  try {
    const entry: unknown = JSON.parse(line);
    if (typeof entry !== "object" || entry === null || !("text" in entry)) return [];
    return typeof entry.text === "string" && entry.text !== "" ? [entry.text] : [];
  } catch {
    // Half a line: Wave was killed while it wrote. The prompts around it are still good.
    return [];
  }
}

function withoutRepeats(prompts: string[]): string[] {
  return prompts.filter((prompt, index) => prompt !== prompts[index + 1]);
}

function endsMidLine(fd: number): boolean {
  const { size } = fstatSync(fd);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, size - 1);
  return last.toString() !== "\n";
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
}

import type { DecisionRecord } from "wave-agent-sdk";
import { isInput } from "../view/toolInput.ts";
import { argumentOf } from "../view/toolLine.ts";

/** Enough to know which call it was. */
const LONGEST = 120;

/** What a call was about, in one line: the command, the file, the pattern. */
export function callWords(toolName: string, input: unknown): string {
  const words = isInput(input) ? argumentOf(toolName, input) : String(input);
  const [first = "", ...more] = words.split("\n");
  const letters = Array.from(first);
  const isCut = letters.length > LONGEST || more.length > 0;
  return `${letters.slice(0, LONGEST).join("")}${isCut ? " …" : ""}`;
}

/** The same from a record, which keeps the beginning of the input as JSON. */
export function recordedCall({ toolName = "", inputPreview }: DecisionRecord): string | undefined {
  if (inputPreview === undefined) return undefined;
  try {
    return callWords(toolName, JSON.parse(inputPreview));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return callWords(toolName, inputPreview);
  }
}

/** The flag that lets the same call run the next time. */
export const allowFlag = (rule: string) => `--allowed-tools '${rule.replaceAll("'", String.raw`'\''`)}'`;

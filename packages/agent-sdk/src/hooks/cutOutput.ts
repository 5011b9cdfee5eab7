import { parse } from "jsonc-parser";
import { cutLine } from "../utils/cutLine.ts";
import { readableJson } from "../utils/readable.ts";
import { closingBracket, nextStart } from "./findObjects.ts";
import { isForWave, isRecord } from "./outputFields.ts";
import type { HookExecutionResult } from "./result.ts";

/** Of an object out of whose middle Wave itself took something: what it seems to say, and what is to be said about it. */
export interface CutOutput {
  /** None is as it was printed, so nothing in them may let anything through. */
  ways: Record<string, unknown>[];
  broken: string;
}

/** A hook that explains its deny in three megabytes has denied: the object that was open at the cut is read as far as it goes. */
export function readCutOutput({ stdout = "", truncated }: HookExecutionResult): CutOutput | undefined {
  if (!truncated || truncated.stdout === 0) return undefined;
  const line = cutLine(truncated.stdout);
  const [head, tail] = around(stdout, `\n${line}`);
  if (head === undefined || tail === undefined) return undefined;
  const ways = openStarts(head).flatMap((start) => {
    const begun = head.slice(start);
    const joined = begun + tail.replace(/^\n/, "");
    // Mostly the cut is in a long text, and without it the two ends make a whole.
    const texts = [joined.slice(0, closingBracket(joined, 0)), begun];
    return texts.map(recovered).filter((way) => way !== undefined);
  });
  if (ways.length === 0) return undefined;
  return { ways, broken: `its output was too long, and Wave cut its JSON in the middle: ${line}` };
}

function around(text: string, middle: string): [head?: string, tail?: string] {
  const at = text.indexOf(middle);
  return at < 0 ? [] : [text.slice(0, at), text.slice(at + middle.length)];
}

/** Each is scanned to the end. */
const MOST_OPEN = 16;

/** Where an object begins that does not end. */
function openStarts(head: string): number[] {
  const starts: number[] = [];
  let from = 0;
  for (;;) {
    const start = nextStart(head, from, false);
    if (start === undefined || starts.length === MOST_OPEN) return starts;
    const end = head[start] === "{" ? closingBracket(head, start) : start + 1;
    if (end === undefined) starts.push(start);
    from = end ?? start + 1;
  }
}

function recovered(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parse(readableJson(text));
    return isRecord(value) && isForWave(value) ? value : undefined;
  } catch {
    // RangeError: nested deeper than the stack.
    return undefined;
  }
}

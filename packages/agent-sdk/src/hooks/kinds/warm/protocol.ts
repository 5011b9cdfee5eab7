import { z } from "zod";
import { once } from "../../../utils/once.ts";

/**
 * What is said between Wave and a process that stays: one line of JSON for each call, and one line of JSON as its answer. Answers may
 * come in any order. A process that is started for one call reads and prints the same.
 */

/** `input` is the line that any other hook reads on its stdin. */
export const requestLine = (id: number, input: string) => `{"id":${id},"input":${input.trimEnd()}}\n`;

const answerSchema = once(() =>
  // A name that is not known could be a misspelt decision, and is no silence.
  z.strictObject({
    id: z.number(),
    /** What another hook prints as JSON. */
    output: z.record(z.string(), z.unknown()).optional(),
    /** Or what it prints as text, how it ends, and what it says about that. */
    stdout: z.string().optional(),
    stderr: z.string().optional(),
    exitCode: z.int().min(0).max(255).optional(),
  }),
);

export interface WarmAnswer {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** A line that came, or why it is no answer; goes on after "it printed". */
export function readAnswer(line: string): { id: number; answer: WarmAnswer } | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { problem: "a line that is no JSON" };
  }
  const read = answerSchema().safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    const at = issue?.path.join(".") ?? "";
    return { problem: `an answer that is none (${at === "" ? "" : `${at}: `}${issue?.message})` };
  }
  const { id, output, stdout, stderr = "", exitCode = 0 } = read.data;
  if (output !== undefined && stdout !== undefined)
    return { problem: 'an answer with both "output" and "stdout"' };
  const printed = output === undefined ? (stdout ?? "") : JSON.stringify(output);
  return { id, answer: { stdout: printed, stderr, exitCode } };
}

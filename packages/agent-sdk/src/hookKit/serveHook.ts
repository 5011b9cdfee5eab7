import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import type { HookEvent, HookInput, HookOutput } from "../hooks/events.ts";

/** What decides: it gets the input of an event, and returns what a hook prints as JSON, or nothing. */
export type HookScript<E extends HookEvent = HookEvent> = (
  input: HookInput<E>,
) => HookOutput<E> | undefined | void | Promise<HookOutput<E> | undefined | void>;

/**
 * Makes this process a hook. With `"warm": true` in its settings it stays and answers line by line, several calls at a time; otherwise it
 * reads one input, prints what the function says and ends. Whatever else is printed goes to stderr, because stdout is for answers.
 */
export function serveHook<E extends HookEvent = HookEvent>(decide: HookScript<E>): void {
  const answer = keepStdoutForAnswers();
  if (process.env["WAVE_HOOK_WARM"] === "1") answerLines(decide, answer);
  else void answerOnce(decide, answer);
}

function answerLines<E extends HookEvent>(decide: HookScript<E>, answer: (line: string) => void): void {
  createInterface({ input: process.stdin, crlfDelay: Infinity }).on("line", (line) => {
    const { id, input }: { id: number; input: HookInput<E> } = JSON.parse(line);
    void asked(decide, input).then(
      (output) => answer(JSON.stringify({ id, ...(output && { output }) })),
      (error: unknown) => answer(JSON.stringify({ id, exitCode: 1, stderr: describe(error) })),
    );
  });
}

async function answerOnce<E extends HookEvent>(
  decide: HookScript<E>,
  answer: (line: string) => void,
): Promise<void> {
  try {
    const output = await asked(decide, JSON.parse(await text(process.stdin)));
    if (output) answer(JSON.stringify(output));
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    process.exitCode = 1;
  }
}

/** Also what it throws at once comes as a promise. */
const asked = async <E extends HookEvent>(decide: HookScript<E>, input: HookInput<E>) => decide(input);

function keepStdoutForAnswers(): (line: string) => void {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return (line) => write(`${line}\n`);
}

const describe = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

import { ANSWER_PAUSE_MS } from "./guard.ts";

const LEAST_MS = 100;
const MOST_MS = 10_000;

/**
 * How long a question waits for a pause in typing: `WAVE_ANSWER_PAUSE`, in milliseconds. In the environment and not in a settings
 * file, so that no project has a say in it. There is always a pause.
 */
export function answerPause(env: Record<string, string | undefined>): { ms: number; problem?: string } {
  const given = env["WAVE_ANSWER_PAUSE"]?.trim();
  if (given === undefined || given === "") return { ms: ANSWER_PAUSE_MS };
  const ms = Number(given);
  if (Number.isInteger(ms) && ms >= LEAST_MS && ms <= MOST_MS) return { ms };
  const wanted = `a number of milliseconds from ${LEAST_MS} to ${MOST_MS}`;
  return {
    ms: ANSWER_PAUSE_MS,
    problem: `WAVE_ANSWER_PAUSE is "${given}" and must be ${wanted}: ${ANSWER_PAUSE_MS} is used.`,
  };
}

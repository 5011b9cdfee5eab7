import { randomInt } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { EVENTS, scenarioArb } from "./generate.ts";
import { onStage, playAndCompare, type Played } from "./playAndCompare.ts";
import { report } from "./report.ts";

const SOAK = process.env["WAVE_SOAK"] === "1";
const SETS = SOAK ? 50_000 : 2_000;
/** `WAVE_SEED=12345` plays the same sets again, `WAVE_SEED=12345:17:0:3` only the one that failed. */
const [seedText, ...path] = (process.env["WAVE_SEED"] ?? "").split(":");
// `npm test` plays the same sets every time, so that a red run is about the change that was made and not about luck;
// `npm run soak` draws new ones.
const seed = seedText ? Number(seedText) : SOAK ? randomInt(2 ** 31 - 1) : 1_307_457_336;
/** A new model server for each batch, so that what it recorded does not pile up over a long run. */
const BATCH = 60;
const AT_ONCE = 6;

it(
  `decides like the reference model in ${SETS} random hook sets with real processes (SC-003)`,
  async () => {
    process.stderr.write(`hook sets: seed ${seed}\n`);
    const failure = path.length > 0 ? await smallestFailure(seed, path.join(":")) : await firstFailure();
    if (failure) process.stderr.write(`${failure.text}\n`);
    expect(failure?.wrong ?? []).toEqual([]);
  },
  SOAK ? 14_400_000 : 900_000,
);

interface Failure {
  wrong: string[];
  text: string;
}

async function firstFailure(): Promise<Failure | undefined> {
  let judged = 0;
  for (let batch = 0; judged < SETS; batch += 1) {
    const batchSeed = (seed + batch) % 2 ** 31;
    const result = await playBatch(batchSeed);
    if (result.failed) {
      const { at, ...failed } = result.failed;
      const text = `${report(failed, `WAVE_SEED=${batchSeed}:${at}`)} (a second try showed no difference)`;
      return (await smallestFailure(batchSeed, String(at))) ?? { wrong: failed.wrong, text };
    }
    judged += result.judged;
  }
  process.stderr.write(`hook sets: ${judged} judged, no difference\n`);
  return undefined;
}

/** A set counts when its event was reached, so that its hooks were really asked. */
const setsReached = ({ scenario, expected }: Played): number =>
  EVENTS.filter((event) => scenario.hooks[event].some((hook) => (expected.runs[hook.name] ?? 0) > 0)).length;

async function playBatch(
  batchSeed: number,
): Promise<{ judged: number; failed: (Played & { at: number }) | undefined }> {
  const scenarios = fc.sample(scenarioArb, { seed: batchSeed, numRuns: BATCH });
  let next = 0;
  let judged = 0;
  let failed: (Played & { at: number }) | undefined;
  await onStage(async (stage) => {
    const worker = async (): Promise<void> => {
      for (let i = next++; i < scenarios.length && !failed; i = next++) {
        const scenario = scenarios[i];
        if (!scenario) return;
        const played = await playAndCompare(scenario, stage);
        judged += setsReached(played);
        if (played.wrong.length > 0) failed ??= { ...played, at: i };
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  });
  return { judged, failed };
}

/** Plays a scenario again, and looks for a smaller one that differs too. */
async function smallestFailure(badSeed: number, badPath: string): Promise<Failure | undefined> {
  let smallest: Played | undefined;
  let again = `WAVE_SEED=${badSeed}:${badPath}`;
  await onStage(async (stage) => {
    const property = fc.asyncProperty(scenarioArb, async (scenario) => {
      const one = await playAndCompare(scenario, stage);
      if (one.wrong.length > 0) smallest = one;
      return one.wrong.length === 0;
    });
    const limits = { numRuns: 1, interruptAfterTimeLimit: 60_000 };
    const result = await fc.check(property, { seed: badSeed, path: badPath, ...limits });
    if (result.counterexamplePath) again = `WAVE_SEED=${badSeed}:${result.counterexamplePath}`;
  });
  return smallest && { wrong: smallest.wrong, text: report(smallest, again) };
}

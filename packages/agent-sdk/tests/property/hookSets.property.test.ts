import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { startScriptedModel } from "../../src/testing/index.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { differences } from "./compare.ts";
import { EVENTS, scenarioArb, type Scenario } from "./generate.ts";
import { mayTimeOut, modelFor, play, type Seen, type Stage } from "./play.ts";
import { expectTurn, type Expected } from "./referenceTurn.ts";
import { report } from "./report.ts";

const SETS = process.env["WAVE_SOAK"] === "1" ? 50_000 : 2_000;
/** `WAVE_SEED=12345` plays the same sets again, `WAVE_SEED=12345:17:0:3` only the one that failed. */
const [seedText, ...path] = (process.env["WAVE_SEED"] ?? "").split(":");
const seed = seedText ? Number(seedText) : randomInt(2 ** 31 - 1);
/** A new model server for each batch, so that what it recorded does not pile up over a long run. */
const BATCH = 60;
const AT_ONCE = 6;

interface Played {
  scenario: Scenario;
  expected: Expected;
  seen: Seen;
  wrong: string[];
}

it(
  `decides like the reference model in ${SETS} random hook sets with real processes (SC-003)`,
  async () => {
    process.stderr.write(`hook sets: seed ${seed}\n`);
    const failure = path.length > 0 ? await smallestFailure(seed, path.join(":")) : await firstFailure();
    if (failure) process.stderr.write(`${failure.text}\n`);
    expect(failure?.wrong ?? []).toEqual([]);
  },
  process.env["WAVE_SOAK"] === "1" ? 3_600_000 : 600_000,
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
    if (result.failedAt !== undefined) return smallestFailure(batchSeed, String(result.failedAt));
    judged += result.judged;
  }
  process.stderr.write(`hook sets: ${judged} judged, no difference\n`);
  return undefined;
}

/** A set counts when its event was reached, so that its hooks were really asked. */
const setsReached = ({ scenario, expected }: Played): number =>
  EVENTS.filter((event) => scenario.hooks[event].some((hook) => (expected.runs[hook.name] ?? 0) > 0)).length;

async function playBatch(batchSeed: number): Promise<{ judged: number; failedAt: number | undefined }> {
  const scenarios = fc.sample(scenarioArb, { seed: batchSeed, numRuns: BATCH });
  let next = 0;
  let judged = 0;
  let failedAt: number | undefined;
  await onStage(async (stage) => {
    const worker = async (): Promise<void> => {
      for (let i = next++; i < scenarios.length && failedAt === undefined; i = next++) {
        const scenario = scenarios[i];
        if (!scenario) return;
        const played = await playAndCompare(scenario, stage);
        judged += setsReached(played);
        if (played.wrong.length > 0) failedAt ??= i;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  });
  return { judged, failedAt };
}

let plays = 0;
async function playAndCompare(scenario: Scenario, stage: Stage): Promise<Played> {
  // On a busy machine a short timeout may strike before a hook could print; that says nothing, so it gets longer.
  for (const timeoutSeconds of [1, 4, 15]) {
    const result = await play(scenario, stage, { id: `set-${(plays += 1)}`, timeoutSeconds });
    const expected = expectTurn(result.scenario);
    const struckEarly = EVENTS.flatMap((event) => result.scenario.hooks[event]).some(
      ({ name, ...hook }) =>
        mayTimeOut(hook) && (result.seen.printed[name] ?? 0) < (expected.runs[name] ?? 0),
    );
    const wrong = differences(expected, result.seen, result.scenario);
    if (wrong.length === 0 || !struckEarly || timeoutSeconds === 15) return { ...result, expected, wrong };
  }
  throw new Error("unreachable: the last timeout always returns");
}

async function onStage(act: (stage: Stage) => Promise<void>): Promise<void> {
  using folder = tempFolder();
  const pipe = join(folder.path, "pipe");
  execFileSync("mkfifo", [pipe]);
  const calls: Stage["calls"] = new Map();
  await using model = await startScriptedModel(modelFor(calls));
  await act({ model, calls, pipe });
}

/** Looks for a smaller scenario that differs too. */
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
  if (!smallest) return { wrong: [`a difference that did not come again: ${again}`], text: again };
  return { wrong: smallest.wrong, text: report(smallest, again) };
}

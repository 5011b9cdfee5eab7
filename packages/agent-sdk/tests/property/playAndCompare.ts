import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { startScriptedModel } from "../../src/testing/index.ts";
import { memoryFolder } from "../support/tempFolder.ts";
import { differences } from "./compare.ts";
import { EVENTS, type Scenario } from "./generate.ts";
import { mayTimeOut, modelFor, play, type Seen, type Stage } from "./play.ts";
import { expectTurn, type Expected } from "./referenceTurn.ts";

export interface Played {
  scenario: Scenario;
  expected: Expected;
  seen: Seen;
  wrong: string[];
}

/** Plays one scenario and compares. */
export async function playAndCompare(scenario: Scenario, stage: Stage): Promise<Played> {
  // On a busy machine a short timeout may strike before a hook could print; that says nothing, so it gets longer.
  for (const timeoutSeconds of [1, 4, 15]) {
    const result = await play(scenario, stage, timeoutSeconds);
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

export async function onStage(act: (stage: Stage) => Promise<void>): Promise<void> {
  using folder = memoryFolder();
  const pipe = join(folder.path, "pipe");
  execFileSync("mkfifo", [pipe]);
  const calls: Stage["calls"] = new Map();
  await using model = await startScriptedModel(modelFor(calls));
  await act({ model, calls, pipe });
}

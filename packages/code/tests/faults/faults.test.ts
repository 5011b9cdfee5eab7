import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ruleStage, sessionStage, stageProject, trustStage, type Stage } from "./stages.ts";
import { counting, countsIn, failing, injectedIn, whyNoStrace, type Fault } from "./strace.ts";

const SOAK = process.env["WAVE_SOAK"] !== undefined;
const POINTS = Number(process.env["WAVE_FAULTS"] ?? 20);
/** For whoever wants to see that it ends. */
const SOAK_POINTS = Number(process.env["WAVE_FAULTS"] ?? Infinity);
/** Of each call of each stage. */
const MOST = 200;
const AT_ONCE = 2;
const ERRORS = ["ENOSPC", "EIO"] as const;

const missing = whyNoStrace();
if (missing !== undefined)
  process.stderr.write(
    `SKIPPED: no write, fsync or rename was made to fail, because strace cannot run: ${missing}\n`,
  );

describe.skipIf(missing !== undefined)("a disk that fails", () => {
  const scratch = mkdtempSync(join(tmpdir(), "wave-faults-"));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));
  const cache = join(scratch, "cache");
  // Each thread counts its own calls: one thread for all that does not wait.
  const env = { UV_THREADPOOL_SIZE: "1", NODE_COMPILE_CACHE: cache };
  let logs = 0;
  let failures = 0;
  const newLog = () => join(scratch, `log-${++logs}`);

  /** Every place where a stage can fail. */
  async function faultsOf(stage: Stage): Promise<Fault[]> {
    using project = stageProject();
    const log = newLog();
    const { wrong, done, run } = await stage.play(project, counting(log), env);
    expect({ stage: stage.name, wrong, done, stderr: run.stderr }).toMatchObject({ wrong: [], done: true });
    return [...countsIn(log, stage.files(project), cache)].flatMap(([call, times]) =>
      Array.from({ length: Math.min(times, MOST) }, (_, index) => index + 1).flatMap((at) =>
        ERRORS.flatMap((error): Fault[] => [
          { call, at, error, lasts: "once" },
          { call, at, error, lasts: "on" },
        ]),
      ),
    );
  }

  async function problemsAt(stage: Stage, fault: Fault): Promise<string[]> {
    using project = stageProject();
    const log = newLog();
    const { run, done, wrong } = await stage.play(project, failing(fault, stage.files(project), log), env);
    const failed = injectedIn(log);
    if (failed.length > 0) failures++;
    const problems = [...wrong];
    if (run.signal !== null) problems.push(`died of ${run.signal}`);
    if (/^\s+at .*:\d+:\d+\)?$/m.test(run.stderr)) problems.push("a stack trace");
    if (fault.lasts === "on" && /saved again/.test(run.stderr))
      problems.push("said to be saved again, and is not");
    const isTold = run.stderr.split("\n").some((line) => PLACE.test(line) && CAUSE.test(line));
    if (!done && !isTold) problems.push("nobody was told what and why");
    const where = `${stage.name}, ${JSON.stringify(fault)}`;
    return problems.map((text) => `${where}: ${text}\n${failed[0] ?? "nothing failed"}\n${run.stderr}`);
  }

  it(
    `at ${SOAK ? "every write, fsync and rename" : `${POINTS} random writes, fsyncs and renames`} loses no acknowledged message, leaves settings and trust old or new, and tells the person (G54, G55, G57)`,
    { timeout: 7_200_000 },
    async () => {
      const seed = Number(process.env["WAVE_SEED"] ?? Date.now() % 1_000_000);
      process.stderr.write(`faults: seed ${seed} (WAVE_SEED repeats it)\n`);
      const stages = [sessionStage(SOAK ? 14 : 3), ruleStage, trustStage];
      const points: { stage: Stage; fault: Fault }[] = [];
      for (const stage of stages) points.push(...(await faultsOf(stage)).map((fault) => ({ stage, fault })));
      process.stderr.write(`faults: ${points.length} ways to fail\n`);
      // A disk that stays broken is the same from one place on or from the next.
      const every = points.filter(({ fault }) => fault.lasts === "once" || fault.at % 10 === 0);
      const chosen = SOAK ? every.slice(0, SOAK_POINTS) : shuffled(points, seed).slice(0, POINTS);
      const tried = chosen.length;
      const problems: string[] = [];
      const worker = async () => {
        for (let point = chosen.pop(); point; point = chosen.pop())
          problems.push(...(await problemsAt(point.stage, point.fault)));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      expect(problems).toEqual([]);
      expect(tried).toBeGreaterThanOrEqual(Math.min(POINTS, points.length));
      // Not each run makes quite as many calls as the one that was counted.
      expect(failures).toBeGreaterThan(tried * 0.8);
    },
  );
});

/** A file or folder of the person's home or of the project. */
const PLACE = /~\/|\/home\/|\.wave\/|made-\d/;

/** Why, in words or as the system's own name of it. */
const CAUSE = /disk|ENOSPC|EIO|no space/i;

/** Mulberry32: small, and the same on every machine. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return items
    .map((item) => ({ item, by: random() }))
    .toSorted((a, b) => a.by - b.by)
    .map(({ item }) => item);
}

import { randomInt } from "node:crypto";
import fc from "fast-check";
import { parse } from "unbash";
import { expect, it } from "vitest";
import { readLine } from "wave-shell-reader";
import { everyNode } from "../../../shell-reader/src/grammar/grammar.ts";
import { policyBench } from "../support/policyBench.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { DENIED, lineArb, PROTECTED_FILE, RULES } from "./shellLines.ts";
import { buildStage } from "./shellStage.ts";

const SOAK = process.env["WAVE_SOAK"] === "1";
const LINES = Number(process.env["WAVE_LINES"] ?? (SOAK ? 100_000 : 3_000));
/** `WAVE_SEED=12345` tries the same lines again. */
const seed = process.env["WAVE_SEED"]
  ? Number(process.env["WAVE_SEED"])
  : SOAK
    ? randomInt(2 ** 31 - 1)
    : 20_260_311;

/** All that the parser makes; one of them only of what it could not read. */
const KINDS_OF_NODES = 65;

it(
  `of ${LINES} generated command lines none that Wave allows or holds for proven starts a program or changes a file that Wave did not see (G33, G34)`,
  { timeout: SOAK ? 7_200_000 : 600_000 },
  async () => {
    process.stderr.write(`command lines: seed ${seed}\n`);
    using bench = policyBench();
    using folder = tempFolder();
    const stage = buildStage(folder.path);
    // The stubs are programs of the system here: what they are called by is what is judged.
    Object.assign(bench.session.env, { PATH: `${stage.bin}:${bench.session.env["PATH"]}` });
    const variables = { HOME: folder.path };
    const predictedIn = (line: string) =>
      readLine(line, { folder: bench.project, variables }).programs.map(({ name }) => nameOf(name));
    const given = { allow: RULES };
    const guarded = { mode: "bypassPermissions", deny: DENIED.map((name) => `Bash(${name}:*)`) } as const;
    const judged = [];
    const kinds = new Set<string>();
    for (const [at, line] of fc.sample(lineArb, { seed, numRuns: LINES }).entries()) {
      const parsed = parse(line);
      if (!parsed.errors?.length) for (const { node } of everyNode(parsed)) kinds.add(node.type);
      // Judging takes ten times as long as reading, and running longer still: not every time everything.
      const seldom = SOAK || at % 6 === 0;
      const { understood, certainty } = readLine(line, { folder: bench.project, variables });
      const allowed = (seldom || understood === "all") && bench.decide(line, given).decision === "allow";
      const passed = seldom && bench.decide(line, guarded).decision === "allow";
      judged.push({ line, allowed, passed, proven: certainty.is === "proven" });
    }
    const run = judged.filter(({ allowed, passed, proven }) => allowed || passed || proven);
    const effects = await stage.run(run.map(({ line }) => line));
    const wrong = run.flatMap(({ line, passed, proven, ...judged }, at) => {
      const { started = [], files } = effects[at] ?? {};
      const allowed = judged.allowed || proven;
      const unseen = allowed ? started.filter((name) => !predictedIn(line).includes(name)) : [];
      const changed = allowed && files !== undefined ? [files] : [];
      const denied = passed ? started.filter((name) => DENIED.includes(name)) : [];
      const unguarded = passed && files?.includes(`${PROTECTED_FILE}=kept`) === false ? [files] : [];
      const all = { unseen, changed, denied, unguarded };
      return Object.values(all).flat().length === 0 ? [] : [{ line, ...all }];
    });
    const count = judged.filter(({ allowed }) => allowed).length;
    process.stderr.write(
      `command lines: ${count} of ${judged.length} allowed, ${judged.filter(({ proven }) => proven).length} proven to read, ${run.length} run, ${effects.flatMap(({ started }) => started).length} programs started, ${effects.filter(({ cutOff }) => cutOff).length} lines cut off\n`,
    );
    expect(wrong).toEqual([]);
    // A generator whose lines are hardly ever allowed, start nothing or leave out part of the grammar would prove nothing.
    expect(kinds.size).toBeGreaterThanOrEqual(KINDS_OF_NODES);
    expect(count).toBeGreaterThan(LINES / 5);
    expect(effects.filter(({ started }) => started.length > 0).length).toBeGreaterThan(run.length / 2);
  },
);

const nameOf = (program: string) => program.slice(program.lastIndexOf("/") + 1);

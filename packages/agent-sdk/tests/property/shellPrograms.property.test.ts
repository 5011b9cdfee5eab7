import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { analyseCommand } from "@/permissions/analysis/analyse.ts";
import { mapAtMost } from "@/utils/atMost.ts";
import { policyBench } from "../support/policyBench.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { lineArb, RULES, STUBS, WRAPPERS } from "./shellLines.ts";

const SOAK = process.env["WAVE_SOAK"] === "1";
const LINES = SOAK ? 20_000 : 2_000;
/** `WAVE_SEED=12345` tries the same lines again. */
const seed = process.env["WAVE_SEED"]
  ? Number(process.env["WAVE_SEED"])
  : SOAK
    ? randomInt(2 ** 31 - 1)
    : 20_260_311;

it(
  `programs that really start are among those predicted in ${LINES} generated command lines whenever Wave says allow (G34)`,
  { timeout: SOAK ? 7_200_000 : 600_000 },
  async () => {
    process.stderr.write(`command lines: seed ${seed}\n`);
    using bench = policyBench();
    using folder = tempFolder();
    const stage = buildStage(folder.path);
    // The stubs are programs of the system here: what they are called by is what is judged.
    Object.assign(bench.session.env, { PATH: `${stage.bin}:${bench.session.env["PATH"]}` });
    const lines = fc.sample(lineArb, { seed, numRuns: LINES });
    const allowed = lines.filter((line) => bench.decide(line, { allow: RULES }).decision === "allow");
    const wrong = await mapAtMost(4, allowed, async (line, at) => {
      const variables = { HOME: folder.path };
      const predicted = new Set(
        analyseCommand(line, { folder: bench.project, variables }).programs.map(nameOf),
      );
      const started = await stage.run(line, at);
      const surprising = started.filter((name) => !predicted.has(name));
      return surprising.length === 0 ? [] : [{ line, surprising, predicted: [...predicted] }];
    });
    process.stderr.write(`command lines: ${allowed.length} of ${lines.length} allowed and run\n`);
    expect(wrong.flat()).toEqual([]);
    // A generator whose lines are hardly ever allowed, or that starts nothing, would prove nothing.
    expect(allowed.length).toBeGreaterThan(LINES / 5);
    expect(stage.starts()).toBeGreaterThan(allowed.length / 2);
  },
);

const nameOf = (program: string) => program.slice(program.lastIndexOf("/") + 1);

interface Stage {
  bin: string;
  /** The names of the programs that a line starts, also those that are not there. */
  run(line: string, at: number): Promise<string[]>;
  starts(): number;
}

function buildStage(root: string): Stage {
  const bin = join(root, "bin");
  mkdirSync(bin);
  const stub = (path: string, rest = "") => {
    writeFileSync(path, `#!/bin/sh\necho "\${0##*/}" >> "$STARTED"\n${rest}`);
    chmodSync(path, 0o755);
  };
  for (const name of STUBS) stub(join(bin, name));
  for (const name of WRAPPERS) {
    const real = ["/usr/bin", "/bin"].map((place) => join(place, name)).find((path) => existsSync(path));
    stub(join(bin, name), real === undefined ? "" : `exec ${real} "$@"\n`);
  }
  const bash = ["/bin/bash", "/usr/bin/bash"].find((path) => existsSync(path)) ?? "/bin/sh";
  stub(join(bin, "bash"), `exec ${bash} "$@"\n`);
  let starts = 0;
  return {
    bin,
    starts: () => starts,
    async run(line, at) {
      const cwd = join(root, `run ${at}`);
      const log = join(root, `started ${at}`);
      mkdirSync(cwd);
      stub(join(cwd, "local"));
      for (const name of ["in.txt", "b.txt"]) writeFileSync(join(cwd, name), "a\n");
      const env = {
        PATH: bin,
        HOME: root,
        STARTED: log,
        // bash tells here what it looked for and did not find.
        "BASH_FUNC_command_not_found_handle%%": '() { echo "$1" >> "$STARTED"; }',
      };
      await ended(bash, line, cwd, env);
      const names = existsSync(log)
        ? readFileSync(log, "utf8")
            .split("\n")
            .filter((name) => name !== "")
        : [];
      starts += names.length;
      rmSync(cwd, { recursive: true, force: true });
      rmSync(log, { force: true });
      return [...new Set(names)];
    },
  };
}

function ended(bash: string, line: string, cwd: string, env: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    // Every process it leaves behind belongs to its group, and the log is read when none of them writes any more.
    const child = spawn(bash, ["--norc", "-c", `${line}\nwait`, "bash"], {
      cwd,
      env,
      stdio: ["ignore", "ignore", "ignore"],
      detached: true,
    });
    const stop = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), 20_000);
    child.on("error", reject);
    child.on("exit", () => {
      clearTimeout(stop);
      resolve();
    });
  });
}

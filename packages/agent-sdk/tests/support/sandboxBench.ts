import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SandboxSettings } from "../../src/permissions/sandbox.ts";
import { SessionSandbox } from "../../src/session/commandSandbox.ts";
import { ReadOnlySandbox } from "../../src/workspace/sandbox/readOnly.ts";
import { Sandbox } from "../../src/workspace/sandbox/sandbox.ts";
import { toolBench, type ToolBench } from "./toolBench.ts";

/** Why bubblewrap cannot be tried on this machine. Said aloud: tests that nobody notices to be skipped prove nothing. */
export function whyNoBubblewrap(): string | undefined {
  const { status, error, stderr } = spawnSync(
    "bwrap",
    ["--ro-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "true"],
    {
      encoding: "utf8",
    },
  );
  if (status === 0) return undefined;
  const why = error ? error.message : stderr.trim();
  process.stderr.write(`SKIPPED: tests of the sandbox, because bubblewrap does not work here (${why})\n`);
  return why;
}

export interface SandboxBench extends ToolBench {
  sandbox: Sandbox;
  /** Neither the project nor the temporary folder. */
  outside: string;
  /** $WAVE_HOME. */
  home: string;
  /** What the person was told while commands ran. */
  told: string[];
}

/** A bench whose commands run in a sandbox, with a temporary folder of its own: the one of the tests is not writable. */
export async function sandboxBench(
  settings: Partial<SandboxSettings> = {},
  setUp: (bench: ToolBench) => void = () => {},
): Promise<SandboxBench> {
  const bench = toolBench();
  const end = bench[Symbol.asyncDispose].bind(bench);
  const top = dirname(bench.dir);
  const [outside, home, tmp] = [join(top, "outside"), join(top, "home"), join(top, "tmp")];
  for (const folder of [outside, home, tmp]) mkdirSync(folder);
  bench.session.env["TMPDIR"] = tmp;
  setUp(bench);
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = tmp;
  const wanted: SandboxSettings = {
    mode: "required",
    from: "test",
    floor: "off",
    network: true,
    writable: [],
    ...settings,
  };
  const sandbox = await Sandbox.open(wanted, {
    projectDir: bench.dir,
    env: bench.session.env,
    own: () => [home],
  });
  const told: string[] = [];
  sandbox.onProblem((text) => told.push(text));
  const commands = new SessionSandbox({ mode: wanted.mode, sandbox, readOnly: undefined });
  Object.assign(bench.session, { sandbox: commands });
  return Object.assign(bench, {
    sandbox,
    outside,
    home,
    told,
    async [Symbol.asyncDispose]() {
      await bench.session.shells.dispose();
      sandbox.close({ isShared: false });
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
      await end();
    },
  });
}

/** A bench whose commands run where they can only read, as those do that nobody said yes to. */
export async function readOnlyBench(
  setUp: (bench: ToolBench) => void = () => {},
): Promise<ToolBench & { outside: string }> {
  const bench = toolBench();
  const outside = join(dirname(bench.dir), "outside");
  mkdirSync(outside);
  setUp(bench);
  const readOnly = new ReadOnlySandbox({ projectDir: bench.dir, env: bench.session.env });
  const commands = new SessionSandbox({ mode: "reading", sandbox: undefined, readOnly });
  await commands.look();
  if (!commands.boundsReading) throw new Error(JSON.stringify(readOnly.availability));
  Object.assign(bench.session, { sandbox: commands });
  bench.bounds = "read-only";
  return Object.assign(bench, { outside });
}

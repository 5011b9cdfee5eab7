import { fileURLToPath } from "node:url";
import { spawn } from "node:child_process";
import type { HookDefinition } from "../packages/agent-sdk/src/hooks/definition.ts";
import { readVerdict } from "../packages/agent-sdk/src/hooks/verdict.ts";
import { executeHooks } from "../packages/agent-sdk/src/services/hook.ts";
import { alternate, median, ms, quantile, report, times } from "./stats.ts";
import { HookRunners } from "../packages/agent-sdk/src/hooks/kinds/runners.ts";
import { COMMAND as COMMAND_KIND } from "../packages/agent-sdk/src/hooks/kinds/command.ts";
import { asAction } from "../packages/agent-sdk/src/hooks/kinds/kind.ts";

const COMMAND = "read -r line; exit 0";
const env = { PATH: process.env["PATH"] ?? "" };
const input = {
  session_id: "s",
  transcript_path: "/tmp/t",
  cwd: "/",
  permission_mode: "default",
  tool_name: "Bash",
  tool_input: { command: "ls" },
  tool_use_id: "u",
  pass: 1,
};

const hook = (command: string, name = command, warm = false): HookDefinition => ({
  event: "PreToolUse",
  matcher: undefined,
  name,
  source: { scope: "user", path: "hooks.PreToolUse[0].hooks[0]" },
  action: asAction(COMMAND_KIND, { line: command, how: "shell", ...(warm && { warm }) }).action,
  timeoutMs: 60_000,
  onError: "continue",
  passEnv: [],
});

const runners = new HookRunners();

/** The same guard in Node, as most people write one: started each time, and staying. */
const GUARD = fileURLToPath(new URL("guard.ts", import.meta.url));
const guard = (name: string, warm: boolean) => hook(`'${process.execPath}' '${GUARD}'`, name, warm);

const run = (hooks: HookDefinition[]) =>
  executeHooks("PreToolUse", { input, projectDir: "/", sessionId: "s", env, withheld: {}, runners }, hooks);

/**
 * The floor: the same command started from Node, its output read, nothing kept, nothing decided. Without --norc bash would
 * take the pipes for a remote login and read the user's profile.
 */
function bareProcess(): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn("bash", ["--norc", "-c", COMMAND], { cwd: "/", env, detached: true });
    child.stdin.on("error", () => {});
    child.stdin.end(`${JSON.stringify(input)}\n`);
    child.stdout.resume();
    child.stderr.resume();
    child.on("close", () => resolve());
  });
}

export async function benchHooks(): Promise<void> {
  // At most eight hooks run at a time, so ten bare processes are the floor of what ten hooks could cost.
  const ten = Array.from({ length: 10 }, (_, index) => hook(COMMAND, `hook ${index}`));
  const samples = await alternate(100, {
    bare: bareProcess,
    one: () => run([hook(COMMAND)]),
    bareTen: () => Promise.all(Array.from({ length: 10 }, bareProcess)),
    ten: () => run(ten),
  });
  report("one hook against a bare process", times(median(samples.one) / median(samples.bare)), "1.20 ×");
  report("  a bare process", ms(median(samples.bare)), "-");
  report(
    "ten hooks against ten bare processes",
    times(median(samples.ten) / median(samples.bareTen)),
    "1.20 ×",
  );
  report("  ten bare processes", ms(median(samples.bareTen)), "-");

  const tenWarm = Array.from({ length: 10 }, (_, index) => guard(`warm ${index}`, true));
  const [warm, cold] = [guard("warm", true), guard("cold", false)];
  await run([warm]);
  await run(tenWarm);
  const staying = await alternate(100, {
    warm: () => run([warm]),
    cold: () => run([cold]),
    tenWarm: async () => {
      await run(tenWarm);
      await run(tenWarm);
    },
  });
  report("a hook that stays, median", ms(median(staying.warm)), "1 ms");
  report("  times less than started each time", times(median(staying.cold) / median(staying.warm)), "20 ×");
  report("ten pairs of hooks that stay, median", ms(median(staying.tenWarm)), "4 ms");
  await runners.close();

  const fromExit: number[] = [];
  for (let round = 0; round < 200; round++) {
    const [result] = await run([hook('printf %s "$EPOCHREALTIME"')]);
    if (!result) continue;
    readVerdict("PreToolUse", result, { name: "bench", source: "bench", onError: "continue" });
    const now = performance.timeOrigin + performance.now();
    fromExit.push(now - Number(result.stdout?.replace(",", ".")) * 1000);
  }
  report("last word of a hook to its verdict, median", ms(median(fromExit)), "5 ms");
  report("last word of a hook to its verdict, p95", ms(quantile(fromExit, 0.95)), "-");
}

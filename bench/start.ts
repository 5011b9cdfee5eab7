import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startScriptedModel } from "../packages/agent-sdk/src/testing/index.ts";
import { alternate, median, ms, report, times } from "./stats.ts";

const wave = fileURLToPath(new URL("../packages/code/bin/wave.js", import.meta.url));

/** From the start of the process to the first byte at the model server, against Node doing nothing. */
export async function benchStart(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "wave-bench-"));
  const project = join(folder, "project");
  mkdirSync(project);
  let arrived = () => {};
  await using model = await startScriptedModel(() => {
    arrived();
    return { say: "hi" };
  });
  const env = {
    ...process.env,
    WAVE_HOME: join(folder, "home"),
    WAVE_API_KEY: "key",
    WAVE_BASE_URL: model.baseUrl,
    WAVE_MODEL: "scripted",
  };
  const toFirstRequest: number[] = [];
  const samples = await alternate(15, {
    node: () => exitOf(["-e", "0"], project, process.env),
    version: () => exitOf([wave, "--version"], project, env),
    print: async () => {
      const started = performance.now();
      arrived = () => void toFirstRequest.push(performance.now() - started);
      await exitOf([wave, "-p", "hello"], project, env);
    },
  });
  rmSync(folder, { recursive: true, force: true });
  const bare = median(samples.node);
  const first = median(toFirstRequest.slice(1));
  report("start to first model request", ms(first), "150 ms where node takes 40");
  report("  against a bare node", times(first / bare), "3.75 ×");
  report("  a bare node", ms(bare), "-");
  report("wave --version against a bare node", times(median(samples.version) / bare), "-");
}

function exitOf(args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: "ignore" });
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`node ${args.join(" ")} ended with ${code}`)),
    );
  });
}

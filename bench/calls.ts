import { fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent } from "../packages/agent-sdk/src/agent.ts";
import { median, ms, report, times } from "./stats.ts";

const CALLS = 1_000;
const PER_ANSWER = 10;

/** What a call costs that starts no process and has no hook, and whether the thousandth costs more than the first. */
export async function benchCalls(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "wave-bench-"));
  const server = fork(
    fileURLToPath(new URL("modelServer.ts", import.meta.url)),
    [String(CALLS / PER_ANSWER), String(PER_ANSWER)],
    {
      execArgv: ["--conditions=@wave/source"],
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    },
  );
  const [printed] = server.stdout ? await once(server.stdout, "data") : [];
  const starts: number[] = [];
  const costs: number[] = [];
  let heap = 0;
  const agent = await Agent.create({
    workdir: folder,
    waveHome: join(folder, "home"),
    baseUrl: String(printed).trim(),
    apiKey: "key",
    model: "scripted",
    onEvent: (event) => {
      if (event.type === "model_ended") starts.push(performance.now());
      if (event.type === "model_started") {
        const begun = starts.at(-1);
        if (begun !== undefined) costs.push((performance.now() - begun) / PER_ANSWER);
        if (event.call === 11) heap = settledHeap();
      }
    },
  });
  await agent.sendMessage("go");
  const grown = (settledHeap() - heap) / 1024 / 1024;
  await agent.destroy();
  server.disconnect();
  const disk = median(appends(join(folder, "floor")));
  rmSync(folder, { recursive: true, force: true });
  const early = median(costs.slice(5, 25));
  const late = median(costs.slice(-20));
  report("a tool call without a hook, beyond the tool", ms(median(costs)), "under 1 ms");
  report("  of that, one record that is on the disk before the tool runs", ms(disk), "-");
  report("growth of that over 1,000 calls (last against first)", times(late / early), "1.0 ×");
  report("memory that 900 calls leave behind", `${grown.toFixed(1)} MB`, "their own text");
}

/** What nobody can do without who wants to know after a power failure which tools ran. */
function appends(file: string): number[] {
  const fd = openSync(file, "a");
  const took = Array.from({ length: 200 }, () => {
    const started = performance.now();
    writeSync(fd, RECORD);
    fdatasyncSync(fd);
    return performance.now() - started;
  });
  closeSync(fd);
  return took;
}

const RECORD = `${"x".repeat(200)}\n`;

function settledHeap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

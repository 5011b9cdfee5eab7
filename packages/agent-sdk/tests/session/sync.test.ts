import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { tempFolder } from "../support/tempFolder.ts";

const PROGRAM = fileURLToPath(new URL("../fixtures/sessions/oneToolCall.ts", import.meta.url));

/** What the program asked the kernel for, in order, as far as it matters here. */
function story(trace: string): string[] {
  return trace.split("\n").flatMap((line) => {
    if (line.includes("fdatasync(")) return ["sync"];
    if (line.includes("TURN-IS-OVER")) return ["the turn is over"];
    if (line.includes("execve(") && line.includes("RUNS-NOW")) return ["the tool runs"];
    if (!line.includes("write")) return [];
    if (line.includes('\\"tool_started\\"')) return ["writes tool_started"];
    if (line.includes('\\"turn_ended\\"')) return ["writes turn_ended"];
    return line.includes('\\"user\\"') ? ["writes the prompt"] : [];
  });
}

it("The disk has the prompt, what a tool is about to do, and the end of a turn before any of them is shown or done (G53, G55)", ({
  skip,
}) => {
  using folder = tempFolder();
  const trace = join(folder.path, "trace");
  const watch = [
    "-f",
    "-qq",
    "-s",
    "4000",
    "-o",
    trace,
    "-e",
    "trace=fdatasync,write,writev,pwrite64,execve",
  ];
  const node = [process.execPath, "--conditions=@wave/source", PROGRAM, folder.path];
  const run = spawnSync("strace", [...watch, ...node], { encoding: "utf8", timeout: 60_000 });
  if (run.error || run.status !== 0) return skip(`no strace here: ${run.error?.message ?? run.stderr}`);
  const steps = story(readFileSync(trace, "utf8"));
  const between = (from: string, to: string) => steps.slice(steps.indexOf(from), steps.indexOf(to));
  expect(between("writes the prompt", "writes tool_started")).toContain("sync");
  expect(between("writes tool_started", "the tool runs")).toContain("sync");
  expect(between("writes turn_ended", "the turn is over")).toContain("sync");
});

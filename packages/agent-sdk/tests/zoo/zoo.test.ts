import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { executeHooks } from "../../src/services/hook.ts";
import { endProcesses, processesWith } from "../support/processes.ts";
import { commandHook, hookContext } from "../support/runHooks.ts";
import { waitFor } from "../support/waitFor.ts";
import {
  ENDS_BADLY,
  HANGS,
  KEPT,
  LEAVES_A_CHILD,
  MISTREATS_INPUT,
  MISTREATS_OUTPUT,
  TIMEOUT_MS,
  ZOO,
  zooProject,
  type Animal,
} from "./animals.ts";

const ROUNDS = process.env["WAVE_SOAK"] ? 200 : 1;
/** For hooks that end by themselves, at once on an idle machine; one that waits for its background child fails all the same. */
const GENEROUS_MS = 60_000;
const MARGIN_MS = 1_000;
const PATH = process.env["PATH"] ?? "/usr/bin:/bin";

async function visit(name: string, animal: Animal) {
  using project = zooProject();
  const mark = `wave-zoo-${randomUUID()}`;
  const timeoutMs = animal.result.timedOut ? TIMEOUT_MS : GENEROUS_MS;
  const context = hookContext(project.path, { env: { PATH, WAVE_TEST_MARK: mark } });
  const input = { ...context.input, tool_input: { command: "x".repeat(animal.inputBytes ?? 2) } };
  const late = machineDelay();
  const startedAt = performance.now();
  const [result] = await executeHooks("PreToolUse", { ...context, input }, [
    commandHook(`./${name}`, { timeoutMs }),
  ]);
  const tookMs = performance.now() - startedAt;
  // Long enough for one that would die of its next line of output.
  if (animal.leavesAChild) await sleep(200);
  // Whoever kills its own group may be gone before the last of its members is, on a busy machine by seconds. What lives on is
  // still there after any wait.
  else for (let look = 0; look < 500 && processesWith(mark).length > 0; look++) await sleep(20);
  const left = processesWith(mark);
  endProcesses(left);
  await waitFor(`what ${name} left behind is gone`, () => processesWith(mark).length === 0);
  return { result, tookMs, left, limitMs: timeoutMs + Math.max(MARGIN_MS, 10 * (await late)) };
}

/**
 * What this machine needs right now, without any code of Wave, for what the runner has to do: a bare `sleep` for as long
 * as the hook may run, started at the same moment, and then five looks at all processes. Idle it is late by some fifty
 * milliseconds, and the margin is the second it should be. On a busy machine the margin is ten times that delay, so
 * that load alone cannot fail a test, and a hang still does.
 */
async function machineDelay(): Promise<number> {
  const startedAt = performance.now();
  const sleeping = spawn("sleep", [String(TIMEOUT_MS / 1000)], { stdio: "ignore" });
  await new Promise((resolve) => sleeping.once("exit", resolve));
  for (let look = 0; look < 5; look++) {
    await nextTurn();
    processesWith("no process has this");
  }
  return Math.max(0, performance.now() - startedAt - TIMEOUT_MS);
}

async function check(name: string, animal: Animal): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const { result, tookMs, left, limitMs } = await visit(name, animal);
    expect({ exitCode: undefined, ...result }).toMatchObject(animal.result);
    expect(result?.stdout?.length ?? 0).toBeLessThan(KEPT + 100);
    expect(result?.stderr?.length ?? 0).toBeLessThan(KEPT + 100);
    if (animal.leavesAChild) expect(left).not.toEqual([]);
    else expect(left, `processes ${name} left behind`).toEqual([]);
    expect(tookMs, `milliseconds ${name} took`).toBeLessThan(limitMs);
  }
}

describe.concurrent("of the zoo of misbehaving hooks", () => {
  it("every script has a row, and they are at least 25 (G37)", () => {
    const rows = [HANGS, LEAVES_A_CHILD, MISTREATS_INPUT, MISTREATS_OUTPUT, ENDS_BADLY].flatMap((group) =>
      Object.keys(group),
    );
    expect(rows.sort()).toEqual(readdirSync(ZOO).sort());
    expect(rows.length).toBeGreaterThanOrEqual(25);
  });

  it.each(Object.entries(HANGS))(
    "%s is dead with all it started within a second of its timeout (T63, G37, G38)",
    check,
  );

  it.each(Object.entries(LEAVES_A_CHILD))(
    "%s is not delayed by its background child, which lives on (T61, T62, G37, G39)",
    check,
  );

  it.each(Object.entries(MISTREATS_INPUT))(
    "%s is judged by its exit code or timeout, whatever it does to its input (T66, T67, G40)",
    check,
  );

  it.each(Object.entries(MISTREATS_OUTPUT))(
    "%s is bounded in what is kept of it, and never killed for it (T68, T115, G41, G42, G46)",
    check,
  );

  it.each(Object.entries(ENDS_BADLY))("%s is told as it was, never as a success (T58, G5, G43)", check);
});

describe("fifty megabytes", () => {
  it.each(["fifty-megabytes-out.sh", "fifty-megabytes-err.sh"])(
    "from %s cost less than 64 MB of memory (T68, G41)",
    async (name) => {
      using project = zooProject();
      const program = fileURLToPath(new URL("../fixtures/floodMemory.ts", import.meta.url));
      const { stdout } = await promisify(execFile)(process.execPath, [program, `./${name}`, project.path]);
      const { grew, truncated } = JSON.parse(stdout);
      expect(truncated.stdout + truncated.stderr).toBe(50_000_000 - KEPT);
      expect(grew).toBeLessThan(64 * 1024 * 1024);
    },
  );
});

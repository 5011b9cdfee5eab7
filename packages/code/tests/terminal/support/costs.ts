import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { ScriptedRequest } from "wave-agent-sdk/testing";
import { textOf } from "./asked.ts";
import { writeSession } from "./longSession.ts";
import { KEPT_FILE, type Kept } from "./memoryProbe.ts";
import { cpuSeconds, residentMegabytes } from "./processes.ts";
import { ALL_ALLOWED, ScreenSession, type ScreenSetup } from "./screenSession.ts";
import { startWave, type TerminalOptions } from "./terminal.ts";

const MEMORY_PROBE = fileURLToPath(new URL("memoryProbe.ts", import.meta.url));

/** What a streamed answer costs at the end of a session of so many messages. */
export interface StreamCost {
  bytesPerFrame: number;
  bytesPerToken: number;
}

const TOKENS = 100;

export async function costOfStreaming(messages: number): Promise<StreamCost> {
  const words = Array.from({ length: TOKENS }, (_, number) => `w${number}`);
  await using session = await resumed(messages, { say: `${words.join(" ")} fin`, tokenDelayMs: 8 });
  const { wave } = session;
  await session.say("go");
  await wave.waitForText("w1");
  const before = wave.output.length;
  await wave.waitForText("fin");
  await session.idle();
  await session.quiet(300);
  const written = wave.output.slice(before);
  return {
    bytesPerFrame: Buffer.byteLength(written) / (written.split(FRAME).length - 1),
    bytesPerToken: Buffer.byteLength(written) / TOKENS,
  };
}

/** Ink begins every frame with it. */
const FRAME = "\u001b[?2026h";

/** What it costs to open a session of so many messages, from the start of the program to the last byte of the screen. */
export async function costOfOpening(messages: number): Promise<{ cpuSeconds: number; bytes: number }> {
  await using session = await resumed(messages, { say: "" });
  return { cpuSeconds: cpuSeconds(session.wave.pid), bytes: session.wave.bytesWritten };
}

async function resumed(
  messages: number,
  { say, tokenDelayMs = 0 }: { say: string; tokenDelayMs?: number },
): Promise<ScreenSession> {
  const session = await ScreenSession.open({
    args: ["--continue"],
    prepare: (project) => void writeSession(project, messages),
    scenario: [{ say }],
    model: { tokenDelayMs },
  });
  await session.wave.waitForText(new RegExp(`answer ${messages}:`));
  await session.quiet(500);
  return session;
}

/** What a Wave does that idles. */
export interface IdleCost {
  cpuSecondsPerMinute: number;
  bytes: number;
}

/** One look after the other, until `isEnough`: what goes on by itself is in each of them, what V8 tidies up after work is not. */
export async function costOfIdling(
  seconds: number,
  { looks = 1, isEnough = () => false }: { looks?: number; isEnough?: (cost: IdleCost) => boolean } = {},
): Promise<IdleCost> {
  await using session = await ScreenSession.open({ scenario: [{ say: "Hello." }] });
  const { wave } = session;
  await session.say("hi");
  await wave.waitForText("Hello.");
  await session.idle();
  // Whoever has pressed a key has seen the answer, and is not called.
  await wave.press("backspace");
  await session.quiet(2_000);
  const bytes = wave.bytesWritten;
  const look = async (): Promise<IdleCost> => {
    const cpu = cpuSeconds(wave.pid);
    await sleep(seconds * 1_000);
    return {
      cpuSecondsPerMinute: ((cpuSeconds(wave.pid) - cpu) * 60) / seconds,
      bytes: wave.bytesWritten - bytes,
    };
  };
  let cost = await look();
  for (let more = looks - 1; more > 0 && !isEnough(cost); more--) cost = await look();
  return cost;
}

const CALLS_PER_ANSWER = 10;

/** Megabytes in memory after so many calls of a tool, one number for each. With what V8 has not tidied up yet. */
export const memoryAfterCalls = (counts: readonly number[]): Promise<number[]> =>
  afterCalls(counts, { measure: ({ wave }) => residentMegabytes(wave.pid) });

/** What is kept after so many calls: V8 is told to tidy up before it is looked at. */
export function keptAfterCalls(counts: readonly number[]): Promise<Kept[]> {
  const start = (options: TerminalOptions) =>
    startWave({ ...options, nodeArgs: ["--expose-gc", "--import", MEMORY_PROBE] });
  return afterCalls(counts, { start, measure: ({ wave, project }) => keptBy(wave.pid, project.home) });
}

async function keptBy(pid: number, home: string): Promise<Kept> {
  const file = join(home, KEPT_FILE);
  rmSync(file, { force: true });
  process.kill(pid, "SIGUSR2");
  while (!existsSync(file)) await sleep(20);
  return JSON.parse(readFileSync(file, "utf8")) as Kept;
}

async function afterCalls<Measured>(
  counts: readonly number[],
  {
    start,
    measure,
  }: Pick<ScreenSetup, "start"> & {
    measure: (session: ScreenSession) => Measured | Promise<Measured>;
  },
): Promise<Measured[]> {
  await using session = await ScreenSession.open({
    args: ALL_ALLOWED,
    prepare: (project) => project.write("file.txt", "some text\n".repeat(5)),
    scenario: callsWanted,
    ...(start ? { start } : {}),
  });
  const { wave } = session;
  const measured: Measured[] = [];
  let done = 0;
  for (const count of counts) {
    await session.say(`${count - done} calls`);
    await wave.waitForText(`made ${count - done} calls.`, { timeoutMs: 120_000 });
    await session.idle();
    await session.quiet(500);
    measured.push(await measure(session));
    done = count;
  }
  return measured;
}

function callsWanted({ body }: ScriptedRequest) {
  const at = body.messages.findLastIndex(({ role }) => role === "user");
  const asked = textOf(body.messages[at]);
  const answered = body.messages.slice(at).filter(({ role }) => role === "tool").length;
  if (answered >= Number.parseInt(asked, 10)) return { say: `made ${asked}.` };
  const call = { name: "Read", arguments: { file_path: "file.txt" } };
  return { calls: Array.from({ length: CALLS_PER_ANSWER }, () => call) };
}

import { setTimeout as sleep } from "node:timers/promises";
import type { ScriptedRequest } from "wave-agent-sdk/testing";
import { textOf } from "./asked.ts";
import { writeSession } from "./longSession.ts";
import { cpuSeconds, residentMegabytes } from "./processes.ts";
import { ALL_ALLOWED, ScreenSession } from "./screenSession.ts";

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

/** CPU that an idle Wave takes, in seconds per minute. */
export async function costOfIdling(seconds: number): Promise<{ cpuSecondsPerMinute: number; bytes: number }> {
  await using session = await ScreenSession.open({ scenario: [{ say: "Hello." }] });
  const { wave } = session;
  await session.say("hi");
  await wave.waitForText("Hello.");
  await session.idle();
  // V8 tidies up once after work; that is part of the work.
  await session.quiet(2_000);
  const [cpu, bytes] = [cpuSeconds(wave.pid), wave.bytesWritten];
  await sleep(seconds * 1_000);
  return {
    cpuSecondsPerMinute: ((cpuSeconds(wave.pid) - cpu) * 60) / seconds,
    bytes: wave.bytesWritten - bytes,
  };
}

const CALLS_PER_ANSWER = 10;

/** Megabytes in memory after so many calls of a tool, one number for each. */
export async function memoryAfterCalls(counts: readonly number[]): Promise<number[]> {
  await using session = await ScreenSession.open({
    args: ALL_ALLOWED,
    prepare: (project) => project.write("file.txt", "some text\n".repeat(5)),
    scenario: callsWanted,
  });
  const { wave } = session;
  const megabytes: number[] = [];
  let done = 0;
  for (const count of counts) {
    await session.say(`${count - done} calls`);
    await wave.waitForText(`made ${count - done} calls.`, { timeoutMs: 120_000 });
    await session.idle();
    await session.quiet(500);
    megabytes.push(residentMegabytes(wave.pid));
    done = count;
  }
  return megabytes;
}

function callsWanted({ body }: ScriptedRequest) {
  const at = body.messages.findLastIndex(({ role }) => role === "user");
  const asked = textOf(body.messages[at]);
  const answered = body.messages.slice(at).filter(({ role }) => role === "tool").length;
  if (answered >= Number.parseInt(asked, 10)) return { say: `made ${asked}.` };
  const call = { name: "Read", arguments: { file_path: "file.txt" } };
  return { calls: Array.from({ length: CALLS_PER_ANSWER }, () => call) };
}

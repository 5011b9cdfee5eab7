import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Agent } from "@/agent.ts";
import { convertMessagesForAPI } from "@/utils/convertMessagesForAPI.ts";
import { loadSession } from "@/services/session.ts";
import {
  startScriptedModel,
  type ScriptedModel,
  type ScriptedReply,
  type ScriptedRequest,
} from "@/testing/index.ts";
import { bundledProgram } from "../support/bundledProgram.ts";
import { tempFolder } from "../support/tempFolder.ts";

const KILLS = process.env["WAVE_SOAK"] ? 2_000 : 200;
/** So many sessions share a process, which is killed at one moment; each has begun at another one. Starting it takes longest. */
const TOGETHER = 5;

const hook = { type: "command", command: "exec sleep 0.01" };
const settings = {
  hooks: {
    UserPromptSubmit: [{ hooks: [{ type: "command", command: "echo some context" }] }],
    PreToolUse: [{ hooks: [hook, hook] }],
    PostToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "echo checked >&2; exit 2" }] }],
    Stop: [{ hooks: [hook] }],
  },
};

/** Each step says itself in a file when it runs, so that running twice would be seen. */
const ran = (step: string) => ({
  name: "Bash",
  arguments: { command: `echo ${step} >> ran.log` },
  id: `call-${step}`,
});
const list = (step: string) => ({ name: "LS", arguments: { path: "." }, id: `list-${step}` });
const STEPS: ScriptedReply[] = [
  { say: "I look around.", calls: [list("a"), list("b"), ran("one")] },
  {
    calls: [
      ran("two"),
      { name: "Write", arguments: { file_path: "made.txt", content: "x" }, id: "write" },
      list("c"),
    ],
  },
  { calls: [ran("three"), ran("four")] },
  { say: "All done." },
];

/** Plays by what the conversation has, not by how often it was asked: several processes share one server. */
function reply(request: ScriptedRequest): ScriptedReply {
  const { messages } = request.body;
  if (messages.some((message) => message.content === "GO ON")) return { say: "Resumed." };
  return STEPS[messages.filter((message) => message.role === "assistant").length] ?? { say: "?" };
}

interface Stage {
  model: ScriptedModel;
  program: string;
}

interface Told {
  ready: { id: string; file: string } | undefined;
  messages: number;
  started: Set<string>;
  results: Map<string, string>;
  ended: boolean;
}

/** How long before the process is killed a session begins. */
interface Planned {
  folder: string;
  beforeKillMs: number;
}

/**
 * Plays the sessions in one process and kills it `killedAfterMs` after all are ready; what each told before it died is returned, and how
 * long it took.
 */
async function runAndKill(
  planned: readonly Planned[],
  { model, program }: Stage,
  killedAfterMs: number,
): Promise<{ told: Map<string, Told>; tookMs: number }> {
  const sessions = planned.map(({ folder, beforeKillMs }) => `${killedAfterMs - beforeKillMs}@${folder}`);
  const env = { ...process.env, NODE_COMPILE_CACHE: `${program}.cache` };
  const child = spawn(process.execPath, [program, model.baseUrl, ...sessions], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const told = new Map<string, Told>();
  const toldBy = (folder: string): Told => {
    const nothing = { ready: undefined, messages: 0, started: new Set<string>(), ended: false };
    const one = told.get(folder) ?? { ...nothing, results: new Map<string, string>() };
    told.set(folder, one);
    return one;
  };
  let killing: Promise<void> | undefined;
  let readyAt = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    // The last line may be cut by the kill; a person would have seen half of it, too.
    if (!line.endsWith("}")) continue;
    const said = JSON.parse(line);
    if (said.told === "all-ready") {
      readyAt = performance.now();
      const done = new AbortController();
      void exited.then(() => done.abort());
      killing = sleep(killedAfterMs, undefined, { signal: done.signal }).then(
        () => void child.kill("SIGKILL"),
        () => {
          // It ended by itself before its moment came.
        },
      );
      continue;
    }
    const one = toldBy(said.folder);
    if (said.told === "ready") one.ready = said;
    if (said.told === "messages") one.messages = said.count;
    if (said.told === "started") one.started.add(said.id);
    if (said.told === "result") one.results.set(said.id, said.result);
    if (said.told === "end") one.ended = true;
  }
  await killing;
  await exited;
  return { told, tookMs: performance.now() - readyAt };
}

/** Kills the process that plays them `killedAfterMs` after they are ready, and resumes each session. */
async function checkTogether(
  stage: Stage,
  moments: readonly number[],
  killedAfterMs: number,
): Promise<{ ends: ("finished" | "killed")[]; tookMs: number }> {
  using folder = tempFolder("crash");
  const planned = moments.map((beforeKillMs, index) => ({
    folder: join(folder.path, `${index}`),
    beforeKillMs,
  }));
  for (const { folder: own } of planned) {
    mkdirSync(join(own, "project", ".wave"), { recursive: true });
    writeFileSync(join(own, "project", ".wave", "settings.json"), JSON.stringify(settings));
  }
  const { told, tookMs } = await runAndKill(planned, stage, killedAfterMs);
  const ends = await Promise.all(planned.map((one) => check(stage, one.folder, told.get(one.folder))));
  return { ends, tookMs };
}

async function check(stage: Stage, folder: string, told: Told | undefined): Promise<"finished" | "killed"> {
  if (!told?.ready) throw new Error("the program was never ready");

  const loaded = await loadSession(told.ready.file);
  if (!loaded) throw new Error("the session file is gone");
  const tools = new Map(
    loaded.messages.flatMap((message) =>
      message.blocks.flatMap((block) => (block.type === "tool" ? [[block.id, block] as const] : [])),
    ),
  );
  // Nothing that was told is lost.
  expect(loaded.messages.length).toBeGreaterThanOrEqual(told.messages);
  for (const [id, result] of told.results) expect(tools.get(id)?.result, id).toBe(result);
  const unfinished = [...told.started].filter(
    (id) => !told.results.has(id) && tools.get(id)?.result === undefined,
  );
  for (const id of unfinished) expect(loaded.interrupted, id).toContain(id);

  // It resumes to a request that a picky server accepts, and nothing runs again.
  const before = ranTwice(folder);
  const agent = await Agent.create({
    workdir: join(folder, "project"),
    trust: "given",
    waveHome: join(folder, "home"),
    baseUrl: stage.model.baseUrl,
    apiKey: "key",
    model: "scripted",
    permissionMode: "bypassPermissions",
    resume: told.ready.id,
  });
  for (const id of unfinished) {
    const block = agent.messages
      .flatMap((message) => message.blocks)
      .find((one) => one.type === "tool" && one.id === id);
    expect(block).toMatchObject({ stage: "ended", success: false });
  }
  const end = await agent.sendMessage("GO ON");
  expect(end).toMatchObject({ because: "done", answer: "Resumed." });
  await agent.destroy();
  expect(ranTwice(folder)).toEqual([]);
  expect(before).toEqual([]);

  // What is shown after the next resume is what was sent (T196).
  const again = await loadSession(told.ready.file);
  expect(JSON.stringify(convertMessagesForAPI(again?.messages ?? []))).toBe(
    JSON.stringify(convertMessagesForAPI(agent.messages)),
  );
  return told.ended ? "finished" : "killed";
}

function ranTwice(folder: string): string[] {
  const file = join(folder, "project", "ran.log");
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  return lines.filter((line, index) => lines.indexOf(line) !== index);
}

describe("kill -9", () => {
  it(
    `at ${KILLS} random moments of a session loses nothing that was told, resumes every session and runs no tool twice (T192, T193, T195, T196, G50, G53)`,
    { timeout: 3_600_000 },
    async () => {
      const seed = Number(process.env["WAVE_SEED"] ?? Date.now() % 1_000_000);
      process.stderr.write(`crash test: seed ${seed} (WAVE_SEED repeats it)\n`);
      const random = seeded(seed);
      await using model = await startScriptedModel(reply);
      using bundle = await bundledProgram(new URL("program.ts", import.meta.url));
      const stage = { model, program: bundle.file };
      // A process that is killed leaves no cache: these may end by themselves first, and show how long that takes here.
      const together = (moment: () => number) => Array.from({ length: TOGETHER }, moment);
      const whole = await checkTogether(
        stage,
        together(() => 60_000),
        60_000,
      );
      expect(whole.ends).toEqual(together(() => 0).map(() => "finished"));
      const ends: string[] = [];
      while (ends.length < KILLS) {
        const moments = together(() => random() * whole.tookMs);
        ends.push(...(await checkTogether(stage, moments, whole.tookMs)).ends);
      }
      expect(ends).toHaveLength(KILLS);
      expect(model.requests.flatMap((request) => request.problems)).toEqual([]);
      // The moments have to fall into the session, or the test proves nothing.
      expect(ends.filter((end) => end === "killed").length).toBeGreaterThan(KILLS / 4);
    },
  );
});

/** Mulberry32: small, and the same on every machine. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

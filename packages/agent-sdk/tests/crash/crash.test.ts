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
const AT_ONCE = 3;
/** About as long as the session below takes once its process is ready. */
const SPAN_MS = 450;

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

/** Runs the program and kills it `afterMs` after it is ready; what it told before it died is returned. */
async function runAndKill(folder: string, { model, program }: Stage, afterMs: number): Promise<Told> {
  const args = [program, join(folder, "project"), join(folder, "home"), model.baseUrl];
  const env = { ...process.env, NODE_COMPILE_CACHE: `${program}.cache` };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const told: Told = { ready: undefined, messages: 0, started: new Set(), results: new Map(), ended: false };
  let killing: Promise<void> | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    // The last line may be cut by the kill; a person would have seen half of it, too.
    if (!line.endsWith("}")) continue;
    const said = JSON.parse(line);
    if (said.told === "ready") {
      told.ready = said;
      const done = new AbortController();
      void exited.then(() => done.abort());
      killing = sleep(afterMs, undefined, { signal: done.signal }).then(
        () => void child.kill("SIGKILL"),
        () => {
          // It ended by itself before its moment came.
        },
      );
    }
    if (said.told === "messages") told.messages = said.count;
    if (said.told === "started") told.started.add(said.id);
    if (said.told === "result") told.results.set(said.id, said.result);
    if (said.told === "end") told.ended = true;
  }
  await killing;
  await exited;
  return told;
}

async function checkOne(stage: Stage, afterMs: number): Promise<"finished" | "killed"> {
  using folder = tempFolder("crash");
  mkdirSync(join(folder.path, "project", ".wave"), { recursive: true });
  writeFileSync(join(folder.path, "project", ".wave", "settings.json"), JSON.stringify(settings));
  const told = await runAndKill(folder.path, stage, afterMs);
  if (!told.ready) throw new Error("the program was never ready");

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
  const before = ranTwice(folder.path);
  const agent = await Agent.create({
    workdir: join(folder.path, "project"),
    trust: "given",
    waveHome: join(folder.path, "home"),
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
  expect(ranTwice(folder.path)).toEqual([]);
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
    `at ${KILLS} random moments loses nothing that was told, resumes every session and runs no tool twice (T192, T193, T195, T196, G50, G53)`,
    { timeout: 3_600_000 },
    async () => {
      const seed = Number(process.env["WAVE_SEED"] ?? Date.now() % 1_000_000);
      process.stderr.write(`crash test: seed ${seed} (WAVE_SEED repeats it)\n`);
      const random = seeded(seed);
      const moments = Array.from({ length: KILLS }, () => random() * SPAN_MS);
      await using model = await startScriptedModel(reply);
      using bundle = await bundledProgram(new URL("program.ts", import.meta.url));
      const stage = { model, program: bundle.file };
      // A process that is killed leaves no cache: one may end by itself first.
      expect(await checkOne(stage, 60_000)).toBe("finished");
      const ends: string[] = [];
      const worker = async () => {
        for (let moment = moments.pop(); moment !== undefined; moment = moments.pop())
          ends.push(await checkOne(stage, moment));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
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

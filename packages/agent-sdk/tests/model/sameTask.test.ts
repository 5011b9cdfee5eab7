import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect, it } from "vitest";
import { Agent } from "@/agent.ts";
import type { Message } from "@/messages/blocks.ts";
import { startScriptedModel, type ScriptedReply, type ScriptedRequest } from "@/testing/index.ts";
import type { ProtocolName } from "@/utils/protocolNames.ts";
import { bundledProgram } from "../support/bundledProgram.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { WIRES, type WireSetup } from "../support/wires.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const usage = { input: 900, output: 30, cached: 300 };
const bash = (command: string) => ({ name: "Bash", arguments: { command } });
const read = (path: string) => ({ name: "Read", arguments: { file_path: path } });
const write = (path: string, content: string) => ({ name: "Write", arguments: { file_path: path, content } });

/** Twelve calls, one answer after the other. A second process goes on where the first was killed. */
const EDIT = {
  think: "Now the change. It has to be small.",
  calls: [
    { name: "Edit", arguments: { file_path: "a.txt", old_string: "one", new_string: "two" } },
    bash("echo forbidden"),
  ],
  usage,
};
const TASK: ScriptedReply[] = [
  {
    think: "I look first.",
    say: "Let me look around.",
    calls: [{ name: "LS", arguments: { path: "." } }, read("pixel.png"), bash("echo hi")],
    usage,
  },
  { status: 429, message: "Slow down.", waitSeconds: 0.02 },
  { think: "A file.", calls: [write("a.txt", "one\n"), write("b.txt", "b\n")], usage },
  { ...EDIT, breakAfter: 4 },
  EDIT,
  // Killed here.
  { hang: true },
  {
    think: "Where was I?",
    say: "Going on.",
    calls: [read("a.txt"), { name: "Nonsense", arguments: {} }],
    usage,
  },
  {
    think: "Searching.",
    calls: [
      { name: "Grep", arguments: { pattern: "two" } },
      { name: "Glob", arguments: { pattern: "*.txt" } },
    ],
    usage,
  },
  { think: "Last one.", call: bash("cat a.txt"), usage },
  { think: "That is all.", say: "Done.", usage },
  { say: "All of it is done.", usage },
  { say: "I will not do", finish: "content_filter", usage },
  { say: "The rest is fine.", usage },
];
const KILLED_AT = TASK.findIndex((reply) => "hang" in reply);

const hook = (command: string) => ({ type: "command", command });
const SETTINGS = {
  hooks: {
    UserPromptSubmit: [{ hooks: [hook("echo context of a hook")] }],
    PreToolUse: [
      { matcher: "Bash", hooks: [hook("if grep -q forbidden; then echo 'not that' >&2; exit 2; fi")] },
    ],
    PostToolUse: [{ matcher: "Write", hooks: [hook("echo 'mind the style' >&2; exit 2")] }],
    Stop: [
      { hooks: [hook(`if grep -q '"stop_hook_active":false'; then echo 'say all of it' >&2; exit 2; fi`)] },
    ],
  },
};

interface Played {
  messages: unknown;
  decisions: unknown;
  answers: (string | undefined)[];
  requests: readonly ScriptedRequest[];
}

/** The task over one wire: in a process that is killed, and in another that goes on. */
async function play(program: string, folder: string, setup: (baseUrl: string) => WireSetup): Promise<Played> {
  const [workdir, home] = [join(folder, "project"), join(folder, "home")];
  mkdirSync(workdir);
  mkdirSync(home);
  writeFileSync(join(workdir, "pixel.png"), Buffer.from(PIXEL, "base64"));
  let arrived: () => void = () => undefined;
  const hanging = new Promise<void>((resolve) => (arrived = resolve));
  await using server = await startScriptedModel((_request, n) => {
    if (n === KILLED_AT) arrived();
    return TASK[n];
  });
  const { env: set, settings, model } = setup(server.baseUrl);
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, ...set };
  writeFileSync(join(home, "settings.json"), JSON.stringify({ ...settings, ...SETTINGS }));

  const child = spawn(process.execPath, [program, workdir, home, model], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const [sessionId] = await Promise.all([firstLine(child.stdout), hanging]);
  child.kill("SIGKILL");
  await exited;

  const agent = await Agent.create({
    workdir,
    waveHome: home,
    model,
    trust: "given",
    managedSettingsFile: join(home, "none.json"),
    permissionMode: "bypassPermissions",
    resume: sessionId,
    env,
  });
  const answers = [(await agent.sendMessage("GO ON")).answer, (await agent.sendMessage("AND MORE")).answer];
  await agent.destroy();
  const lines = readFileSync(agent.sessionFile, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const clean = (value: unknown): unknown => JSON.parse(JSON.stringify(value, withoutChance));
  // Hashes of input know where it was: the next one works in the same place.
  for (const path of [workdir, home]) rmSync(path, { recursive: true });
  return {
    messages: clean(agent.messages.map(neutral)),
    decisions: clean(lines.filter(({ type }) => type === "decision").map(({ record }) => record)),
    answers,
    requests: [...server.requests],
  };
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stream })) return line;
  throw new Error("The program said nothing.");
}

/** What is not the vendor's. */
function neutral({ id: _id, ...message }: Message): object {
  return {
    ...message,
    blocks: message.blocks.map((block) => {
      const { vendorData: _data, ...rest } = { vendorData: undefined, ...block };
      return rest;
    }),
  };
}

/** Prices are the vendors' own. */
const CHANCE = new Set(["costUsd", "id", "durationMs", "ts", "askedAt", "at", "stdinBytes"]);

/** Times, and what is made up for each run. Ids of calls are the model's. */
function withoutChance(name: string, value: unknown): unknown {
  return CHANCE.has(name) && !(typeof value === "string" && value.startsWith("call_")) ? undefined : value;
}

describe("the same task over every wire", () => {
  const played = new Map<ProtocolName, Played>();
  const first = () => played.get("chat-completions");

  beforeAll(async () => {
    using program = await bundledProgram(new URL("../fixtures/killedAtWork.ts", import.meta.url));
    using folder = tempFolder();
    for (const { wire, setup } of WIRES) played.set(wire, await play(program.file, folder.path, setup));
  }, 120_000);

  const others = WIRES.filter(({ wire }) => wire !== "chat-completions");

  it("runs twelve calls, with an image, a hook's no, a limit, a broken stream, a kill and a refusal", () => {
    const text = JSON.stringify(first()?.messages);
    expect(first()?.answers).toEqual(["All of it is done.", "The rest is fine."]);
    expect([...text.matchAll(/"type":"tool"/g)]).toHaveLength(12);
    for (const said of ["image/png", "not that", "mind the style", "say all of it", "content filter"])
      expect(text).toContain(said);
  });

  it.each(others)("$wire: the transcript is the same", ({ wire }) => {
    expect(played.get(wire)?.messages).toEqual(first()?.messages);
  });

  it.each(others)("$wire: what hooks were asked and said is the same (T24)", ({ wire }) => {
    expect(first()?.decisions).not.toEqual([]);
    expect(played.get(wire)?.decisions).toEqual(first()?.decisions);
  });

  it.each(WIRES)(
    "$wire: every request is one that the vendor takes, with its reasoning as it was, also after the kill",
    ({ wire }) => {
      const { requests = [] } = played.get(wire) ?? {};
      expect(requests.map((request) => [request.wire, request.problems])).toEqual(TASK.map(() => [wire, []]));
      const [before, after] = [requests[KILLED_AT], requests.at(-1)];
      const marks = wire === "chat-completions" ? /"reasoning_content":"/g : /seal-\d+-/g;
      const count = (request: ScriptedRequest | undefined) =>
        [...(request?.text ?? "").matchAll(marks)].length;
      expect([count(before), count(after)]).toEqual([3, 7]);
    },
  );
});

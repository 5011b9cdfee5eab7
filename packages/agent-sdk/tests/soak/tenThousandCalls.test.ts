import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { startScriptedModel, type ScriptedReply, type ScriptedRequest } from "@/testing/index.ts";
import { tempFolder } from "../support/tempFolder.ts";

const CALLS = Number(process.env["WAVE_CALLS"] ?? 10_000);
const PER_ANSWER = 100;
/** One in so many is judged by a process, too. */
const WITH_PROCESS = 100;

/** Plays by what the conversation has; keeps nothing of the requests, which grow with every answer. */
function reply({ body: { messages } }: ScriptedRequest): ScriptedReply {
  const prompt = messages.findLastIndex(({ role }) => role === "user");
  const answers = messages.slice(prompt).filter(({ role }) => role === "assistant").length;
  const wanted = messages[prompt]?.content === "WARM UP" ? 2 : CALLS / PER_ANSWER;
  if (answers === wanted) return { say: "done", usage: USAGE };
  const calls = Array.from({ length: PER_ANSWER }, (_, index) =>
    index % WITH_PROCESS === 0
      ? { name: "LS", arguments: { path: "folder" } }
      : { name: "Read", arguments: { file_path: "small.txt" } },
  );
  return { calls, usage: USAGE };
}

function memoryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "wave-soak-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** The context never becomes full: nothing is to be summed up here. */
const USAGE = { input: 10, output: 10 };

describe("very many tool calls in one process", () => {
  it(
    `pass the gate ${CALLS} times, leave ${CALLS} records, no descriptor, no process and hardly any memory (T59, G49, G61)`,
    { timeout: 900_000 },
    async () => {
      using folder = tempFolder();
      // Ten thousand waits for the disk are not what is measured here.
      using memory = memoryFolder();
      const [project, home] = [join(folder.path, "project"), memory.path];
      mkdirSync(join(project, ".wave"), { recursive: true });
      mkdirSync(join(project, "folder"));
      writeFileSync(join(project, "small.txt"), "one line\n");
      const counted = join(folder.path, "counted");
      const hook = { type: "command", command: `echo ran >> '${counted}'` };
      const settings = { hooks: { PreToolUse: [{ matcher: "LS", hooks: [hook] }] } };
      writeFileSync(join(project, ".wave", "settings.json"), JSON.stringify(settings));
      await using model = await startScriptedModel(reply, { strict: false });
      const program = fileURLToPath(new URL("manyCalls.ts", import.meta.url));
      const args = ["--expose-gc", "--conditions=@wave/source", program, project, home, model.baseUrl];
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
      const said = JSON.parse(await text(child.stdout));
      process.stderr.write(
        `${CALLS} calls: ${said.seconds.toFixed(1)} s, first ${said.firstMs.toFixed(2)} ms and last ${said.lastMs.toFixed(2)} ms of work per call, ` +
          `memory ${said.before.megabytes.toFixed(1)} to ${said.after.megabytes.toFixed(1)} MB (rss ${said.before.rss.toFixed(0)} to ${said.after.rss.toFixed(0)})\n`,
      );
      expect(said).toMatchObject({ because: "done", calls: CALLS, asked: CALLS });

      const lines = readFileSync(said.file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      const all = CALLS + 2 * PER_ANSWER;
      const idsOf = (ids: string[]) => ({ times: ids.length, different: new Set(ids).size });
      const once = { times: all, different: all };
      const judged = lines.filter(({ type, record }) => type === "decision" && record.event === "PreToolUse");
      expect(idsOf(judged.map(({ record }) => record.toolUseId))).toEqual(once);
      expect(idsOf(lines.filter(({ type }) => type === "tool_started").map(({ toolId }) => toolId))).toEqual(
        once,
      );
      expect(readFileSync(counted, "utf8").split("\n").length - 1).toBe(all / WITH_PROCESS);

      expect(said.after).toMatchObject({
        descriptors: said.before.descriptors,
        children: 0,
        listeners: said.before.listeners,
        timers: said.before.timers,
      });
      // What is held; how much of what it once needed Node gives back to the system is Node's affair.
      expect(said.after.megabytes - said.before.megabytes).toBeLessThan(20);
      // Work that grew with the length of the session would be ten times as much at its end.
      expect(said.lastMs / said.firstMs).toBeLessThan(3);
    },
  );
});

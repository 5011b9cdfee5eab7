import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadSession } from "wave-agent-sdk";
import {
  startScriptedModel,
  type ScriptedModel,
  type ScriptedReply,
  type ScriptedRequest,
} from "wave-agent-sdk/testing";
import { makeProject, type Project } from "../support/project.ts";
import { askedIn } from "../terminal/support/asked.ts";
import { MARK, newMark } from "../terminal/support/processes.ts";
import { startWave, type TerminalRun } from "../terminal/support/terminal.ts";

/** What a prompt of the test wants. The word is part of the prompt, and of what the hooks and the model look for. */
const WISHES = "talk talk talk write write command command background background block slow plain".split(" ");

export const wishOf = (dice: number): string => WISHES[Math.floor(dice * WISHES.length)] ?? "plain";

/** Every text that is typed begins with one of these; nothing else on the screen looks like it. */
export const TOKEN = /q\d+q/g;

const WORDS = 400;
/** Seen on the screen and on the disk alike: q12q.0, q12q.1, … */
export const wordsOf = (token: string) => Array.from({ length: WORDS }, (_, n) => `${token}.${n}`).join(" ");

/** Judges slowly, as people's own programs do, and refuses what it is told to: that it writes down itself. */
const judge = (refusals: string) => `prompt=$(cat); case "$prompt" in
*block*) sleep 0.4; printf '%s\\n' "$prompt" >> '${refusals}'; echo not this one >&2; exit 2;;
*slow*) sleep 1.5;;
*) sleep 0.1;;
esac`;

const settings = (refusals: string) => ({
  hooks: {
    UserPromptSubmit: [{ hooks: [{ type: "command", name: "judge", command: judge(refusals) }] }],
    PreToolUse: [{ hooks: [{ type: "command", name: "guard", command: "sleep 0.1" }] }],
    PostToolUse: [{ hooks: [{ type: "command", name: "after", command: "sleep 0.05" }] }],
  },
});

/** `callNumber` tells calls apart: a person may send the same prompt twice, but no call runs twice. */
function reply(request: ScriptedRequest, callNumber: number): ScriptedReply {
  const asked = askedIn(request);
  const token = /q\d+q/.exec(asked)?.[0] ?? "q0q";
  if (request.body.messages.at(-1)?.role === "tool") return { say: `${token} is done` };
  const call = (name: string, input: Record<string, unknown>) => ({ calls: [{ name, arguments: input }] });
  if (asked.includes("talk")) return { say: wordsOf(token) };
  if (asked.includes("write")) return call("Write", { file_path: `${token}.txt`, content: contentOf(token) });
  if (asked.includes("command"))
    return call("Bash", { command: `echo ${token} ${callNumber} >> ran.log; sleep 0.4; python3 -c 'pass'` });
  if (asked.includes("background"))
    return call("Bash", {
      command: `echo ${token} ${callNumber} >> ran.log; exec sleep 300`,
      run_in_background: true,
    });
  return { say: `${token} is answered` };
}

const contentOf = (token: string) => `${token} `.repeat(40_000);

/** One project with its home, in which one Wave after the other is started and killed. */
export class KillStage implements AsyncDisposable {
  readonly project: Project;
  readonly model: ScriptedModel;
  readonly tmp: string;
  readonly #refusals: string;

  private constructor(project: Project, model: ScriptedModel, tmp: string) {
    this.project = project;
    this.model = model;
    this.tmp = tmp;
    this.#refusals = refusalsOf(project);
  }

  static async open(): Promise<KillStage> {
    const project = makeProject();
    const tmp = join(project.home, "..", "tmp");
    mkdirSync(tmp);
    writeFileSync(join(project.home, "settings.json"), JSON.stringify(settings(refusalsOf(project))));
    let calls = 0;
    const model = await startScriptedModel((request) => reply(request, ++calls), { tokenDelayMs: 12 });
    return new KillStage(project, model, tmp);
  }

  /** `mark` is in the environment of everything that comes of it. */
  start(args: readonly string[]): { wave: TerminalRun; mark: string } {
    const mark = newMark();
    const env = {
      WAVE_HOME: this.project.home,
      TMPDIR: this.tmp,
      WAVE_API_KEY: "key",
      WAVE_BASE_URL: this.model.baseUrl,
      WAVE_MODEL: "scripted",
      [MARK]: mark,
    };
    const options = { cwd: this.project.folder, cols: 100, rows: 40, env };
    return { wave: startWave({ ...options, args: ["--permission-mode", "acceptEdits", ...args] }), mark };
  }

  /** The bytes of everything that keeps what a person said, one after the other. */
  kept(): { sessions: string; history: string; drafts: string } {
    const { home } = this.project;
    return {
      sessions: this.project
        .sessionFiles()
        .filter((file) => file.includes("/sessions/"))
        .map(text)
        .join(""),
      history: text(join(home, "history.jsonl")),
      drafts: filesIn(join(home, "drafts")).map(text).join(""),
    };
  }

  /** All that hooks have refused, where Wave has heard of it: then nothing keeps the text, and a record says so. */
  blocked(): string {
    const records = this.kept()
      .sessions.split("\n")
      .filter((line) => line.includes('"decision":"blocked"'));
    const wasHeard = (prompt: unknown) => {
      const hash = createHash("sha256").update(JSON.stringify(prompt)).digest("hex");
      return records.some((line) => line.includes(hash));
    };
    const refused = text(this.#refusals).split("\n").filter(Boolean);
    return refused
      .map((payload) => (JSON.parse(payload) as { prompt: string }).prompt)
      .filter(wasHeard)
      .join("\n");
  }

  /** The texts of all messages that a resume would have. */
  async said(): Promise<string> {
    const files = this.project.sessionFiles().filter((file) => file.includes("/sessions/"));
    const sessions = await Promise.all(files.map((file) => loadSession(file)));
    const problems = sessions.flatMap((session) => session?.problems ?? []);
    // Half a last line is what a kill leaves.
    const bad = problems.filter((problem) => !problem.includes("is half a record"));
    if (bad.length > 0) throw new Error(`a damaged session: ${bad.join("; ")}`);
    return JSON.stringify(sessions.flatMap((session) => session?.messages ?? []));
  }

  /** What should not be there when no command runs and nothing is being written: of the project, the home and the system's. */
  leftovers(): string[] {
    const { home, folder } = this.project;
    const named = (place: string, wanted: RegExp) =>
      filesIn(place).filter((file) => wanted.test(file.slice(place.length)));
    return [
      ...named(folder, /\.tmp(?:\/|$)/),
      ...named(home, /\.(?:tmp|new|part|lock)(?:[./]|$)|\/running\//),
      ...named(this.tmp, /./),
    ];
  }

  /** The process that a lock names. */
  holderOf(lock: string): number | undefined {
    const pid: unknown = /"pid":(\d+)/.exec(text(lock))?.[1];
    return pid === undefined ? undefined : Number(pid);
  }

  /** Files that a call was writing: whole or not there at all. */
  halfWritten(): string[] {
    return filesIn(this.project.folder).filter((file) => {
      const token = /\/(q\d+q)\.txt$/.exec(file)?.[1];
      return token !== undefined && text(file) !== contentOf(token);
    });
  }

  ranTwice(): string[] {
    const lines = text(join(this.project.folder, "ran.log")).split("\n").filter(Boolean);
    return lines.filter((line, index) => lines.indexOf(line) !== index);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.model.close();
    this.project[Symbol.dispose]();
  }
}

const refusalsOf = ({ home }: Project) => join(home, "..", "refused.jsonl");

function text(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // Never written, or removed since the folder was listed.
    return "";
  }
}

/** Files and folders, however deep. */
function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
}

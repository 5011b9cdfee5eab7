import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ScriptedModel } from "wave-agent-sdk/testing";
import { approve } from "./approve.ts";
import { COMPILED } from "./compiled.ts";
import type { Project } from "./project.ts";

export const WAVE = fileURLToPath(new URL("../../bin/wave.js", import.meta.url));

export interface WaveRun {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface WaveOptions {
  project: Project;
  /** Whether a person has approved the project as it is when Wave starts. Default: yes. */
  approved?: boolean;
  model?: Pick<ScriptedModel, "baseUrl"> | undefined;
  env?: Record<string, string>;
  /** What is piped in. Default: nothing, and the end of it. */
  stdin?: string | Buffer;
  /** A program that starts Wave, with its arguments; Wave's own command is put behind it. */
  through?: readonly string[];
  /** A whole command in the place of Wave's own. */
  program?: readonly string[];
  /** Wave leads a process group of its own, as a job of a shell does. */
  ownGroup?: boolean;
}

/** The environment of a run: nothing of the person's own settings, keys or proxies. */
export function waveEnv({ project, model, env = {} }: WaveOptions): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: project.home,
    TMPDIR: process.env["TMPDIR"] ?? "/tmp",
    WAVE_HOME: project.home,
    ...COMPILED,
    ...(model ? { WAVE_BASE_URL: model.baseUrl, WAVE_API_KEY: "test-key", WAVE_MODEL: "scripted" } : {}),
    ...env,
  };
}

/** Starts the real program. */
export function startWave(args: readonly string[], options: WaveOptions): StartedWave {
  if (options.approved ?? true) approve(options.project);
  const own = [...(options.through ?? []), process.execPath, WAVE, ...args];
  const [program = process.execPath, ...rest] = options.program ?? own;
  const child = spawn(program, rest, {
    cwd: options.project.folder,
    env: waveEnv(options),
    detached: options.ownGroup ?? false,
  });
  return new StartedWave(child);
}

export async function runWave(args: readonly string[], options: WaveOptions): Promise<WaveRun> {
  const wave = startWave(args, options);
  wave.child.stdin.end(options.stdin ?? "");
  return wave.done;
}

export class StartedWave {
  readonly child: ChildProcessWithoutNullStreams;
  readonly done: Promise<WaveRun>;
  stdout = "";
  stderr = "";

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child;
    child.stdout.setEncoding("utf8").on("data", (text: string) => (this.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    // Wave may end before it has read everything.
    child.stdin.on("error", () => {});
    this.done = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (status, signal) =>
        resolve({ status, signal, stdout: this.stdout, stderr: this.stderr }),
      );
    });
  }

  /** Resolves when the condition holds; rejects when the program has ended without it. */
  async until(holds: () => boolean): Promise<void> {
    let ended = false;
    void this.done.then(() => (ended = true));
    while (!holds()) {
      if (ended && !holds())
        throw new Error(`wave ended before it came to that:\n${this.stdout}\n${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

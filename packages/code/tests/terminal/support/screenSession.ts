import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  startScriptedModel,
  type Scenario,
  type ScriptedModel,
  type ScriptedModelOptions,
} from "wave-agent-sdk/testing";
import { makeProject, type Project } from "../../support/project.ts";
import { MARK, newMark } from "./processes.ts";
import { startWave, type TerminalOptions, type TerminalRun } from "./terminal.ts";

export const READY = "Ask, or / for commands";

export interface ScreenSetup extends Partial<Pick<TerminalOptions, "args" | "cols" | "rows">> {
  scenario: Scenario;
  model?: ScriptedModelOptions;
  /** In the user's settings: nobody has to approve them. */
  settings?: Record<string, unknown>;
  env?: Record<string, string>;
  /** Before Wave starts. */
  prepare?: (project: Project) => void;
  /** Starts Wave in some other way than directly. */
  start?: (options: TerminalOptions) => TerminalRun;
}

/** Wave on a terminal of its own, with a project, a home and a model of its own. */
export class ScreenSession implements AsyncDisposable {
  readonly project: Project;
  readonly model: ScriptedModel;
  readonly wave: TerminalRun;
  /** In the environment of Wave and of everything it starts. */
  readonly mark: string;
  readonly env: Record<string, string>;

  private constructor(parts: Pick<ScreenSession, "project" | "model" | "wave" | "mark" | "env">) {
    this.project = parts.project;
    this.model = parts.model;
    this.wave = parts.wave;
    this.mark = parts.mark;
    this.env = parts.env;
  }

  static async open(setup: ScreenSetup): Promise<ScreenSession> {
    const project = makeProject();
    const mark = newMark();
    writeFileSync(join(project.home, "settings.json"), JSON.stringify(setup.settings ?? {}));
    setup.prepare?.(project);
    const model = await startScriptedModel(setup.scenario, setup.model);
    const env = {
      WAVE_HOME: project.home,
      WAVE_API_KEY: "key",
      WAVE_BASE_URL: model.baseUrl,
      WAVE_MODEL: "scripted",
      [MARK]: mark,
      ...setup.env,
    };
    const wave = (setup.start ?? startWave)({
      cwd: project.folder,
      cols: setup.cols ?? 80,
      rows: setup.rows ?? 30,
      args: setup.args ?? [],
      env,
    });
    const session = new ScreenSession({ project, model, wave, mark, env });
    try {
      await wave.waitForText(READY);
    } catch (error) {
      await session[Symbol.asyncDispose]();
      throw error;
    }
    return session;
  }

  /** Types a line and sends it. What comes of it is the caller's to wait for. */
  async say(text: string): Promise<void> {
    this.wave.type(text);
    await this.wave.waitForText(`> ${text}`);
    await this.wave.press("enter");
  }

  /** Resolves when neither a turn is under way nor a question open. */
  async idle(): Promise<void> {
    const isWorking = () => /Esc\s+(?:Esc )?stops?| stopping /.test(this.wave.screen().join("\n"));
    await this.wave.waitUntil(() => !isWorking(), { what: "the end of the turn" });
  }

  /** Resolves when nothing has been written for so long; where something moves by itself, that never comes. */
  async quiet(ms: number): Promise<void> {
    for (let round = 0; round < 30_000 / ms; round++) {
      const before = this.wave.output.length;
      await sleep(ms);
      if (this.wave.output.length === before) return;
    }
    throw new Error(`there was always something written within ${ms} ms`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.wave[Symbol.asyncDispose]();
    await this.model.close();
    this.project[Symbol.dispose]();
  }
}

/** The session files of a project, one after the other; empty before there is one. */
export function sessionTextOf({ home }: Pick<Project, "home">): string {
  const folder = join(home, "sessions");
  if (!existsSync(folder)) return "";
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
}

/** What they say, line by line. A line that is no JSON fails here. */
export function sessionLinesOf(project: Pick<Project, "home">): Record<string, unknown>[] {
  return sessionTextOf(project)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Settings with one hook for each event: [event, bash command]. */
export function hooksOf(...hooks: [event: string, command: string, name?: string][]): { hooks: object } {
  const byEvent: Record<string, object[]> = {};
  for (const [event, command, name = event] of hooks) {
    byEvent[event] = [...(byEvent[event] ?? []), { hooks: [{ type: "command", name, command }] }];
  }
  return { hooks: byEvent };
}

export const bash = (command: string) => ({ call: { name: "Bash", arguments: { command } } });

export const ALL_ALLOWED = ["--permission-mode", "bypassPermissions"] as const;

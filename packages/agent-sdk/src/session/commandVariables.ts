import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isOfProject, type HookDefinition } from "../hooks/definition.ts";
import type { RunRegister } from "../process/runRegister.ts";
import type { ProcessRequest, ProcessRun } from "../services/process.ts";
import { isReservedVariable } from "../workspace/settings/projectLimits.ts";

type Variables = Record<string, string>;

/**
 * The environment of commands: what Wave was started with, and what hooks add to it. Scripts of Claude Code write `export NAME=value`
 * into the file that CLAUDE_ENV_FILE names; a shell reads it once, after the hooks of the event, and what it exports counts for
 * later commands. Hooks themselves do not get these variables: one hook has no say in how another runs.
 */
export class CommandVariables {
  readonly #options: CommandVariablesOptions;
  readonly #files = new Map<HookDefinition, string>();
  #folder: string | undefined;
  #env: Variables;

  constructor(options: CommandVariablesOptions) {
    this.#options = options;
    this.#env = options.env;
  }

  get env(): Variables {
    return this.#env;
  }

  /** Where a hook that is about to run writes its variables: each has a file of its own, which is empty. */
  fileFor(hook: HookDefinition): string {
    this.#folder ??= mkdtempSync(join(this.#options.register.temporaryFolder(), "wave-env-"));
    const file = this.#files.get(hook) ?? join(this.#folder, `${this.#files.size + 1}.sh`);
    writeFileSync(file, "", { mode: 0o600 });
    this.#files.set(hook, file);
    return file;
  }

  /** Takes over what these hooks wrote, in declared order. */
  async take(hooks: readonly HookDefinition[]): Promise<void> {
    for (const hook of hooks) {
      const file = this.#files.get(hook);
      if (file === undefined || readIfThere(file).trim() === "") continue;
      await this.#takeFrom(file, hook);
      rmSync(file, { force: true });
    }
  }

  async #takeFrom(file: string, hook: HookDefinition): Promise<void> {
    const { start, projectDir, register, say } = this.#options;
    // A shell file may compute its values, so a shell has to read it; whatever it prints is nobody's.
    const read = 'set -a; . "$1" >/dev/null 2>&1; exec "$2" -e "console.log(JSON.stringify(process.env))"';
    const { BASH_ENV: _, ...env } = this.#env;
    const done = await start({
      file: "bash",
      args: ["--norc", "--noprofile", "-c", read, "wave", file, process.execPath],
      cwd: projectDir,
      env,
      timeoutMs: 10_000,
      keepBytes: 4 * 1024 * 1024,
      register,
    });
    const after = exportedBy(done);
    if (!after) {
      say(
        "error",
        `what hook ${hook.name} wrote to CLAUDE_ENV_FILE could not be read by a shell; nothing of it is set`,
      );
      return;
    }
    const changed = Object.entries(after).filter(
      ([name, value]) => env[name] !== value && !OF_THE_SHELL.test(name),
    );
    const refused = changed.filter(([name, value]) => !mayBeSet(name, value, { before: env, hook }));
    const taken = changed.filter((one) => !refused.includes(one));
    this.#env = { ...this.#env, ...Object.fromEntries(taken) };
    const names = (list: typeof changed) =>
      list
        .map(([name]) => name)
        .toSorted()
        .join(", ");
    if (taken.length > 0) say("info", `hook ${hook.name} sets for commands: ${names(taken)}`);
    if (refused.length > 0)
      say(
        "warning",
        `hook ${hook.name} cannot set ${names(refused)}: these change how programs are found, loaded or connected`,
      );
  }
}

export interface CommandVariablesOptions {
  env: Variables;
  projectDir: string;
  register: RunRegister;
  /** Starts a process where commands run. */
  start: (request: ProcessRequest) => Promise<ProcessRun>;
  say: (level: "info" | "warning" | "error", text: string) => void;
}

const OF_THE_SHELL = /^(_|SHLVL|PWD|OLDPWD|SHELLOPTS|BASHOPTS|WAVE_RUN_ID)$/;

/** Whoever sets one of these makes every program load other code, or git another program. */
const LOADS_CODE =
  /^((LD|DYLD|WAVE)_.*|NODE_OPTIONS|BASH_ENV|ENV|IFS|PROMPT_COMMAND|PYTHON(STARTUP|HOME)|PERL5(OPT|LIB|DB)|RUBY(OPT|LIB)|\w*JAVA\w*_OPTIONS|GIT_(SSH|EXEC|EXTERNAL|ASKPASS|DIR|CONFIG).*)$/;

/**
 * A hook of the person's own may set what does not load code; one of a project nothing that steers programs. PATH is what such scripts
 * set most: of a project it may only grow at its end, so that every program that was found is still the one that is found.
 */
function mayBeSet(
  name: string,
  value: string,
  { before, hook }: { before: Variables; hook: HookDefinition },
): boolean {
  if (!isOfProject(hook.source.scope)) return !LOADS_CODE.test(name);
  if (name === "PATH") return value.startsWith(`${before["PATH"] ?? ""}:`);
  return name === "NODE_ENV" || !isReservedVariable(name);
}

function exportedBy(run: ProcessRun): Variables | undefined {
  if (run.end !== "exited" || run.code !== 0) return undefined;
  try {
    return JSON.parse(run.stdout.text) as Variables;
  } catch {
    return undefined;
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // The hook removed it: it sets nothing.
    return "";
  }
}

import type { AgentEvent } from "../events.ts";
import { hookIdOf, type HookDefinition, type SettingsScope } from "../hooks/definition.ts";
import type { HookFacts } from "../hooks/events.ts";
import { actingOnError, strictestPolicy } from "../hooks/failurePolicy.ts";
import type { Verdict } from "../hooks/verdict.ts";
import { isInside } from "../permissions/paths.ts";
import { changeOf, differenceOf, stampOf, stateOf, type FileState } from "../services/configFiles.ts";
import { scriptsOf } from "../services/hookScripts.ts";
import { KeptScripts, withScript } from "../services/keptScripts.ts";
import type { Configuration } from "./configuration.ts";
import type { ChangeJudged } from "./tellOfChange.ts";

/** Which hooks count. The one answer to that question while a session runs. */
export type HooksInForce = Pick<Configuration, "hooks" | "off" | "unreviewed">;

export type Reloaded =
  | { reloaded: true; hooks: number }
  /** Everything stays as it was. */
  | { reloaded: false; why: string };

type Source = HookFacts<"ConfigChange">["source"];

interface Watched {
  file: string;
  source: Source;
  /** Hooks that run it, when it is a script. */
  hooks: readonly string[];
  /** What was read, and counts. */
  inForce: FileState;
  stamp: string;
  /** The content that was spoken about last. */
  seen: string;
}

/**
 * Keeps what was read from settings and scripts in force, whatever happens to the files meanwhile. A change is noticed before
 * the next hooks run, said aloud and told to hooks; it counts only after a person has asked for it (T83, G28).
 */
export class ConfigGuard {
  #configuration: Configuration;
  #hooks: readonly HookDefinition[];
  #watched: Watched[];
  readonly #reread: () => Configuration;
  readonly #tellHooks: (facts: HookFacts<"ConfigChange">) => Promise<ChangeJudged>;
  readonly #taken: (configuration: Configuration) => void;
  readonly #emit: (event: AgentEvent) => void;
  readonly #kept: KeptScripts;

  constructor(options: {
    configuration: Configuration;
    /** Reads all files again. Throws SettingsError. */
    reread: () => Configuration;
    tellHooks: (facts: HookFacts<"ConfigChange">) => Promise<ChangeJudged>;
    /** A new configuration counts from now on. */
    taken: (configuration: Configuration) => void;
    emit: (event: AgentEvent) => void;
  }) {
    this.#configuration = options.configuration;
    this.#hooks = options.configuration.hooks;
    this.#reread = options.reread;
    this.#tellHooks = options.tellHooks;
    this.#taken = options.taken;
    this.#emit = options.emit;
    this.#kept = new KeptScripts(options.configuration.home);
    this.#watched = watchedFiles(options.configuration);
  }

  get inForce(): HooksInForce {
    const { off, unreviewed } = this.#configuration;
    return { hooks: [...this.#hooks], off, unreviewed };
  }

  /**
   * Looks whether any of the files changed, and says so. Costs one look per file when nothing did. Resolves to the hooks that
   * end the turn because of it.
   */
  async lookAround(): Promise<Verdict[]> {
    const halts: Verdict[] = [];
    for (const { watched, after } of this.#changes()) {
      if (after.hash === watched.inForce.hash) {
        this.#notice("info", `${watched.file} is again what it was when it was read`);
        continue;
      }
      const judged = await this.#judge(watched, after, "noticed");
      halts.push(...judged.halts);
      this.#notice("warning", describe(watched, after, judged.refused));
    }
    return halts;
  }

  /** What a person asks for: everything is read again, and counts unless it cannot be read or a hook refuses it. */
  async reload(): Promise<Reloaded> {
    await this.lookAround();
    for (const watched of this.#watched) {
      const after = stateOf(watched.file);
      if (after.hash === watched.inForce.hash) continue;
      const { refused } = await this.#judge(watched, after, "reload");
      if (refused !== undefined)
        return { reloaded: false, why: `a hook refuses ${watched.file}: ${refused}` };
    }
    try {
      this.#configuration = this.#reread();
    } catch (error) {
      return { reloaded: false, why: error instanceof Error ? error.message : String(error) };
    }
    this.#hooks = this.#configuration.hooks;
    this.#watched = watchedFiles(this.#configuration);
    this.#taken(this.#configuration);
    for (const notice of this.#configuration.notices) this.#emit({ type: "notice", ...notice });
    return { reloaded: true, hooks: this.#hooks.length };
  }

  /** Wave itself writes a settings file, at the wish of a person: that is no change to be noticed. */
  async whileWriting<T>(file: string, write: () => Promise<T>): Promise<T> {
    await this.lookAround();
    const result = await write();
    const watched = this.#watched.find((one) => one.file === file);
    if (!watched) return result;
    const after = stateOf(file);
    const untouched = watched.seen === watched.inForce.hash;
    Object.assign(watched, {
      stamp: after.stamp,
      seen: after.hash,
      ...(untouched ? { inForce: after } : {}),
    });
    return result;
  }

  dispose(): void {
    this.#kept.dispose();
  }

  /** Without a pause between look and note: calls that run at the same time find a change once. */
  #changes(): { watched: Watched; after: FileState }[] {
    const changes = this.#watched.flatMap((watched) => {
      const stamp = stampOf(watched.file);
      if (stamp === watched.stamp) return [];
      const after = stateOf(watched.file);
      watched.stamp = after.stamp;
      if (after.hash === watched.seen) return [];
      watched.seen = after.hash;
      return [{ watched, after }];
    });
    if (changes.some(({ watched }) => watched.source === "hook_script")) this.#keepScripts();
    return changes;
  }

  /** Hooks whose scripts changed go on with what was loaded, and are not believed when they then fail. */
  #keepScripts(): void {
    const changed = this.#watched.filter(
      ({ source, seen, inForce }) => source === "hook_script" && seen !== inForce.hash,
    );
    const { hooks, projectDir } = this.#configuration;
    this.#hooks = hooks.map((hook) => {
      // A reviewed copy of the project's own scripts runs already, and nothing that happens to the project reaches it.
      const copied = hook.action.type === "command" && hook.action.runs !== undefined;
      const own = changed.filter(
        ({ hooks: ids, file }) => ids.includes(hookIdOf(hook)) && !(copied && isInside(projectDir, file)),
      );
      return own.reduce((kept, { file, inForce }) => this.#keep(kept, file, inForce), hook);
    });
  }

  #keep(hook: HookDefinition, path: string, { bytes, mode = 0 }: FileState): HookDefinition {
    if (hook.action.type !== "command") return hook;
    const { projectDir, env } = this.#configuration;
    const { command, runs = command } = hook.action;
    const place = { projectDir, home: env["HOME"] };
    const instead = bytes && this.#copy({ path, bytes, mode });
    const kept = instead === undefined ? undefined : withScript(runs, { path, instead }, place);
    const asked = actingOnError(hook.event, "ask");
    const floor = asked === "continue" ? actingOnError(hook.event, "block") : asked;
    return {
      ...hook,
      onError: strictestPolicy(hook.onError, floor),
      action:
        kept === undefined
          ? { type: "unsupported", why: `its script ${path} was changed since it was loaded` }
          : { ...hook.action, runs: kept },
    };
  }

  #copy(script: { path: string; bytes: Buffer; mode: number }): string | undefined {
    try {
      return this.#kept.copy(script);
    } catch {
      // No room, or no right to write: the hook then does not run, and says why.
      return undefined;
    }
  }

  /** Nobody can refuse what the owner of the machine says. */
  async #judge(
    { file, source, inForce }: Watched,
    after: FileState,
    moment: "noticed" | "reload",
  ): Promise<ChangeJudged> {
    const judged = await this.#tellHooks({
      source,
      file_path: file,
      change: changeOf(inForce, after),
      difference: differenceOf(inForce, after),
      moment,
    });
    return source === "policy_settings" ? { ...judged, refused: undefined } : judged;
  }

  #notice(level: "info" | "warning", text: string): void {
    this.#emit({ type: "notice", level, text });
  }
}

function describe(
  { file, source, inForce, hooks }: Watched,
  after: FileState,
  refused: string | undefined,
): string {
  const what = `${file} was ${changeOf(inForce, after)} while Wave runs`;
  const stays =
    source === "hook_script"
      ? `${hooks.length === 1 ? "its hook goes" : "its hooks go"} on with the script as it was`
      : "what it said before stays in force";
  const next = refused === undefined ? "/hooks reload takes it over" : `a hook refuses it: ${refused}`;
  return `${what}; ${stays}; ${next}`;
}

const SOURCES: Record<Exclude<SettingsScope, "sdk">, Source> = {
  managed: "policy_settings",
  user: "user_settings",
  project: "project_settings",
  local: "local_settings",
  flag: "flag_settings",
};

function watchedFiles(configuration: Configuration): Watched[] {
  const { settingsFiles, hooks, projectDir, env } = configuration;
  const settings = settingsFiles.flatMap(({ file, scope }) =>
    scope === "sdk" ? [] : [watch(file, SOURCES[scope], [])],
  );
  const scripts = new Map<string, string[]>();
  for (const hook of hooks) {
    if (hook.action.type !== "command") continue;
    for (const script of scriptsOf(hook.action.command, { projectDir, home: env["HOME"] }))
      scripts.set(script, [...(scripts.get(script) ?? []), hookIdOf(hook)]);
  }
  return [...settings, ...[...scripts].map(([file, ids]) => watch(file, "hook_script", ids))];
}

function watch(file: string, source: Source, hooks: readonly string[]): Watched {
  const inForce = stateOf(file);
  return { file, source, hooks, inForce, stamp: inForce.stamp, seen: inForce.hash };
}

import type { AgentEvent } from "../events.ts";
import { hookIdOf, type HookDefinition } from "../hooks/definition.ts";
import type { HookFacts } from "../hooks/events.ts";
import { actingOnError, strictestPolicy } from "../hooks/failurePolicy.ts";
import type { Verdict } from "../hooks/verdict.ts";
import { changeOf, differenceOf, stampOf, stateOf, type FileState } from "./settings/configFiles.ts";
import { KeptScripts, withScript } from "./trust/keptScripts.ts";
import type { Settings } from "./settings/settings.ts";
import { approveInstructions, approveProject, type ProjectTrust } from "./trust/trust.ts";
import type { TrustOption } from "../agentOptions.ts";
import { reviewWays } from "../hooks/plan.ts";
import { CodeFolders, runsCopyOf } from "./codeFolders.ts";
import type { RunRegister } from "../process/runRegister.ts";
import type { Configuration } from "./configuration.ts";
import { coversContent, leavesInstructionsOut, withInstructions } from "./projectInstructions.ts";
import { nameOf, newlyOpen, reviewOf, type SettingsReview } from "./trust/settingsReview.ts";
import { describeChange, watchAppeared, watchedFiles, type Watched } from "./watchedFiles.ts";

/** Which hooks count. The one answer to that question while a session runs. */
export type HooksInForce = Pick<Configuration, "hooks" | "off" | "unreviewed"> & {
  /** Characters of one hook's text that the model gets, where settings say so. */
  contextLimits: Settings["contextLimits"];
  /** How a person gets to those that wait for an approval. */
  ways: string;
};

/** What hooks made of a change of settings. */
export interface ChangeJudged {
  /** Why the change must not count. */
  refused: string | undefined;
  /** For the event in whose course the change was noticed: it ends the turn. */
  halts: Verdict[];
}

export type Reloaded =
  | { reloaded: true; hooks: number }
  /** Everything stays as it was. */
  | { reloaded: false; why: string };

/**
 * Keeps what was read from settings and scripts in force, whatever happens to the files meanwhile. A change is noticed before
 * the next hooks run, said aloud and told to hooks; it counts only after a person has asked for it (T83, G28).
 */
export class ConfigGuard {
  #configuration: Configuration;
  #hooks: readonly HookDefinition[];
  #watched: Watched[];
  #folders: CodeFolders;
  /** Files that were seen to differ from what counts. */
  #waiting: string[] = [];
  #trust: TrustOption;
  readonly #reread: (trust: TrustOption) => Configuration;
  readonly #tellHooks: (facts: HookFacts<"ConfigChange">) => Promise<ChangeJudged>;
  readonly #taken: (configuration: Configuration) => void;
  readonly #emit: (event: AgentEvent) => void;
  readonly #kept: KeptScripts;

  constructor(options: {
    configuration: Configuration;
    register: RunRegister;
    trust: TrustOption;
    /** Reads all files again. Throws SettingsError. */
    reread: (trust: TrustOption) => Configuration;
    tellHooks: (facts: HookFacts<"ConfigChange">) => Promise<ChangeJudged>;
    /** A new configuration counts from now on. */
    taken: (configuration: Configuration) => void;
    emit: (event: AgentEvent) => void;
  }) {
    this.#configuration = options.configuration;
    this.#hooks = options.configuration.hooks;
    this.#trust = options.trust;
    this.#reread = options.reread;
    this.#tellHooks = options.tellHooks;
    this.#taken = options.taken;
    this.#emit = options.emit;
    this.#kept = new KeptScripts(options.configuration.home, options.register);
    this.#watched = watchedFiles(options.configuration);
    this.#folders = new CodeFolders(options.configuration);
  }

  get inForce(): HooksInForce {
    const { off, unreviewed, reviewCommand, settings } = this.#configuration;
    const { contextLimits } = settings;
    return { hooks: [...this.#hooks], off, unreviewed, contextLimits, ways: reviewWays(reviewCommand) };
  }

  get believesFolder(): boolean {
    return this.#configuration.believesFolder;
  }

  /** What the model is told of AGENTS.md, as it was read and approved. */
  get instructions(): string {
    return this.#configuration.instructions;
  }

  /** The project has instructions that nobody approved in this form, as far as somebody has looked. */
  get leavesInstructionsOut(): boolean {
    return leavesInstructionsOut(this.#configuration.project);
  }

  coversInstructions(content: Buffer): boolean {
    if (this.#trust === "given") return true;
    const now = this.#onDisk();
    return typeof now !== "string" && coversContent(content, now);
  }

  /** Of a set that was named for this run it becomes no part. */
  async takeInstructions(content: Buffer): Promise<boolean> {
    const { home, projectDir } = this.#configuration;
    if (this.#trust === "store") await approveInstructions({ home, projectDir }, content);
    const now = this.#onDisk();
    const next = typeof now === "string" ? undefined : withInstructions(this.#configuration, now);
    this.#configuration = next ?? this.#configuration;
    return next !== undefined;
  }

  /** Files that changed since they were read, as far as somebody has noticed: what they say now does not count. */
  get changedFiles(): readonly string[] {
    return this.#waiting;
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
      const { reviewCommand } = this.#configuration;
      const text = describeChange(watched, after, { refused: judged.refused, reviewCommand });
      const about = judged.refused === undefined ? { about: "settings-change" as const } : {};
      this.#emit({ type: "notice", level: "warning", text, ...about });
    }
    return halts;
  }

  /** What waits for a person, as the files are now. Takes nothing over and tells nobody. */
  review(about: SettingsReview["about"]): SettingsReview | undefined {
    const changed = this.#differing();
    this.#waiting = changed.map(({ watched }) => watched.file);
    return reviewOf(about, { inForce: this.#configuration, onDisk: this.#onDisk(), changed });
  }

  /** A person's yes to exactly what a review showed: it is approved and counts, unless it changed again or a hook refuses. */
  async take(review: SettingsReview): Promise<Reloaded> {
    await this.lookAround();
    if (review.obstacle !== undefined) return { reloaded: false, why: review.obstacle };
    const refused = await this.#refusal();
    if (refused !== undefined) return { reloaded: false, why: refused };
    // After the hooks, which take their time: nothing comes between this look and what is read.
    if (this.review(review.about)?.id !== review.id)
      return { reloaded: false, why: "the files changed again while you looked at them" };
    try {
      if (review.project) await this.#approve(review.project);
    } catch (error) {
      return { reloaded: false, why: messageOf(error) };
    }
    return this.#takeOver();
  }

  /**
   * What a program asks for: everything is read again, and counts unless it cannot be read, a hook refuses it, or it brings
   * something of the project that nobody approved. Then all of it stays as it was: a guard that changed is no reason to be
   * without one.
   */
  async reload(): Promise<Reloaded> {
    await this.lookAround();
    const refused = await this.#refusal();
    return refused === undefined ? this.#takeOver() : { reloaded: false, why: refused };
  }

  #takeOver(): Reloaded {
    const next = this.#onDisk();
    if (typeof next === "string") return { reloaded: false, why: next };
    const open = next.project ? newlyOpen(this.#configuration, next.project) : [];
    if (open.length > 0) return { reloaded: false, why: this.#unapproved(open) };
    this.#configuration = next;
    this.#hooks = next.hooks;
    this.#watched = watchedFiles(next);
    this.#folders = new CodeFolders(next);
    this.#waiting = [];
    this.#taken(next);
    for (const notice of next.notices) this.#emit({ type: "notice", ...notice });
    return { reloaded: true, hooks: next.hooks.length };
  }

  /** What the files say now, or why they cannot be read. */
  #onDisk(): Configuration | string {
    try {
      return this.#reread(this.#trust);
    } catch (error) {
      return messageOf(error);
    }
  }

  #differing(): { watched: Watched; after: FileState }[] {
    return this.#watched.flatMap((watched) => {
      const after = stateOf(watched.file);
      return after.hash === watched.inForce.hash ? [] : [{ watched, after }];
    });
  }

  async #refusal(): Promise<string | undefined> {
    for (const { watched, after } of this.#differing()) {
      const { refused } = await this.#judge(watched, after, "reload");
      if (refused !== undefined) return `a hook refuses ${watched.file}: ${refused}`;
    }
    return undefined;
  }

  /** Whoever named a set for this run approves another one for this run; otherwise a yes is kept. */
  async #approve(project: ProjectTrust): Promise<void> {
    if (this.#trust === "store") await approveProject(this.#configuration.home, project, new Date());
    else if (this.#trust !== "given") this.#trust = { sha256: project.sha256 };
  }

  #unapproved(open: ProjectTrust["items"]): string {
    const names = open.map(nameOf);
    const ways = reviewWays(this.#configuration.reviewCommand);
    return `nobody has approved this in its present form: ${names.join(", ")}; what was approved stays in force; ${ways} shows the difference`;
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
    this.#watched.push(...this.#folders.appeared().map(watchAppeared));
    const changes = this.#watched.flatMap((watched) => {
      const stamp = stampOf(watched.file);
      if (stamp === watched.stamp) return [];
      const after = stateOf(watched.file);
      watched.stamp = after.stamp;
      if (after.hash === watched.seen) return [];
      watched.seen = after.hash;
      return [{ watched, after }];
    });
    if (changes.length > 0)
      this.#waiting = this.#watched.flatMap(({ file, seen, inForce }) =>
        seen === inForce.hash ? [] : [file],
      );
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
      const own = changed.filter(
        ({ hooks: ids, file }) => ids.includes(hookIdOf(hook)) && !runsCopyOf(hook, file, projectDir),
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

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

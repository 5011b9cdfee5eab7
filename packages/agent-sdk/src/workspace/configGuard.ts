import { hookIdOf, type HookDefinition } from "../hooks/definition.ts";
import { cannotRun } from "../hooks/kinds/unsupported.ts";
import { actingOnError, strictestPolicy } from "../hooks/failurePolicy.ts";
import { stampOf, stateOf, type FileState } from "./settings/configFiles.ts";
import { KeptScripts, withScript } from "./trust/keptScripts.ts";
import type { PermissionRuleSource } from "./settings/permissions.ts";
import type { Settings } from "./settings/settings.ts";
import { approveInstructions, approveProject, type ProjectTrust } from "./trust/trust.ts";
import type { TrustOption } from "../agentOptions.ts";
import { reviewWays } from "../hooks/plan.ts";
import { CodeFolders, runsCopyOf } from "./codeFolders.ts";
import type { RunRegister } from "../process/runRegister.ts";
import type { Configuration } from "./configuration.ts";
import { coversContent, leavesInstructionsOut, withInstructions } from "./projectInstructions.ts";
import { nameOf, newlyOpen, reviewOf, type SettingsReview } from "./trust/settingsReview.ts";
import { watchAppeared, watchedFiles, type Watched } from "./watchedFiles.ts";

/** Which hooks count. The one answer to that question while a session runs. */
export type HooksInForce = Pick<Configuration, "hooks" | "off" | "unreviewed"> & {
  /** Characters of one hook's text that the model gets, where settings say so. */
  contextLimits: Settings["contextLimits"];
  /** How a person gets to those that wait for an approval. */
  ways: string;
};

/** A file that is not what is in force any more. */
export interface ChangedFile {
  watched: Watched;
  after: FileState;
}

/**
 * Keeps what was read from settings and scripts in force, whatever happens to the files meanwhile. A change counts only after
 * a person has asked for it (T83, G28). Who says so aloud, and asks hooks, is the session's pipeline.
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
  readonly #kept: KeptScripts;

  constructor(options: {
    configuration: Configuration;
    register: RunRegister;
    trust: TrustOption;
    /** Reads all files again. Throws SettingsError. */
    reread: (trust: TrustOption) => Configuration;
  }) {
    this.#configuration = options.configuration;
    this.#hooks = options.configuration.hooks;
    this.#trust = options.trust;
    this.#reread = options.reread;
    this.#kept = new KeptScripts(options.configuration.home, options.register);
    this.#watched = watchedFiles(options.configuration);
    this.#folders = new CodeFolders(options.configuration);
  }

  get inForce(): HooksInForce {
    const { off, unreviewed, reviewCommand, settings } = this.#configuration;
    const { contextLimits } = settings;
    return { hooks: [...this.#hooks], off, unreviewed, contextLimits, ways: reviewWays(reviewCommand) };
  }

  get reviewCommand(): Configuration["reviewCommand"] {
    return this.#configuration.reviewCommand;
  }

  get believesFolder(): boolean {
    return this.#configuration.believesFolder;
  }

  /** Allow rules of the project that nobody approved. */
  get unapprovedRules(): PermissionRuleSource[] {
    const { settings, rules } = this.#configuration;
    const counts = ({ rule, behavior, file }: PermissionRuleSource) =>
      rules.some((one) => one.rule === rule && one.behavior === behavior && one.file === file);
    return settings.permissions.rules.filter((rule) => !counts(rule));
  }

  /** Commands and skills, as they were read and approved. */
  get texts(): Configuration["texts"] {
    return this.#configuration.texts;
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

  /** What waits for a person, as the files are now. Takes nothing over and tells nobody. */
  review(about: SettingsReview["about"]): SettingsReview | undefined {
    const changed = this.differing();
    this.#waiting = changed.map(({ watched }) => watched.file);
    return reviewOf(about, { inForce: this.#configuration, onDisk: this.#onDisk(), changed });
  }

  /** A person's yes to what a review showed, kept as long as whoever created the agent wants. Throws SettingsError. */
  async approve({ project }: SettingsReview): Promise<void> {
    if (!project) return;
    // Whoever named a set for this run approves another one for this run; otherwise a yes is kept.
    if (this.#trust === "store") await approveProject(this.#configuration.home, project, new Date());
    else if (this.#trust !== "given") this.#trust = { sha256: project.sha256 };
  }

  /**
   * What is on disk counts from now on, unless it cannot be read or brings something of the project that nobody approved: then
   * all of it stays as it was, and this says why. A guard that changed is no reason to be without one.
   */
  takeOver(): Configuration | string {
    const next = this.#onDisk();
    if (typeof next === "string") return next;
    const open = next.project ? newlyOpen(this.#configuration, next.project) : [];
    if (open.length > 0) return this.#unapproved(open);
    this.#configuration = next;
    this.#hooks = next.hooks;
    this.#watched = watchedFiles(next);
    this.#folders = new CodeFolders(next);
    this.#waiting = [];
    return next;
  }

  /** What the files say now, or why they cannot be read. */
  #onDisk(): Configuration | string {
    try {
      return this.#reread(this.#trust);
    } catch (error) {
      return messageOf(error);
    }
  }

  /** All files that are not what is in force, noticed or not. */
  differing(): ChangedFile[] {
    return this.#watched.flatMap((watched) => {
      const after = stateOf(watched.file);
      return after.hash === watched.inForce.hash ? [] : [{ watched, after }];
    });
  }

  #unapproved(open: ProjectTrust["items"]): string {
    const names = open.map(nameOf);
    const ways = reviewWays(this.#configuration.reviewCommand);
    return `this version is not approved: ${names.join(", ")}; what was approved stays active; ${ways} shows the difference`;
  }

  /** Wave itself wrote a settings file, at the wish of a person: that is no change to be noticed. */
  noteWritten(file: string): void {
    const watched = this.#watched.find((one) => one.file === file);
    if (!watched) return;
    const after = stateOf(file);
    const untouched = watched.seen === watched.inForce.hash;
    Object.assign(watched, {
      stamp: after.stamp,
      seen: after.hash,
      ...(untouched ? { inForce: after } : {}),
    });
  }

  dispose(): void {
    this.#kept.dispose();
  }

  /**
   * Files that changed since somebody looked last. Costs one look per file when none did. Without a pause between look and
   * note: calls that run at the same time find a change once.
   */
  noticeChanges(): ChangedFile[] {
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
    const { projectDir, env } = this.#configuration;
    const { command, runs = command } = hook.action;
    if (runs === undefined) return hook;
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
          ? cannotRun(hook.action, `its script ${path} was changed since it was loaded`)
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
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

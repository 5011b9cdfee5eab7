import type { AgentEvent } from "../events.ts";
import type { ConfigGuard } from "../workspace/configGuard.ts";
import type { Configuration } from "../workspace/configuration.ts";
import type { SettingsReview } from "../workspace/trust/settingsReview.ts";
import type { HookPipeline } from "./hookPipeline.ts";

export type Reloaded =
  | { reloaded: true; hooks: number }
  /** Everything stays as it was. */
  | { reloaded: false; why: string };

/** Takes a change of settings over while a session runs: asked for by a person or a program, and unless a hook refuses it. */
export class SettingsChanges {
  readonly #guard: ConfigGuard;
  readonly #hooks: HookPipeline;
  readonly #taken: (configuration: Configuration) => void;
  readonly #emit: (event: AgentEvent) => void;

  constructor(options: {
    guard: ConfigGuard;
    hooks: HookPipeline;
    /** A new configuration counts from now on. */
    taken: (configuration: Configuration) => void;
    emit: (event: AgentEvent) => void;
  }) {
    this.#guard = options.guard;
    this.#hooks = options.hooks;
    this.#taken = options.taken;
    this.#emit = options.emit;
  }

  /** A person's yes to exactly what a review showed: it is approved and counts, unless it changed again or a hook refuses. */
  async take(review: SettingsReview): Promise<Reloaded> {
    await this.#hooks.lookAround();
    if (review.obstacle !== undefined) return { reloaded: false, why: review.obstacle };
    const refused = await this.#refusal();
    if (refused !== undefined) return { reloaded: false, why: refused };
    // After the hooks, which take their time: nothing comes between this look and what is read.
    if (this.#guard.review(review.about)?.id !== review.id)
      return { reloaded: false, why: "the files changed again while you looked at them" };
    try {
      await this.#guard.approve(review);
    } catch (error) {
      return { reloaded: false, why: error instanceof Error ? error.message : String(error) };
    }
    return this.#takeOver();
  }

  /** What a program asks for: everything is read again, and counts unless it cannot be used or a hook refuses it. */
  async reload(): Promise<Reloaded> {
    await this.#hooks.lookAround();
    const refused = await this.#refusal();
    return refused === undefined ? this.#takeOver() : { reloaded: false, why: refused };
  }

  /** What happened to the file before is noticed first; what Wave writes itself is no change. */
  async whileWriting<T>(file: string, write: () => Promise<T>): Promise<T> {
    await this.#hooks.lookAround();
    const result = await write();
    this.#guard.noteWritten(file);
    return result;
  }

  #takeOver(): Reloaded {
    const next = this.#guard.takeOver();
    if (typeof next === "string") return { reloaded: false, why: next };
    this.#taken(next);
    for (const notice of next.notices) this.#emit({ type: "notice", ...notice });
    return { reloaded: true, hooks: next.hooks.length };
  }

  async #refusal(): Promise<string | undefined> {
    for (const changed of this.#guard.differing()) {
      const { refused } = await this.#hooks.tellOfChange(changed, "reload");
      if (refused !== undefined) return `a hook refuses ${changed.watched.file}: ${refused}`;
    }
    return undefined;
  }
}

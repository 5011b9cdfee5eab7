import type { HookAction } from "../definition.ts";
import type { HookKindRow, HookRunner } from "./kind.ts";
import { kindOfAction } from "./kinds.ts";

const LAST_MOMENT_MS = 2_000;

/** What runs the hooks of a session: opened when a hook is first asked, closed when the session ends. */
export class HookRunners {
  readonly #kinds: readonly HookKindRow[] | undefined;
  readonly #open = new Map<HookAction, HookRunner>();
  readonly #background = new Set<Promise<unknown>>();
  readonly #end = new AbortController();

  constructor(kinds?: readonly HookKindRow[]) {
    this.#kinds = kinds;
  }

  runnerOf(action: HookAction): HookRunner {
    const known = this.#open.get(action);
    if (known) return known;
    const runner = kindOfAction(action, this.#kinds).open(action);
    this.#open.set(action, runner);
    return runner;
  }

  /** Settings were read again: closes what runs hooks that are gone. */
  async keepOnly(inForce: readonly HookAction[]): Promise<void> {
    await this.#close([...this.#open.keys()].filter((action) => !inForce.includes(action)));
  }

  /** Ends hooks that nobody waits for. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** A run that nobody waits for, until the session ends. */
  inBackground(run: Promise<unknown>): void {
    this.#background.add(run);
    void run.finally(() => this.#background.delete(run));
  }

  async close(): Promise<void> {
    await this.#endBackground();
    await this.#close([...this.#open.keys()]);
  }

  /** A notification that was sent off at the very end still gets its moment. */
  async #endBackground(): Promise<void> {
    if (this.#background.size > 0) {
      const timer = setTimeout(() => this.#end.abort(), LAST_MOMENT_MS);
      await Promise.allSettled(this.#background);
      clearTimeout(timer);
    }
    this.#end.abort();
  }

  async #close(actions: readonly HookAction[]): Promise<void> {
    const runners = actions.flatMap((action) => this.#open.get(action) ?? []);
    for (const action of actions) this.#open.delete(action);
    await Promise.allSettled(runners.map(async (runner) => runner.close()));
  }
}

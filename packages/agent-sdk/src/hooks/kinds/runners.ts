import type { HookAction } from "../definition.ts";
import type { HookKindRow, HookRunner } from "./kind.ts";
import { kindOfAction } from "./kinds.ts";

/** What runs the hooks of a session: opened when a hook is first asked, closed when the session ends. */
export class HookRunners {
  readonly #kinds: readonly HookKindRow[] | undefined;
  readonly #open = new Map<HookAction, HookRunner>();

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

  async close(): Promise<void> {
    await this.#close([...this.#open.keys()]);
  }

  async #close(actions: readonly HookAction[]): Promise<void> {
    const runners = actions.flatMap((action) => this.#open.get(action) ?? []);
    for (const action of actions) this.#open.delete(action);
    await Promise.allSettled(runners.map(async (runner) => runner.close()));
  }
}

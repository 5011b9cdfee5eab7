import { render, type Instance } from "ink";
import type { ReactNode } from "react";
import type { Surroundings } from "../cli/surroundings.ts";
import { answerPause } from "../keyboard/answerPause.ts";
import { Keyboard } from "../keyboard/Keyboard.tsx";
import { KeyRouter } from "../keyboard/keyRouter.ts";
import type { Notifier } from "../notifications/notifier.ts";
import { printable } from "../utils/printable.ts";
import { inkInput } from "./inkInput.ts";
import { DrawnPlace, inkTerminal } from "./inkTerminal.ts";
import { JobControl } from "./JobControl.tsx";

/** The terminal while Wave draws on it: one thing after the other, each in the place of the one before. */
export class Stage {
  /** Who gets a key, whatever is shown. */
  readonly keys: KeyRouter;
  #ink: Instance | undefined;
  readonly #place = new DrawnPlace();
  #notifier: Notifier | undefined;

  constructor(keys: KeyRouter) {
    this.keys = keys;
  }

  /** Whoever waits for somebody to look at this terminal says so through it. */
  notifyWith(notifier: Notifier): void {
    this.#notifier = notifier;
    this.keys.watch(notifier);
  }

  show(screen: ReactNode): void {
    const whole = (
      <JobControl place={this.#place} onStop={() => this.#notifier?.end()} onBack={() => this.#cameBack()}>
        <Keyboard router={this.keys}>{screen}</Keyboard>
      </JobControl>
    );
    if (this.#ink) this.#ink.rerender(whole);
    // `interactive`: where a variable called CI is set, Ink would draw nothing even on a terminal.
    else {
      const stdout = inkTerminal(process.stdout, this.#place);
      const stdin = inkInput(process.stdin, (change) => this.#notifier?.focus(change));
      this.#ink = render(whole, { stdin, stdout, exitOnCtrlC: false, interactive: true });
    }
  }

  /** Leaves what is drawn where it is; whatever comes next stands below it. */
  async close(): Promise<void> {
    const ink = this.#ink;
    this.#ink = undefined;
    ink?.unmount();
    await ink?.waitUntilExit();
  }

  /** Takes away what is drawn, for something else that comes in its place; what was finished has been printed. */
  async makeRoom(): Promise<void> {
    await this.#ink?.waitUntilRenderFlush();
    this.clear();
  }

  /** Takes away what is drawn, so that a sentence can stand by itself. */
  clear(): void {
    const ink = this.#ink;
    this.#ink = undefined;
    ink?.clear();
    ink?.unmount();
  }

  #cameBack(): void {
    this.keys.cameBack();
    this.#notifier?.begin();
  }
}

/** `onCancel`: Ctrl-C while there is neither a prompt nor a question. */
export function keyRouter(
  { env, stderr }: Pick<Surroundings, "env" | "stderr">,
  onCancel: () => void,
): KeyRouter {
  const { ms, problem } = answerPause(env);
  if (problem !== undefined) stderr.write(printable(`wave: ${problem}\n`));
  return new KeyRouter({ pauseMs: ms, onCancel });
}

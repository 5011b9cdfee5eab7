import { render, type Instance } from "ink";
import type { ReactNode } from "react";
import { inkTerminal } from "./inkTerminal.ts";

/** The terminal while Wave draws on it: one thing after the other, each in the place of the one before. */
export class Stage {
  #ink: Instance | undefined;

  show(screen: ReactNode): void {
    if (this.#ink) this.#ink.rerender(screen);
    // `interactive`: where a variable called CI is set, Ink would draw nothing even on a terminal.
    else {
      const stdout = inkTerminal(process.stdout);
      this.#ink = render(screen, { stdout, exitOnCtrlC: false, interactive: true });
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
}

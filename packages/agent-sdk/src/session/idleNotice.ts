import type { Entrypoint } from "../hooks/eventFields.ts";
import type { HookPipeline } from "./hookPipeline.ts";

/** So long nothing is typed after a turn before hooks are told that Wave waits. */
const IDLE_MS = 60_000;

/** Tells hooks once after each turn that nobody at the terminal has typed anything for a while. */
export class IdleNotice {
  readonly #hooks: Pick<HookPipeline, "performAside">;
  readonly #isOn: boolean;
  #timer: NodeJS.Timeout | undefined;

  constructor(hooks: Pick<HookPipeline, "performAside">, entrypoint: Entrypoint) {
    this.#hooks = hooks;
    this.#isOn = entrypoint === "terminal";
  }

  begin(): void {
    this.end();
    if (this.#isOn) this.#timer = setTimeout(() => this.#tell(), IDLE_MS).unref();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #tell(): void {
    this.#hooks.performAside("Notification", {
      message: "Wave is waiting for your input",
      title: "Waiting",
      notification_type: "idle_prompt",
    });
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type EndingSignal = (typeof SIGNALS)[number];

type Program = Pick<NodeJS.Process, "pid" | "env" | "kill" | "on" | "off" | "channel">;

/**
 * The signals that ask Wave to end, each told once. Under the launcher (bin/launch.js) one signal may arrive twice: from
 * the system, and as a message of the launcher. Taken for two it would skip the SessionEnd hooks.
 */
export class Signals {
  readonly #program: Program;
  readonly #launched: boolean;
  readonly #listeners = new Set<(signal: EndingSignal) => void>();
  readonly #handlers: ReadonlyMap<EndingSignal, () => void>;
  readonly #counts = new Map<EndingSignal, { fromSystem: number; fromLauncher: number; told: number }>();
  #attached = false;

  constructor(program: Program) {
    this.#program = program;
    this.#handlers = new Map(SIGNALS.map((signal) => [signal, () => this.#received(signal, "fromSystem")]));
    this.#launched = program.env["WAVE_LAUNCHED"] === "1" && program.channel != null;
    // What tools and hooks start must not take itself for launched.
    delete program.env["WAVE_LAUNCHED"];
    if (!this.#launched) return;
    this.#attach();
    program.on("message", (message: unknown) => {
      const signal = signalIn(message);
      if (signal) this.#received(signal, "fromLauncher");
    });
    // Somebody killed the launcher: whoever started Wave is gone, as when a terminal closes.
    program.on("disconnect", () => this.#tell("SIGHUP"));
    program.channel?.unref();
  }

  /** While nobody listens, a signal does what it does to every program. */
  listen(listener: (signal: EndingSignal) => void): Disposable {
    this.#listeners.add(listener);
    this.#attach();
    return {
      [Symbol.dispose]: () => {
        this.#listeners.delete(listener);
        if (this.#listeners.size === 0 && !this.#launched) this.#detach();
      },
    };
  }

  #received(signal: EndingSignal, from: "fromSystem" | "fromLauncher"): void {
    if (!this.#launched) return this.#tell(signal);
    const counts = this.#counts.get(signal) ?? { fromSystem: 0, fromLauncher: 0, told: 0 };
    this.#counts.set(signal, counts);
    counts[from]++;
    // Not by the clock: on a busy machine the second of a pair may be late, and a person may be quick.
    if (Math.max(counts.fromSystem, counts.fromLauncher) === counts.told) return;
    counts.told++;
    this.#tell(signal);
  }

  #tell(signal: EndingSignal): void {
    if (this.#listeners.size > 0) {
      for (const listener of this.#listeners) listener(signal);
      return;
    }
    this.#detach();
    this.#program.kill(this.#program.pid, signal);
  }

  #attach(): void {
    if (this.#attached) return;
    this.#attached = true;
    for (const [signal, handler] of this.#handlers) this.#program.on(signal, handler);
  }

  #detach(): void {
    this.#attached = false;
    for (const [signal, handler] of this.#handlers) this.#program.off(signal, handler);
  }
}

function signalIn(message: unknown): EndingSignal | undefined {
  if (typeof message !== "object" || message === null || !("signal" in message)) return undefined;
  return SIGNALS.find((signal) => signal === message.signal);
}

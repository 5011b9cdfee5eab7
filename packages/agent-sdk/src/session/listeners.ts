import type { AgentOptions } from "../agentOptions.ts";
import type { AgentEvent } from "../events.ts";
import type { Message } from "../messages/blocks.ts";
import { warningOf, type WarningCode } from "./processWarnings.ts";
import { maskSecrets } from "../utils/maskSecrets.ts";

type Warn = (code: WarningCode, text: string) => void;

/**
 * Those in the program that listen to an agent. A mistake in one of them must not end a turn half-way, keep a session open or
 * keep the others from hearing; it is made known once, and how often it came again when the agent ends.
 * Where nobody listens to events, notices become warnings of the process: nothing is silent.
 */
export class Listeners {
  readonly #options: Pick<AgentOptions, "onEvent" | "callbacks">;
  #messages: () => readonly Message[] = () => [];
  readonly #warn: Warn;
  readonly #failures = new Map<string, number>();
  #ended = false;
  readonly #subscribers = new Map<(event: AgentEvent) => void, { hearsNotices: boolean }>();

  constructor(options: Pick<AgentOptions, "onEvent" | "callbacks">, warn: Warn) {
    this.#options = options;
    this.#warn = warn;
  }

  /** Whose messages `onMessagesChange` is given. */
  follow(messages: () => readonly Message[]): void {
    this.#messages = messages;
  }

  /** Hears everything from now on, until what is returned is called. */
  subscribe(listener: (event: AgentEvent) => unknown, how = { hearsNotices: true }): () => void {
    // Wrapped: one function may listen twice.
    const one = (event: AgentEvent) => this.#call("subscribe", event.type, () => listener(event));
    this.#subscribers.set(one, how);
    return () => void this.#subscribers.delete(one);
  }

  hear(event: AgentEvent): void {
    if (this.#ended) return;
    const { onEvent, callbacks } = this.#options;
    const { type } = event;
    const unheard = type === "notice" && !onEvent && !this.#hearsNotices ? warningOf(event) : undefined;
    if (unheard) this.#warn(unheard.code, unheard.text);
    this.#call("onEvent", type, () => onEvent?.(event));
    for (const tell of this.#subscribers.keys()) tell(event);
    if (type === "messages_changed")
      this.#call("onMessagesChange", type, () => callbacks?.onMessagesChange?.(this.#messages()));
    if (BEGINNINGS.has(type)) this.#call("onLoadingChange", type, () => callbacks?.onLoadingChange?.(true));
    if (ENDINGS.has(type)) this.#call("onLoadingChange", type, () => callbacks?.onLoadingChange?.(false));
  }

  get #hearsNotices(): boolean {
    return [...this.#subscribers.values()].some(({ hearsNotices }) => hearsNotices);
  }

  /** The agent has ended: nobody expects to hear of it again. */
  sumUp(): void {
    this.#ended = true;
    for (const [name, times] of this.#failures)
      if (times > 1) this.#warn("WAVE_LISTENER", `the listener ${name} failed ${times} times in all`);
    this.#failures.clear();
  }

  #call(name: string, at: AgentEvent["type"], listener: () => unknown): void {
    const failed = (error: unknown) => this.#failed(name, at, error);
    try {
      const returned = listener();
      // An async function is a listener, too: left alone, its rejection would end the whole program.
      if (returned instanceof Promise) returned.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  #failed(name: string, at: AgentEvent["type"], error: unknown): void {
    const times = (this.#failures.get(name) ?? 0) + 1;
    this.#failures.set(name, times);
    if (times > 1) return;
    const message = (error instanceof Error ? error.message : String(error)).trim().replaceAll(/\s+/g, " ");
    this.#warn(
      "WAVE_LISTENER",
      `the listener ${name} failed at ${at}: ${maskSecrets(message)}; if it fails again, that is counted and not told`,
    );
  }
}

const BEGINNINGS: ReadonlySet<AgentEvent["type"]> = new Set(["turn_started", "shell_started"]);
const ENDINGS: ReadonlySet<AgentEvent["type"]> = new Set(["turn_ended", "shell_ended"]);

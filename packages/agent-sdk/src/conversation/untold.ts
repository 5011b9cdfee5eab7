import type { MessageManager } from "../managers/messageManager.ts";

/** What the model has to be told and nobody waited for; it is said where nothing stands between a call and its result. */
export class Untold {
  readonly #messages: Pick<MessageManager, "addHookBlock">;
  readonly #waiting: { text: string; source: string }[] = [];

  constructor(messages: Pick<MessageManager, "addHookBlock">) {
    this.#messages = messages;
  }

  add(text: string, source: string): void {
    this.#waiting.push({ text, source });
  }

  say(): void {
    for (const { text, source } of this.#waiting.splice(0))
      this.#messages.addHookBlock("SubagentStop", text, { hook: "wave", source, feedback: true });
  }
}

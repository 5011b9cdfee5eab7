import { randomUUID } from "node:crypto";
import type { Block, HookBlock, Message, Origin, ToolBlock, Usage } from "../messages/blocks.ts";
import { applyEdit, type TranscriptEdit } from "../messages/edits.ts";
import type { SessionLog } from "./sessionLog.ts";

export interface ToolBlockChanges extends Partial<Omit<ToolBlock, "type" | "id" | "name">> {
  toolId: string;
}

/** What a listener hears of an edit. */
export interface MessageChange {
  message: Message | undefined;
  removedId?: string;
}

/** The only writer of the conversation. Every change is an edit: applied, saved, then announced. */
export class MessageManager {
  readonly #log: SessionLog;
  readonly #onChange: (change: MessageChange) => void;
  #messages: Message[];
  /** The answer that is streaming in: shown, and saved when it is whole. */
  #live: Message | undefined;
  #heldPrompt: string | undefined;

  constructor(options: {
    log: SessionLog;
    messages?: readonly Message[];
    onChange: (change: MessageChange) => void;
  }) {
    this.#log = options.log;
    this.#messages = [...(options.messages ?? [])];
    this.#onChange = options.onChange;
  }

  get messages(): Message[] {
    return this.#live ? [...this.#messages, this.#live] : this.#messages;
  }

  /** Makes an edit that comes from an earlier session. */
  restore(edit: TranscriptEdit): void {
    this.#edit(edit);
  }

  addUserMessage(content: string | Block[], options: { origin?: Origin } = {}): void {
    const blocks: Block[] = typeof content === "string" ? [{ type: "text", content }] : content;
    const origin = options.origin ? { origin: options.origin } : {};
    this.#edit(
      { edit: "add-message", message: { id: randomUUID(), role: "user", blocks, ...origin } },
      { sync: true },
    );
  }

  /** The prompt is shown at once and stays out of the session file until its hooks have let it pass (FR-010). */
  addPrompt(content: string): void {
    this.#log.hold();
    this.addUserMessage(content);
    this.#heldPrompt = this.#messages.at(-1)?.id;
  }

  acceptPrompt(): void {
    this.#heldPrompt = undefined;
    this.#log.release({ sync: true });
  }

  /** Erases the prompt that is being judged, from the conversation and from what would be written. */
  removeLastUserMessage(): void {
    const id = this.#heldPrompt ?? this.#messages.findLast((message) => message.role === "user")?.id;
    if (id === undefined) return;
    if (id === this.#heldPrompt) {
      this.#heldPrompt = undefined;
      this.#messages = this.#messages.filter((message) => message.id !== id);
      this.#log.release({
        without: (record) =>
          record.type === "edit" && record.edit.edit === "add-message" && record.edit.message.id === id,
      });
      this.#onChange({ message: undefined, removedId: id });
      return;
    }
    this.#edit({ edit: "remove-message", messageId: id });
  }

  /** Shows an answer while it streams. */
  showLive(blocks: Block[]): void {
    this.#live = { id: this.#live?.id ?? randomUUID(), role: "assistant", blocks };
    this.#onChange({ message: this.#live });
  }

  /** The whole answer, in the place of what was shown while it streamed. An answer without a word leaves no message. */
  addAssistantMessage(blocks: Block[], usage?: Usage): void {
    const id = this.#live?.id ?? randomUUID();
    const wasShown = this.#live !== undefined;
    this.#live = undefined;
    if (blocks.length === 0) {
      if (wasShown) this.#onChange({ message: undefined, removedId: id });
      return;
    }
    const message: Message = { id, role: "assistant", blocks, ...(usage ? { usage } : {}) };
    this.#edit({ edit: "add-message", message }, { sync: true });
  }

  updateToolBlock({ toolId, ...changes }: ToolBlockChanges): void {
    this.#edit({ edit: "update-tool", toolId, changes });
  }

  /** For the user only. */
  addErrorBlock(content: string, origin?: Origin): void {
    this.#addForUser({ type: "error", content, ...(origin ? { origin } : {}) });
  }

  /** For the user only. */
  addWarnBlock(content: string, origin?: Origin): void {
    this.#addForUser({ type: "warn", content, ...(origin ? { origin } : {}) });
  }

  /** For the model, with its origin visible. */
  addHookBlock(hookEvent: string, content: string, metadata?: Record<string, unknown>): void {
    const block: HookBlock = { type: "hook", hookEvent, content, ...(metadata ? { metadata } : {}) };
    this.addUserMessage([block]);
  }

  /** Appended to the assistant message it belongs to, or in a message of its own. */
  #addForUser(block: Block): void {
    const last = this.#messages.at(-1);
    if (last?.role === "assistant") {
      this.#edit({ edit: "add-block", messageId: last.id, block });
      return;
    }
    this.#edit({ edit: "add-message", message: { id: randomUUID(), role: "assistant", blocks: [block] } });
  }

  #edit(edit: TranscriptEdit, options: { sync?: boolean } = {}): void {
    this.#messages = applyEdit(this.#messages, edit);
    // Before it is announced: what a person has seen is on disk.
    this.#log.append({ type: "edit", edit }, options);
    this.#onChange(changeOf(this.#messages, edit));
  }
}

function changeOf(messages: readonly Message[], edit: TranscriptEdit): MessageChange {
  switch (edit.edit) {
    case "add-message":
      return { message: edit.message };
    case "add-block":
      return { message: messages.findLast((message) => message.id === edit.messageId) };
    case "update-tool": {
      const isIn = (message: Message) =>
        message.blocks.some((block) => block.type === "tool" && block.id === edit.toolId);
      return { message: messages.findLast(isIn) };
    }
    case "remove-message":
      return { message: undefined, removedId: edit.messageId };
  }
}

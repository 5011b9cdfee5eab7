import { randomUUID } from "node:crypto";
import type {
  Block,
  ErrorBlock,
  HookBlock,
  Message,
  Origin,
  SummaryBlock,
  ToolBlock,
  Usage,
} from "../messages/blocks.ts";
import { newestSummary } from "../messages/context.ts";
import { deepFreeze } from "../utils/deepFreeze.ts";
import { applyEdit, rewindsTo, type TranscriptEdit } from "../messages/edits.ts";
import { LiveSaver } from "../session/liveSaver.ts";
import type { SessionLog } from "../session/sessionLog.ts";

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
  /** Changed by replacing it. Whoever asks for it gets a copy, made once for each change. */
  #messages: Message[];
  #snapshot: readonly Message[] | undefined;
  /** The answer that is streaming in: shown, saved in pieces meanwhile and once more when it is whole. */
  #live: Message | undefined;
  readonly #liveSaver: LiveSaver;
  #heldPrompt: string | undefined;
  #promptId: string | undefined;
  /** What the newest rewind took away. */
  #takenAway: Message[];

  constructor(options: {
    log: SessionLog;
    messages?: readonly Message[];
    takenAway?: readonly Message[] | undefined;
    onChange: (change: MessageChange) => void;
  }) {
    this.#log = options.log;
    this.#liveSaver = new LiveSaver(options.log);
    this.#messages = (options.messages ?? []).map(deepFreeze);
    this.#takenAway = [...(options.takenAway ?? [])];
    this.#onChange = options.onChange;
  }

  /** As they are now: neither the list nor what is in it changes any more, and nobody can change it. */
  get messages(): readonly Message[] {
    const live = this.#live ? [this.#live] : [];
    return (this.#snapshot ??= Object.freeze([...this.#messages, ...live]));
  }

  /** Without an answer that is still coming in. */
  get finished(): readonly Message[] {
    return this.#messages;
  }

  /** The newest prompt, also one that is being judged or was refused. */
  get promptId(): string | undefined {
    return this.#promptId;
  }

  /** Without a prompt whose hooks have not let it pass: what may be written where others read it (FR-010). */
  get accepted(): readonly Message[] {
    const held = this.#heldPrompt;
    return held === undefined ? this.#messages : this.#messages.filter(({ id }) => id !== held);
  }

  /** Makes an edit that was decided elsewhere: of an earlier session, or of a prompt that is taken back. */
  restore(edit: TranscriptEdit): void {
    this.#edit(edit);
  }

  addUserMessage(
    content: string | Block[],
    options: Pick<Message, "origin" | "steered" | "usage"> = {},
  ): Message {
    const blocks: Block[] = typeof content === "string" ? [{ type: "text", content }] : content;
    const message: Message = { id: randomUUID(), role: "user", blocks, ...options };
    this.#edit({ edit: "add-message", message }, { sync: true });
    return message;
  }

  /** The prompt is shown at once and stays out of the session file until its hooks have let it pass (FR-010). */
  addPrompt(content: string | Block[], options: Pick<Message, "steered"> = {}): void {
    this.#log.hold();
    this.#promptId = this.#heldPrompt = this.addUserMessage(content, options).id;
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
      this.#put(this.#messages.filter((message) => message.id !== id));
      this.#log.release({
        without: (record) =>
          record.type === "edit" && record.edit.edit === "add-message" && record.edit.message.id === id,
      });
      this.#announce({ message: undefined, removedId: id });
      return;
    }
    this.#edit({ edit: "remove-message", messageId: id });
  }

  /** Back to before this message. What is taken away can be brought back until another rewind takes something away. */
  rewind(messageId: string): void {
    this.#takenAway = this.#messages.slice(rewindsTo(this.#messages, messageId));
    this.#edit({ edit: "rewind", messageId }, { sync: true });
  }

  bringBack(): Message[] {
    const messages = this.#takenAway;
    this.#takenAway = [];
    this.#edit({ edit: "bring-back", messages }, { sync: true });
    return messages;
  }

  /** Shows an answer while it streams. One that begins again has nothing to show. */
  showLive(blocks: Block[]): void {
    if (blocks.length === 0) return this.addAssistantMessage([]);
    const live: Message = { id: this.#live?.id ?? randomUUID(), role: "assistant", blocks };
    this.#put(this.#messages, live);
    this.#liveSaver.show(live);
    this.#announce({ message: live });
  }

  /** The whole answer, in the place of what was shown while it streamed. An answer without a word leaves no message. */
  addAssistantMessage(blocks: Block[], usage?: Usage): void {
    const id = this.#live?.id ?? randomUUID();
    const wasShown = this.#live !== undefined;
    this.#put(this.#messages);
    this.#liveSaver.end(blocks.length === 0 ? "none" : "whole");
    if (blocks.length === 0) {
      if (wasShown) this.#announce({ message: undefined, removedId: id });
      return;
    }
    const message: Message = { id, role: "assistant", blocks, ...(usage ? { usage } : {}) };
    this.#edit({ edit: "add-message", message }, { sync: true });
  }

  updateToolBlock({ toolId, ...changes }: ToolBlockChanges): void {
    this.#edit({ edit: "update-tool", toolId, changes });
  }

  /** For the user only. */
  addErrorBlock(content: string, origin?: Origin, failure?: NonNullable<ErrorBlock["failure"]>): void {
    this.#addForUser({
      type: "error",
      content,
      ...(origin ? { origin } : {}),
      ...(failure ? { failure } : {}),
    });
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

  /** From here on it stands for what was said before it. */
  addSummary(block: SummaryBlock, usage: Usage | undefined): Message {
    return this.addUserMessage([block], usage ? { usage } : {});
  }

  /** Takes the newest summary back; false when there is none. */
  undoCompaction(): boolean {
    const summary = newestSummary(this.#messages);
    if (summary) this.#edit({ edit: "undo-compaction", messageId: summary.id }, { sync: true });
    return summary !== undefined;
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
    this.#put(applyEdit(this.#messages, edit), this.#live);
    // Before it is announced: what a person has seen is on disk.
    this.#log.append({ type: "edit", edit }, options);
    this.#announce(changeOf(this.#messages, edit));
  }

  #put(messages: Message[], live?: Message): void {
    this.#messages = messages;
    this.#live = live;
    this.#snapshot = undefined;
  }

  /** Nobody who hears of a message can change what is sent and stored. */
  #announce(change: MessageChange): void {
    deepFreeze(change.message);
    this.#onChange(change);
  }
}

function changeOf(messages: readonly Message[], edit: TranscriptEdit): MessageChange {
  switch (edit.edit) {
    case "add-message":
      return { message: edit.message };
    case "add-block":
    case "undo-compaction":
      return { message: messages.findLast((message) => message.id === edit.messageId) };
    case "update-tool": {
      const isIn = (message: Message) =>
        message.blocks.some((block) => block.type === "tool" && block.id === edit.toolId);
      return { message: messages.findLast(isIn) };
    }
    case "remove-message":
      return { message: undefined, removedId: edit.messageId };
    case "rewind":
    case "bring-back":
      return { message: undefined };
  }
}

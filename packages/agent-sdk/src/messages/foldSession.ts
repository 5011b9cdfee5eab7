import type { Block, Message } from "./blocks.ts";
import { withoutEffect, type TranscriptEdit } from "./edits.ts";
import { SessionFacts } from "./sessionFacts.ts";
import { StreamedAnswer } from "./streamedAnswer.ts";
import type { SessionRecord } from "./sessionLines.ts";

/**
 * What a list of records amounts to. The messages are those that `applyEdit` gives for the same edits, in the same
 * order (a property test holds the two together), but `applyEdit` copies the list at every edit, and a session of
 * 100 MB would take minutes. The fold finds its targets in maps and changes copies of its own in place.
 */
export class SessionFold {
  /** A removed message leaves a hole, so that the slot numbers below stay true. */
  readonly #slots: ((Omit<Message, "blocks"> & { blocks: Block[] }) | undefined)[] = [];
  readonly #slotsOfMessage = new Map<string, number[]>();
  readonly #slotsOfTool = new Map<string, number[]>();
  readonly #started = new Set<string>();
  readonly #streamed = new StreamedAnswer();
  #takenAway: Message[] = [];
  /** What it is beside its messages. */
  readonly facts = new SessionFacts();

  add(record: SessionRecord): void {
    if (record.type === "edit") this.#apply(record.edit);
    if (record.type === "streamed") this.#streamed.add(record);
    if (record.type === "tool_started") this.#started.add(record.toolId);
    this.facts.add(record);
  }

  /** An edit of a newer version of Wave: nobody here knows what it did, and that is shown in its place. */
  addUnknown(id: string, name: string, raw: Record<string, unknown>): void {
    this.#addMessage({ id, role: "assistant", blocks: [{ type: "unknown", name, raw }] });
  }

  /** Valid until the next `add`. An answer that never became whole is the last of them. */
  messages(): Message[] {
    const { cutShort } = this;
    const messages = this.#slots.filter((message) => message !== undefined);
    return cutShort ? [...messages, cutShort] : messages;
  }

  /** The answer that was streaming in when Wave was stopped. */
  get cutShort(): Message | undefined {
    return this.#streamed.cutShort;
  }

  /** What the newest rewind took away. */
  takenAway(): Message[] {
    return this.#takenAway;
  }

  /** Calls that had begun to run and have no result. */
  interruptedTools(): string[] {
    const unanswered = this.messages().flatMap((message) =>
      message.blocks.flatMap((block) =>
        block.type === "tool" && block.result === undefined ? [block.id] : [],
      ),
    );
    return [...new Set(unanswered)].filter((id) => this.#started.has(id));
  }

  #apply(edit: TranscriptEdit): void {
    switch (edit.edit) {
      case "add-message":
        return this.#addMessage(edit.message);
      case "add-block":
        return this.#addBlock(edit);
      case "update-tool":
        return this.#updateTool(edit);
      case "remove-message":
        return this.#removeMessage(edit.messageId);
      case "undo-compaction":
        return this.#undoCompaction(edit.messageId);
      case "rewind":
        return this.#rewind(edit.messageId);
      case "bring-back":
        for (const message of edit.messages) this.#addMessage(message);
        return;
      default:
        edit satisfies never;
    }
  }

  #addMessage(message: Message): void {
    const { cutShort } = this;
    this.#streamed.forget();
    // Whoever went on with the session could not save what was there of it: it stands where it was said.
    if (cutShort && cutShort.id !== message.id) this.#addMessage(cutShort);
    const slot = this.#slots.push({ ...message, blocks: [...message.blocks] }) - 1;
    listIn(this.#slotsOfMessage, message.id).push(slot);
    for (const block of message.blocks) if (block.type === "tool") this.#addTool(block.id, slot);
  }

  #addBlock({ messageId, block }: Extract<TranscriptEdit, { edit: "add-block" }>): void {
    const slot = this.#newestSlot(this.#slotsOfMessage.get(messageId));
    if (slot === undefined) return;
    this.#slots[slot]?.blocks.push(block);
    if (block.type === "tool") this.#addTool(block.id, slot);
  }

  #updateTool({ toolId, changes }: Extract<TranscriptEdit, { edit: "update-tool" }>): void {
    const slot = this.#newestSlot(this.#slotsOfTool.get(toolId));
    const blocks = slot === undefined ? [] : (this.#slots[slot]?.blocks ?? []);
    for (const [index, block] of blocks.entries()) {
      if (block.type === "tool" && block.id === toolId) blocks[index] = Object.assign({ ...block }, changes);
    }
  }

  #removeMessage(messageId: string): void {
    for (const slot of this.#slotsOfMessage.get(messageId) ?? []) this.#slots[slot] = undefined;
    this.#slotsOfMessage.delete(messageId);
  }

  #undoCompaction(messageId: string): void {
    const slot = this.#newestSlot(this.#slotsOfMessage.get(messageId));
    const message = slot === undefined ? undefined : this.#slots[slot];
    if (message) message.blocks = message.blocks.map(withoutEffect);
  }

  #rewind(messageId: string): void {
    const slot = this.#newestSlot(this.#slotsOfMessage.get(messageId));
    this.#takenAway =
      slot === undefined ? [] : this.#slots.slice(slot).filter((message) => message !== undefined);
    if (slot !== undefined) this.#slots.fill(undefined, slot);
  }

  #addTool(id: string, slot: number): void {
    const slots = listIn(this.#slotsOfTool, id);
    // Kept in the order of the messages; only a block that is added to an older message is not the last.
    slots.splice(slots.findLastIndex((earlier) => earlier <= slot) + 1, 0, slot);
    // Some model servers count their call ids from the start in every answer: that an earlier call of this id was
    // started says nothing about the new one.
    this.#started.delete(id);
  }

  #newestSlot(slots: number[] = []): number | undefined {
    while (slots.length > 0 && this.#slots[slots.at(-1) ?? 0] === undefined) slots.pop();
    return slots.at(-1);
  }
}

function listIn<T>(lists: Map<string, T[]>, key: string): T[] {
  const found = lists.get(key);
  if (found) return found;
  const made: T[] = [];
  lists.set(key, made);
  return made;
}

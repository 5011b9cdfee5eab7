import { beginsTurn } from "./context.ts";
import type { TranscriptEdit } from "./edits.ts";
import type { FileChange } from "./fileChanges.ts";
import type { SessionRecord } from "./sessionLines.ts";

type FileChanged = Extract<SessionRecord, { type: "file_changed" }>;
/** What a session did that going back has to know of. */
type Deed = FileChanged | Extract<SessionRecord, { type: "tool_started" }>;

/**
 * Which files Wave changed after which prompt: a fold over the records of a session, the same for one that is running and
 * one that is read from disk. A rewind changes files, too, and a rewind further back takes that back like everything else.
 */
export class Checkpoints {
  readonly #deeds: Deed[] = [];
  /** By message: when it was said, and how much had been done before it. */
  readonly #prompts = new Map<string, { at: string; deeds: number }>();
  #rewind: { is: "none" } | { is: "begun" | "done"; changes: FileChange[] } = { is: "none" };

  /** `at`: when the record was written, in ISO 8601. */
  add(record: SessionRecord, at: string): void {
    if (record.type === "file_changed") this.#addChange(record);
    // Commands change files behind Wave's back: a rewind says so.
    if (record.type === "tool_started" && record.name === "Bash") this.#deeds.push(record);
    if (record.type !== "edit") return;
    const { edit } = record;
    if (edit.edit === "rewind") this.#rewind = { is: "done", changes: this.#begun() };
    if (edit.edit === "bring-back") this.#rewind = { is: "none" };
    if (edit.edit !== "add-message" || !beginsTurn(edit.message)) return;
    this.#prompts.set(edit.message.id, { at, deeds: this.#deeds.length });
    this.#rewind = { is: "none" };
  }

  /** When a prompt was said; undefined when its line in the session file is damaged. */
  saidAt(messageId: string): string | undefined {
    return this.#prompts.get(messageId)?.at;
  }

  /** Oldest first. */
  changesSince(messageId: string): FileChange[] {
    return this.#since(messageId).filter((deed) => deed.type === "file_changed");
  }

  commandRanSince(messageId: string): boolean {
    return this.#since(messageId).some(({ type }) => type === "tool_started");
  }

  /** What a call has just done to a file, when it is the last one that did something to it. */
  lastChangeOf(path: string, toolId: string): FileChange | undefined {
    const last = this.#deeds.findLast(
      (deed): deed is FileChanged => deed.type === "file_changed" && deed.path === path,
    );
    return last?.toolId === toolId ? last : undefined;
  }

  /** The file changes of the newest rewind, as long as nothing was said after it; undefined: there is none to undo. */
  get newestRewind(): readonly FileChange[] | undefined {
    return this.#rewind.is === "done" ? this.#rewind.changes : undefined;
  }

  /** The same edits with what was done between them, for the file of a copy. */
  interleave(edits: readonly TranscriptEdit[]): SessionRecord[] {
    const records: SessionRecord[] = [];
    let written = 0;
    for (const edit of edits) {
      const prompt = edit.edit === "add-message" ? this.#prompts.get(edit.message.id) : undefined;
      records.push(...this.#deeds.slice(written, prompt?.deeds ?? written), { type: "edit", edit });
      written = Math.max(written, prompt?.deeds ?? 0);
    }
    return [...records, ...this.#deeds.slice(written)];
  }

  #since(messageId: string): Deed[] {
    return this.#deeds.slice(this.#prompts.get(messageId)?.deeds ?? this.#deeds.length);
  }

  #addChange(record: FileChanged): void {
    this.#deeds.push(record);
    const { path, before, after, by } = record;
    if (by === "rewind") this.#rewind = { is: "begun", changes: [...this.#begun(), { path, before, after }] };
  }

  #begun(): FileChange[] {
    return this.#rewind.is === "begun" ? this.#rewind.changes : [];
  }
}

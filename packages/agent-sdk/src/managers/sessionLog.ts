import { maskedRecord } from "../hooks/record.ts";
import type { SessionRecord } from "../messages/sessionLines.ts";
import { saveSession, type SessionHandle } from "../services/session.ts";
import type { SaveProblem } from "../services/saveProblem.ts";

/** Writes the session file. What cannot be written now is kept and written with the next record: nothing is lost by a full disk. */
export class SessionLog {
  readonly #handle: SessionHandle;
  readonly #onProblem: (text: string) => void;
  #unsaved: SessionRecord[] = [];
  #held = false;
  #closed = false;
  #problem: SaveProblem | undefined;
  #name: string | undefined;
  readonly #onAppend: (record: SessionRecord) => void;
  readonly #keys: readonly string[];

  /** `onAppend` hears of every record, also of those that wait or cannot be written. */
  constructor(
    handle: SessionHandle,
    onProblem: (text: string) => void,
    options: {
      name?: string | undefined;
      onAppend?: (record: SessionRecord) => void;
      /** The model's keys, which no record needs. */
      keys?: readonly string[];
    } = {},
  ) {
    this.#handle = handle;
    this.#onProblem = onProblem;
    this.#name = options.name;
    this.#onAppend = options.onAppend ?? (() => {});
    this.#keys = options.keys ?? [];
  }

  /** There is a file, and this process writes it. */
  get isOpen(): boolean {
    return this.#handle.close !== undefined;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** What the person calls the session. */
  get name(): string | undefined {
    return this.#name;
  }

  /** Why something of the session is not on disk although that was promised; that it ended may be missing without a loss. */
  get notSaved(): string | undefined {
    const { missing } = this;
    return missing?.promised ? missing.why : undefined;
  }

  /** Why something of the session is not on disk, promised or not. */
  get missing(): SaveProblem | undefined {
    const lost = this.#unsaved.some(({ type }) => type !== "ended");
    return lost && !this.#held ? this.#problem : undefined;
  }

  append(record: SessionRecord, options: { sync?: boolean } = {}): void {
    if (record.type === "named") this.#name = record.name;
    if (this.#closed) return;
    this.#unsaved.push(this.#masked(this.#withName(record)));
    this.#onAppend(record);
    this.flush(options);
  }

  /** Until `release`, records wait in memory: a prompt goes to disk only after its hooks let it pass (FR-010). */
  hold(): void {
    this.#held = true;
  }

  release(options: { sync?: boolean; without?: (record: SessionRecord) => boolean } = {}): void {
    this.#held = false;
    const { without } = options;
    if (without) this.#unsaved = this.#unsaved.filter((record) => !without(record));
    this.flush(options);
  }

  flush(options: { sync?: boolean } = {}): void {
    if (this.#held || this.#closed) return;
    // What could not be saved before is saved when the disk says so, and not when the system has taken it.
    const sync = (options.sync ?? false) || this.#problem !== undefined;
    const outcome = saveSession(this.#handle, this.#unsaved, { sync });
    if (outcome && !outcome.saved) {
      if (outcome.problem !== this.#problem?.problem) this.#onProblem(outcome.problem);
      this.#problem = outcome;
      return;
    }
    if (this.#problem !== undefined) this.#onProblem(`the session is saved again: ${this.#handle.file}`);
    this.#problem = undefined;
    this.#unsaved = [];
  }

  /** What comes afterwards is of a turn that was given up, and would open the file again. */
  close(): void {
    this.#closed = true;
    this.#handle.close?.();
  }

  /** Decisions only: messages are sent again, and stay as they were said. */
  #masked(record: SessionRecord): SessionRecord {
    return record.type === "decision"
      ? { ...record, record: maskedRecord(record.record, this.#keys) }
      : record;
  }

  /** A list reads the end of a long file: the name is said again wherever something ends. */
  #withName(record: SessionRecord): SessionRecord {
    const ends = record.type === "turn_ended" || record.type === "resumed" || record.type === "ended";
    return ends && this.#name !== undefined ? { ...record, name: this.#name } : record;
  }
}

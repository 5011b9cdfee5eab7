import { maskedRecord } from "../hooks/record.ts";
import type { SessionRecord } from "../messages/sessionLines.ts";
import { SessionError } from "../errors.ts";
import { SessionFacts } from "../messages/sessionFacts.ts";
import { saveSession, type SaveOutcome, type SessionHandle } from "../services/session.ts";
import type { SaveProblem } from "./file/saveProblem.ts";

/** Writes the session file. What cannot be written now is kept and written with the next record: nothing is lost by a full disk. */
export class SessionLog {
  readonly #handle: SessionHandle;
  readonly #onProblem: (text: string) => void;
  #unsaved: SessionRecord[] = [];
  #held = false;
  #closed = false;
  #problem: SaveProblem | undefined;
  /** The file no longer has what was saved before. */
  #lost = false;
  #toldOfOthers = false;
  readonly #facts: SessionFacts;
  readonly #onAppend: (record: SessionRecord) => void;
  #conversation: () => SessionRecord[] = () => [];
  readonly #keys: readonly string[];

  /**
   * `onAppend` hears of every record, also of those that wait or cannot be written.
   */
  constructor(
    handle: SessionHandle,
    onProblem: (text: string) => void,
    options: {
      /** What the session was before, beside its messages. */
      facts?: SessionFacts;
      onAppend?: (record: SessionRecord) => void;
      /** The model's keys, which no record needs. */
      keys?: readonly string[];
    } = {},
  ) {
    this.#handle = handle;
    this.#onProblem = onProblem;
    this.#facts = options.facts ?? new SessionFacts();
    this.#onAppend = options.onAppend ?? (() => {});
    this.#keys = options.keys ?? [];
  }

  /** The records that have all that was said and done so far: a file that somebody deletes meanwhile is written again. */
  keepConversation(records: () => SessionRecord[]): void {
    this.#conversation = records;
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
    return this.#facts.name;
  }

  /** Why something of the session is not on disk although that was promised; that it ended may be missing without a loss. */
  get notSaved(): string | undefined {
    const { missing } = this;
    return missing?.promised ? missing.why : undefined;
  }

  /** Why something of the session is not on disk, promised or not. */
  get missing(): SaveProblem | undefined {
    const isMissing = this.#lost || this.#unsaved.some(({ type }) => type !== "ended");
    return isMissing && !this.#held ? this.#problem : undefined;
  }

  append(record: SessionRecord, options: { sync?: boolean } = {}): void {
    this.#facts.add(record);
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
    let outcome = this.#lost ? this.#saveAnew() : saveSession(this.#handle, this.#unsaved, { sync });
    // Before anybody is told: what can be made good at once is one sentence and no problem.
    const loss = outcome && !outcome.saved && outcome.lost && !this.#lost ? outcome.why : undefined;
    if (loss !== undefined) {
      this.#lost = true;
      outcome = this.#saveAnew();
    }
    if (outcome && !outcome.saved) {
      if (outcome.problem !== this.#problem?.problem) this.#onProblem(outcome.problem);
      // It was on disk before: everybody expects it to be.
      this.#problem = this.#lost ? { ...outcome, promised: true } : outcome;
      return;
    }
    this.#tellSaved(outcome, loss);
    this.#problem = undefined;
    this.#lost = false;
    this.#unsaved = [];
  }

  #saveAnew(): SaveOutcome | undefined {
    const rest = this.#unsaved.filter(({ type }) => !IN_CONVERSATION.has(type));
    const records = [...this.#conversation(), ...this.#facts.records(), ...rest];
    try {
      return saveSession(this.#handle, records, { sync: true, anew: true });
    } catch (error) {
      // Somebody else opened the session when its file was gone.
      if (!(error instanceof SessionError)) throw error;
      return { saved: false, lost: true, why: error.message, problem: error.message, promised: true };
    }
  }

  #tellSaved(outcome: SaveOutcome | undefined, loss: string | undefined): void {
    const { file } = this.#handle;
    if (this.#lost)
      this.#onProblem(
        `the session is saved again: ${file}${loss === undefined ? "" : ` (${loss})`}. The conversation is complete; records of earlier decisions are not in it`,
      );
    else if (this.#problem !== undefined) this.#onProblem(`the session is saved again: ${file}`);
    if (!outcome?.saved || outcome.others === undefined || this.#toldOfOthers) return;
    this.#toldOfOthers = true;
    this.#onProblem(outcome.others);
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
    return ends && this.name !== undefined ? { ...record, name: this.name } : record;
  }
}

/** What `conversation` and the facts have. */
const IN_CONVERSATION: ReadonlySet<SessionRecord["type"]> = new Set([
  "header",
  "edit",
  "streamed",
  "file_changed",
  "named",
  "model_chosen",
  "rule_added",
  "rule_removed",
  "turn_ended",
]);

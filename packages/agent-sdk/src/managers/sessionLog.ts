import type { SessionRecord } from "../messages/sessionLines.ts";
import { saveSession, type SessionHandle } from "../services/session.ts";

/** Writes the session file. What cannot be written now is kept and written with the next record: nothing is lost by a full disk. */
export class SessionLog {
  readonly #handle: SessionHandle;
  readonly #onProblem: (text: string) => void;
  #unsaved: SessionRecord[] = [];
  #held = false;
  #problem: string | undefined;

  constructor(handle: SessionHandle, onProblem: (text: string) => void) {
    this.#handle = handle;
    this.#onProblem = onProblem;
  }

  append(record: SessionRecord, options: { sync?: boolean } = {}): void {
    this.#unsaved.push(record);
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
    if (this.#held) return;
    const outcome = saveSession(this.#handle, this.#unsaved, options);
    if (outcome && !outcome.saved) {
      if (outcome.problem !== this.#problem) this.#onProblem(outcome.problem);
      this.#problem = outcome.problem;
      return;
    }
    if (this.#problem !== undefined) this.#onProblem(`the session is saved again: ${this.#handle.file}`);
    this.#problem = undefined;
    this.#unsaved = [];
  }

  close(): void {
    this.#handle.close?.();
  }
}

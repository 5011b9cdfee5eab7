import { dirname } from "node:path";
import { SessionError } from "../../errors.ts";
import { SESSION_VERSION, type SessionRecord } from "../../messages/sessionLines.ts";
import type { SessionIdentity } from "./loadedSession.ts";
import { makePrivateFolder } from "../../workspace/files/privateFile.ts";
import { SessionFile, type FileState } from "./sessionFile.ts";
import { LockBeat } from "../../workspace/files/lockBeat.ts";
import { lockFileOf, lockSession } from "./sessionLock.ts";
import { readTail, type SessionTail } from "./sessionTail.ts";

/** The one writer of a session: holds its lock and its file, and numbers the lines. */
export class SessionWriter {
  readonly #session: SessionIdentity;
  readonly #file: SessionFile;
  #unlock: () => void;
  #beat: LockBeat;
  #lastSeq: number;
  /** What has to stand before the first record of this writer. */
  #opening: { newline: boolean; records: SessionRecord[] } | undefined;

  constructor(session: SessionIdentity) {
    this.#session = session;
    makePrivateFolder(dirname(session.file));
    this.#unlock = lockSession(session.file);
    this.#beat = new LockBeat(lockFileOf(session.file));
    try {
      this.#file = new SessionFile(session.file);
    } catch (error) {
      this.#letGo();
      throw error;
    }
    const { lastSeq, tornBytes, hasLines } = this.#readTail();
    this.#lastSeq = lastSeq;
    this.#opening = {
      newline: tornBytes > 0,
      records: [
        ...(tornBytes > 0 ? [{ type: "recovered" as const, bytes: tornBytes }] : []),
        ...(hasLines ? [] : [headerOf(session)]),
      ],
    };
  }

  /** What others did to the file, or "taken": another Wave has the session now. What they wrote at its end is taken in. */
  look(options: { byName: boolean }): FileState | "taken" {
    const state = this.#file.look(options);
    if (options.byName && state !== "gone" && !this.#holdsLock()) return "taken";
    if (state === "grown") this.#file.takeIn();
    return state;
  }

  /** These records in the place of all that the file had. Throws the system's error; the file is then as it was. */
  startAnew(records: readonly SessionRecord[]): void {
    const ts = new Date().toISOString();
    const all = [headerOf(this.#session), ...records];
    this.#file.replaceBy(Buffer.from(all.map((record, index) => line(record, index + 1, ts)).join("")));
    this.#lastSeq = all.length;
    this.#opening = undefined;
  }

  /** Throws the system's error; the file and the numbering are then as they were. */
  append(records: readonly SessionRecord[], options: { sync: boolean }): void {
    const all = [...(this.#opening?.records ?? []), ...records];
    const ts = new Date().toISOString();
    const lines = all.map((record, index) => line(record, this.#lastSeq + index + 1, ts));
    const text = (this.#opening?.newline ? "\n" : "") + lines.join("");
    if (text !== "" || options.sync) this.#file.append(Buffer.from(text), options);
    this.#lastSeq += all.length;
    this.#opening = undefined;
  }

  close(): void {
    this.#file.close();
    this.#letGo();
  }

  /** A lock that somebody removed by hand is taken again, unless somebody was faster. */
  #holdsLock(): boolean {
    if (this.#beat.state !== "gone") return this.#beat.state === "held";
    try {
      this.#beat.stop();
      this.#unlock = lockSession(this.#session.file);
      this.#beat = new LockBeat(lockFileOf(this.#session.file));
      return true;
    } catch (error) {
      if (error instanceof SessionError) return false;
      throw error;
    }
  }

  #letGo(): void {
    this.#beat.stop();
    this.#unlock();
  }

  #readTail(): SessionTail {
    try {
      return readTail(this.#file.fd, this.#file.size);
    } catch (error) {
      this.close();
      throw error;
    }
  }
}

// `v` and `seq` come first: `readTail` reads only the beginning of a line.
function line(record: SessionRecord, seq: number, ts: string): string {
  return `${JSON.stringify({ v: SESSION_VERSION, seq, ts, ...record })}\n`;
}

function headerOf({ id, cwd, parent }: SessionIdentity): SessionRecord {
  return { type: "header", version: SESSION_VERSION, id, cwd, ...(parent !== undefined && { parent }) };
}

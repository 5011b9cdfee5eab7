import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { thisProcess, type ProcessIdentity } from "wave-agent-sdk";
import { draftName, draftState } from "./draftOwner.ts";
import { makePrivateFolder, PRIVATE_FILE, reasonOf } from "./privateFile.ts";
import { readStored, type SentText, type StoredDraft } from "./storedDraft.ts";

/** The longest time a keystroke can be lost to kill -9. */
const WRITE_AFTER_MS = 400;

/** What was typed and is nowhere else: never sent, or sent and not yet part of a session. */
export interface FoundDrafts {
  /** All of it, oldest first; empty when there is nothing. */
  readonly text: string;
  /** How many texts in it were sent and not processed. */
  readonly notProcessed: number;
  /** How many drafts in it processes left that are gone. */
  readonly takenOver: number;
  /** Drafts whose process cannot be seen from here: they stay where they are. */
  readonly unseen: readonly string[];
}

export interface DraftOptions {
  readonly home: string;
  readonly projectDir: string;
  /** Who types. */
  readonly owner?: ProcessIdentity;
  /** Beside the draft of the same process, not in its place. */
  readonly number?: number;
  /** Whether a text that was sent is in its session after all: Wave may have been killed right after its hooks let it pass. */
  readonly isInSession?: (sent: SentText) => Promise<boolean>;
  /** Told once, in one sentence, when drafts cannot be written. */
  readonly onProblem?: (sentence: string) => void;
  readonly writeAfterMs?: number;
}

/**
 * Keeps on disk what a person typed, until it is somewhere else: one file for each process and project folder. A draft is there at
 * most `writeAfterMs` after a change, however long the person goes on typing. A text that was sent is there before the screen
 * shows it as sent, and is erased as soon as its hooks have judged it. Nobody touches the file of a process that lives.
 */
export class DraftKeeper {
  readonly #folder: string;
  readonly #project: string;
  readonly #owner: ProcessIdentity;
  readonly #options: DraftOptions;
  /** Drafts of others that are ours now, until the next change is on disk. */
  #adopted: string[] = [];
  #text = "";
  #sent: SentText[] = [];
  /** Of these, the ones that are in the input again. */
  readonly #back = new Set<string>();
  #session: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #problemTold = false;

  constructor(options: DraftOptions) {
    this.#options = options;
    this.#folder = join(options.home, "drafts");
    this.#project = createHash("sha256").update(realPath(options.projectDir)).digest("hex").slice(0, 16);
    this.#owner = options.owner ?? thisProcess();
  }

  get file(): string {
    return this.#file();
  }

  /** What this process typed last and what those left that are gone, each draft for one taker only. It is the draft from now on. */
  async load(): Promise<FoundDrafts> {
    this.#settleCopies();
    const found = this.#names()
      .map((name) => join(this.#folder, name))
      .map((file) => ({
        file,
        state: draftState(file, this.#project, this.#owner),
        draft: readStored(file),
      }));
    const own = found.filter(({ state }) => state === "own");
    this.#adopted = own.map(({ file }) => file).filter((file) => file !== this.file);
    const left = found.filter(({ file, state, draft }) => state === "left" && draft && this.#takesOver(file));
    const drafts = [...own, ...left].flatMap(({ draft }) => draft ?? []);
    const texts: string[] = [];
    let notProcessed = 0;
    for (const { sent, text } of drafts.toSorted((a, b) => a.at.localeCompare(b.at))) {
      const open = await this.#notInSession(sent);
      notProcessed += open.length;
      texts.push(...open, ...(text === "" ? [] : [text]));
    }
    this.#text = texts.join("\n");
    this.#sent = [];
    return {
      text: this.#text,
      notProcessed,
      takenOver: left.filter(({ draft }) => draft?.text !== "").length,
      unseen: found.flatMap(({ file, state, draft }) => (state === "elsewhere" && draft ? [file] : [])),
    };
  }

  /** The person changed the text. What had come back into the input is part of it, or they have removed it. */
  change(text: string): void {
    this.#text = text;
    this.#sent = this.#sent.filter(({ id }) => !this.#back.has(id));
    // An empty input was sent or declined: that waits only for `send`, so that both are one write.
    const waitMs = text === "" ? 0 : (this.#options.writeAfterMs ?? WRITE_AFTER_MS);
    if (text === "") clearTimeout(this.#timer);
    if (text === "" || !this.#timer) this.#timer = setTimeout(() => this.flush(), waitMs);
  }

  /** From now on what is sent is for this session. */
  sendsTo(session: string): void {
    this.#session = session;
  }

  /** A text was sent: it is on disk when this returns. The id is for whoever says what became of it. */
  send(text: string): string {
    const id = randomUUID();
    this.#sent.push({ id, text, session: this.#session });
    this.flush();
    return id;
  }

  /** Its hooks judge it: it will be this message, if they let it pass. */
  judging(id: string, messageId: string): void {
    this.#sent = this.#sent.map((one) => (one.id === id ? { ...one, messageId } : one));
    this.flush();
  }

  /** It is part of the session, or was refused: nothing of it stays here. */
  settle(id: string): void {
    if (!this.#sent.some((one) => one.id === id)) return;
    this.#sent = this.#sent.filter((one) => one.id !== id);
    this.flush();
  }

  /** It is in the input again and nobody has refused it: the next change of the input has it. */
  cameBack(ids: readonly string[]): void {
    for (const id of ids) this.#back.add(id);
  }

  /** Everything said so far is on disk. Never throws. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      if (this.#text === "" && this.#sent.length === 0) rmSync(this.file, { force: true });
      else this.#write();
      for (const file of this.#adopted.splice(0)) rmSync(file, { force: true });
    } catch (error) {
      this.#tellProblem(error);
    }
  }

  /** Not through a promise: what a person sees as sent is on disk before it is drawn. */
  #write(): void {
    makePrivateFolder(this.#folder);
    const temporary = this.file + COPY;
    const at = new Date().toISOString();
    const draft: StoredDraft = { version: 2, at, text: this.#text, sent: this.#sent };
    // A planted link is refused, not followed.
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
    const fd = openSync(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, PRIVATE_FILE);
    try {
      writeFileSync(fd, JSON.stringify(draft));
    } finally {
      closeSync(fd);
    }
    // Not over the old one, which some file systems do only when the bytes are on the disk: that takes milliseconds, and somebody
    // is typing. A kill between the two lines leaves the copy, which is whole by then, and the next Wave takes it.
    rmSync(this.file, { force: true });
    renameSync(temporary, this.file);
  }

  async #notInSession(sent: readonly SentText[]): Promise<string[]> {
    const texts: string[] = [];
    for (const one of sent) if (!(await this.#options.isInSession?.(one))) texts.push(one.text);
    return texts;
  }

  /** False when another Wave was faster, or it cannot be done: then it is left to the next one. */
  #takesOver(file: string): boolean {
    try {
      // The first gets the name of our own draft: the next change then replaces it in one step.
      const isFirst =
        this.#adopted.length === 0 && statSync(this.file, { throwIfNoEntry: false }) === undefined;
      const mine = isFirst ? this.file : this.#file(this.#adopted.length + 1);
      renameSync(file, mine);
      if (!isFirst) this.#adopted.push(mine);
      return true;
    } catch {
      return false;
    }
  }

  #file(number = this.#options.number): string {
    return join(this.#folder, draftName(this.#project, this.#owner, number));
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder).filter((name) => name.startsWith(this.#project));
    } catch {
      // No folder yet, or one that may not be read; the first write will tell.
      return [];
    }
  }

  /** A kill in the middle of a write leaves its copy: half of it, or all of it and no draft any more. */
  #settleCopies(): void {
    for (const name of this.#names().filter((one) => one.endsWith(COPY))) {
      const [copy, draft] = [join(this.#folder, name), join(this.#folder, name.slice(0, -COPY.length))];
      if (draftState(draft, this.#project, this.#owner) !== "left") continue;
      try {
        const isNeeded = statSync(draft, { throwIfNoEntry: false }) === undefined && readStored(copy);
        if (isNeeded) renameSync(copy, draft);
        else rmSync(copy, { force: true });
      } catch {
        // Another Wave was faster, or it cannot be done: then it is left to the next one.
      }
    }
  }

  #tellProblem(error: unknown): void {
    if (this.#problemTold) return;
    this.#problemTold = true;
    const why = `${this.file} cannot be written (${reasonOf(error)})`;
    this.#options.onProblem?.(`What you type would be lost in a crash: ${why}.`);
  }
}

const COPY = ".part";

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // The folder was deleted, or may not be looked at: its name still has to give the same place every time.
    return resolve(path);
  }
}

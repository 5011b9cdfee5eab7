import { join } from "node:path";
import { isInside } from "../permissions/paths.ts";
import { SettingsError } from "../errors.ts";
import { INSTRUCTIONS_BYTES, INSTRUCTIONS_FILE } from "../workspace/instructions.ts";
import type { RunRegister } from "../process/runRegister.ts";
import { explainFailure } from "../tools/explainFailure.ts";
import { bytesOf, lineEnding, openTextFile, resolveTarget, saveTextFile } from "../tools/textFiles.ts";

export type NoteAdded =
  | {
      added: true;
      file: string;
      created: boolean;
      /** Why the model does not read it all the same; absent when it does, from its next request on. */
      unread?: string;
    }
  | { added: false; problem: string };

/** Whether the model may be told what is in the file: a yes to some content goes over to that content with a person's note. */
export interface NoteApproval {
  coversInstructions(content: Buffer): boolean;
  /** False when it does not count all the same. Throws SettingsError. */
  takeInstructions(content: Buffer): Promise<boolean>;
}

/** Lines that a person adds to the project's AGENTS.md. Their own write: nobody is asked, and no hook judges it. */
export class ProjectNotes {
  readonly #projectDir: string;
  readonly #approval: NoteApproval;
  /** How a person gets to what waits for an approval. */
  readonly #ways: string;
  readonly #register: RunRegister;
  /** Two notes at once must not both start from the same text. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(options: { projectDir: string; approval: NoteApproval; ways: string; register: RunRegister }) {
    this.#projectDir = options.projectDir;
    this.#approval = options.approval;
    this.#ways = options.ways;
    this.#register = options.register;
  }

  add(note: string): Promise<NoteAdded> {
    const added = this.#writing.then(() => this.#append(note));
    this.#writing = added;
    return added;
  }

  /** Never rejects: what stands in the way is a sentence. */
  async #append(note: string): Promise<NoteAdded> {
    const file = join(this.#projectDir, INSTRUCTIONS_FILE);
    try {
      const target = await resolveTarget(file);
      if (!isInside(await resolveTarget(this.#projectDir), target)) {
        return { added: false, problem: `${file} is a link to ${target}, which is outside this project.` };
      }
      const opened = await openTextFile(target);
      if (opened.found === "problem") return { added: false, problem: opened.sentence };
      const before = opened.found === "text" ? opened.file : undefined;
      const text = withNote(before?.text ?? "", note);
      const covered = this.#approval.coversInstructions(
        before ? bytesOf(before.text, before) : Buffer.alloc(0),
      );
      await saveTextFile({ realPath: target, text, before, register: this.#register });
      const unread = await this.#whyUnread(covered, bytesOf(text, before));
      return {
        added: true,
        file,
        created: before === undefined,
        ...(unread === undefined ? {} : { unread }),
      };
    } catch (error) {
      return { added: false, problem: explainFailure("write", file, error) };
    }
  }

  /** What is approved is what was approved before and the note: never what somebody else put there. */
  async #whyUnread(covered: boolean, content: Buffer): Promise<string | undefined> {
    if (!covered)
      return `nobody approved the rest of the file in this form; ${this.#ways} shows and approves it`;
    try {
      if (!(await this.#approval.takeInstructions(content)))
        return `nobody approved the file in this form; ${this.#ways} shows and approves it`;
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      return `it could not be noted as approved (${error.message}); ${this.#ways} shows and approves it`;
    }
    if (content.length <= INSTRUCTIONS_BYTES) return undefined;
    return `it stands behind the first ${INSTRUCTIONS_BYTES / 1024} KB, and more of the file is not read`;
  }
}

/** The note as the last line. The file keeps its line endings, and a newline at its end only where it had one. */
export function withNote(text: string, note: string): string {
  const line = `- ${note.trim()}`;
  if (text === "") return `${line}\n`;
  const ending = lineEnding(text);
  return text.endsWith("\n") ? text + line + ending : text + ending + line;
}

import { join } from "node:path";
import { isInside } from "../permissions/paths.ts";
import { AGENTS_FILE_BYTES } from "../services/model/surroundings.ts";
import { explainFailure } from "../tools/outcome.ts";
import { lineEnding, openTextFile, resolveTarget, saveTextFile } from "../tools/textFiles.ts";

export type NoteAdded =
  | {
      added: true;
      file: string;
      created: boolean;
      /** Why the model does not read it all the same; absent when it does, from its next request on. */
      unread?: string;
    }
  | { added: false; problem: string };

/** Lines that a person adds to the project's AGENTS.md. Their own write: nobody is asked, and no hook judges it. */
export class ProjectNotes {
  readonly #projectDir: string;
  readonly #believed: () => boolean;
  /** Two notes at once must not both start from the same text. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(options: { projectDir: string; believed: () => boolean }) {
    this.#projectDir = options.projectDir;
    this.#believed = options.believed;
  }

  add(note: string): Promise<NoteAdded> {
    const added = this.#writing.then(() => this.#append(note));
    this.#writing = added;
    return added;
  }

  /** Never rejects: what stands in the way is a sentence. */
  async #append(note: string): Promise<NoteAdded> {
    const file = join(this.#projectDir, "AGENTS.md");
    try {
      const target = await resolveTarget(file);
      if (!isInside(await resolveTarget(this.#projectDir), target)) {
        return { added: false, problem: `${file} is a link to ${target}, which is outside this project.` };
      }
      const opened = await openTextFile(target);
      if (opened.found === "problem") return { added: false, problem: opened.sentence };
      const before = opened.found === "text" ? opened.file : undefined;
      const text = withNote(before?.text ?? "", note);
      await saveTextFile({ realPath: target, text, before });
      const unread = this.#whyUnread(Buffer.byteLength(text));
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

  #whyUnread(bytes: number): string | undefined {
    if (!this.#believed()) return "this folder is not approved, so nothing of it is read for the model";
    if (bytes <= AGENTS_FILE_BYTES) return undefined;
    return `it stands behind the first ${AGENTS_FILE_BYTES / 1024} KB, and more of the file is not read`;
  }
}

/** The note as the last line. The file keeps its line endings, and a newline at its end only where it had one. */
export function withNote(text: string, note: string): string {
  const line = `- ${note.trim()}`;
  if (text === "") return `${line}\n`;
  const ending = lineEnding(text);
  return text.endsWith("\n") ? text + line + ending : text + ending + line;
}

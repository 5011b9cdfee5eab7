import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { parseHolder, startOf, stateOf, thisProcess } from "./lockHolder.ts";
import { ProcessTree } from "./processTree.ts";
import { once } from "../utils/once.ts";

/**
 * What a session runs right now, noted on disk. A Wave that is killed cannot end what it started, so the next one does (G48).
 * Only what it waited for or watched: what a hook or command left in the background on purpose lives on.
 */
export class ProcessRegister {
  readonly #folder: string;
  #hasFolder = false;

  constructor(home: string) {
    this.#folder = join(folderOf(home), randomUUID());
  }

  started(pid: number, runId: string): void {
    const note: Note = { runId, started: startOf(pid) };
    this.#attempt(() => {
      if (!this.#hasFolder) {
        mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
        writeFileSync(join(this.#folder, OWNER), JSON.stringify(thisProcess()), PRIVATE);
        this.#hasFolder = true;
      }
      writeFileSync(join(this.#folder, String(pid)), JSON.stringify(note), PRIVATE);
    });
  }

  ended(pid: number): void {
    this.#attempt(() => rmSync(join(this.#folder, String(pid)), { force: true }));
  }

  close(): void {
    if (this.#hasFolder) this.#attempt(() => rmSync(this.#folder, { recursive: true, force: true }));
  }

  /** A disk that takes no notes must not keep a hook from running; all that is lost is the tidying after a kill. */
  #attempt(act: () => void): void {
    try {
      act();
    } catch {
      // EROFS, ENOSPC, EACCES: told elsewhere, when the session cannot be saved.
    }
  }
}

/** Ends what Waves that are gone were still running, and returns how many processes that were. */
export function endLeftovers(home: string): number {
  return namesIn(folderOf(home))
    .map((name) => join(folderOf(home), name))
    .filter(isOrphaned)
    .map((folder) => {
      const notes = namesIn(folder).flatMap((name) => noteOf(folder, name));
      for (const { pid, runId } of notes)
        new ProcessTree(pid, runId, { sparesLeader: false }).signal("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
      return notes.length;
    })
    .reduce((sum, count) => sum + count, 0);
}

const folderOf = (home: string) => join(home, "running");
const OWNER = "owner";
const PRIVATE = { mode: 0o600, flag: "wx" };

const noteSchema = once(() => z.object({ runId: z.uuid(), started: z.string() }));
type Note = z.infer<ReturnType<typeof noteSchema>>;

/** Whether its Wave is certainly gone: one of another machine that shares the home may be there. */
function isOrphaned(folder: string): boolean {
  const owner = parseHolder(textOf(join(folder, OWNER)));
  return owner !== undefined && stateOf(owner) === "dead";
}

/** Nothing for a process that has ended since, also when its number belongs to another one by now. */
function noteOf(folder: string, name: string): (Note & { pid: number })[] {
  const pid = Number(name);
  if (!Number.isSafeInteger(pid) || pid <= 1) return [];
  const note = parsed(textOf(join(folder, name)));
  return note && note.started !== "" && startOf(pid) === note.started ? [{ pid, ...note }] : [];
}

function parsed(text: string): Note | undefined {
  try {
    return noteSchema().safeParse(JSON.parse(text)).data;
  } catch {
    // Cut short when its Wave died.
    return undefined;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // Gone, or not ours.
    return "";
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // ENOENT: nothing was ever left.
    return [];
  }
}

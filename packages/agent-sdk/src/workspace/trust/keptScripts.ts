import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readLine } from "wave-shell-reader";
import { namesIn } from "../files/fileFacts.ts";
import { temporaryName, type RunRegister } from "../../process/runRegister.ts";
import { makePrivateFolder } from "../files/privateFile.ts";

/** A script with the bytes it had when it was loaded. */
export interface KeptScript {
  path: string;
  bytes: Buffer;
  mode: number;
}

/**
 * Copies of scripts that were changed while a session runs, so that a hook goes on with what was loaded. A copy lies in a
 * folder of its own, beside links to everything that lies beside the script: it finds its libraries where it expects them.
 */
export class KeptScripts {
  readonly #home: string;
  readonly #register: RunRegister;
  #made: { folder: string; isGone: () => void } | undefined;
  #count = 0;

  /** `home` is $WAVE_HOME: a command in the sandbox can write in the temporary folder, and there it could change what a hook runs. */
  constructor(home: string, register: RunRegister) {
    this.#home = home;
    this.#register = register;
  }

  /** Where the copy is. Throws the system's error when there is no room for it. */
  copy({ path, bytes, mode }: KeptScript): string {
    this.#made ??= this.#make();
    const folder = join(this.#made.folder, String(this.#count++));
    mkdirSync(folder, { mode: 0o700 });
    const [own, beside] = [basename(path), dirname(path)];
    for (const name of namesIn(beside)) if (name !== own) symlinkSync(join(beside, name), join(folder, name));
    const copy = join(folder, own);
    writeFileSync(copy, bytes, { mode: 0o600 });
    chmodSync(copy, mode & 0o700);
    return copy;
  }

  dispose(): void {
    if (!this.#made) return;
    rmSync(this.#made.folder, { recursive: true, force: true });
    this.#made.isGone();
    this.#made = undefined;
  }

  #make(): { folder: string; isGone: () => void } {
    makePrivateFolder(this.#home);
    const folder = join(this.#home, temporaryName());
    const isGone = this.#register.making(folder, "folder");
    mkdirSync(folder, { mode: 0o700 });
    return { folder, isGone };
  }
}

/**
 * A command with one script replaced by another file, or undefined when the script is not a word of its own in it: then
 * nobody can say what would run.
 */
export function withScript(
  command: string,
  script: { path: string; instead: string },
  { projectDir, home }: { projectDir: string; home: string | undefined },
): string | undefined {
  const isScript = (name: string) => resolve(projectDir, name) === script.path;
  if (isScript(command.trim())) return quoted(script.instead);
  const variables = { HOME: home, WAVE_PROJECT_DIR: projectDir, CLAUDE_PROJECT_DIR: projectDir };
  const words = readLine(command, { folder: projectDir, variables })
    .words()
    .filter(({ text }) => isScript(text));
  if (words.length === 0) return undefined;
  return words
    .toSorted((one, other) => other.from - one.from)
    .reduce((text, { from, to }) => text.slice(0, from) + quoted(script.instead) + text.slice(to), command);
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

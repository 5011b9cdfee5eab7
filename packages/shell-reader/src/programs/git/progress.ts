import type { Becomes } from "./treeChange.ts";

/**
 * What the commands of a line have done to a repository so far. A later one is judged by what git says before the line runs,
 * which holds only as far as its words still mean the same then.
 */
export class GitProgress {
  /** HEAD is, or may be, another commit than before. */
  #moved = false;
  /** The branch that is checked out, where that changed; false when nobody can tell. */
  #branch: string | undefined | false;
  /** What comes from elsewhere is, or may be, other than what was fetched before. */
  hasFetched = false;
  #committed = false;
  /** Branches, index or what is put aside may be others. */
  #lost = false;

  /** To see whether a round of a loop changed anything. */
  get stage(): string {
    return `${this.#moved} ${this.#branch} ${this.#lost} ${this.#committed} ${this.hasFetched}`;
  }

  /** Another commit on the same branch. */
  moved(): void {
    this.#moved = true;
  }

  /** What is in the index is then what a branch holds. */
  committed(): void {
    this.#moved = true;
    this.#committed = true;
  }

  movedTo(branch: string | undefined): void {
    this.#moved = true;
    this.#branch = branch !== undefined && /^\w[\w./-]*$/.test(branch) ? branch : false;
  }

  lost(): void {
    this.#lost = true;
  }

  /** What a command means at this place of the line. */
  allFromHere(becomes: readonly Becomes[]): Becomes[] {
    const index: Becomes[] = this.#committed && !this.#lost ? [{ like: "index" }] : [];
    return [...becomes.map((one) => this.#fromHere(one)), ...index];
  }

  #fromHere(becomes: Becomes): Becomes {
    if (becomes.like === "unknown" || becomes.like === "nothing") return becomes;
    if (this.hasFetched && "revision" in becomes && /FETCH_HEAD/.test(becomes.revision))
      return { like: "unknown", why: "what was fetched last is not known before" };
    if (this.#lost) return { like: "unknown", why: "a command before it on the line changes what git keeps" };
    if (!this.#moved || becomes.like === "index" || becomes.like === "stash") return becomes;
    const revision = this.#renamed(becomes.revision);
    if (revision === undefined)
      return { like: "unknown", why: `a command before it on the line changes what ${becomes.revision} is` };
    // HEAD will be another one: all files of that revision are compared with those that are there now, which is the same for
    // every command of the line. When none of them changes a file, all of them together do not either.
    if (becomes.like === "merged") return { like: "revision", revision, force: true };
    return becomes.like === "revision" ? { ...becomes, revision, force: true } : { ...becomes, revision };
  }

  #renamed(revision: string): string | undefined {
    if (revision === "HEAD") return revision;
    const upstream = /^@\{u(pstream)?\}$/.test(revision);
    if (upstream && this.#branch !== false) return `${this.#branch ?? ""}${revision}`;
    return /^(-|@)|@\{|HEAD/.test(revision) ? undefined : revision;
  }
}

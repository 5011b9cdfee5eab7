import { z } from "zod";
import { mergeLines } from "../utils/mergeLines.ts";
import { sha256 } from "../utils/sha256.ts";
import { once } from "../utils/once.ts";

/** What was in a file at one moment. The content itself is kept apart, under its hash. */
const fileVersionSchema = once(() =>
  z.object({
    /** SHA-256, in hexadecimal. */
    hash: z.string(),
    /** Undefined: the system chose the mode of a new file. */
    mode: z.number().optional(),
    /** Why there is no copy of the content. */
    notKept: z.string().optional(),
  }),
);

/** One file, from what was there to what Wave put there. Null: no file. */
export const fileChangeSchema = once(() =>
  z.object({
    path: z.string(),
    before: fileVersionSchema().nullable(),
    after: fileVersionSchema().nullable(),
  }),
);

export type FileVersion = z.infer<ReturnType<typeof fileVersionSchema>>;
export type FileChange = z.infer<ReturnType<typeof fileChangeSchema>>;

/** What taking back Wave's changes of one file comes to. */
export type TakenBack =
  /** Exactly what was there; null: there was no file. */
  | { do: "put-back"; version: FileVersion | null }
  /** What was there, with what somebody else changed meanwhile. */
  | { do: "merge"; text: string }
  | { do: "nothing"; why: string };

/** A file as it is on disk; null: there is none. Text is absent when the bytes are not UTF-8. */
export type OnDisk = { hash: string; text: string | undefined } | null;

/** From `base`, which Wave wrote, back to `before`. */
export interface StepBack {
  base: FileVersion | null;
  before: FileVersion | null;
}

/**
 * The steps that lead back over these changes (oldest first), the newest first. A file that is byte for byte what it was at
 * some moment has come that far back already: a crash, or a person, was there before. Changes that follow each other with
 * nothing between them are one step, so that what Wave itself took back in the meantime is nobody's conflict.
 */
export function stepsBack(changes: readonly FileChange[], now: string | null): StepBack[] {
  const steps: StepBack[] = [];
  for (const { before, after } of changes.slice(0, alreadyBack(changes, now)).toReversed()) {
    const last = steps.at(-1);
    if (last && hashIn(last.before) === hashIn(after)) last.before = before;
    else steps.push({ base: after, before });
  }
  return steps;
}

/** How many of the changes are still in the file. */
function alreadyBack(changes: readonly FileChange[], now: string | null): number {
  for (const [index, { before, after }] of [...changes.entries()].toReversed()) {
    if (hashIn(after) === now) return index + 1;
    if (hashIn(before) === now) return index;
  }
  return changes.length;
}

/**
 * Takes back what Wave did and keeps what others did: where the file is what Wave left, it becomes what it was before;
 * where it is not, both changes are merged line by line. Never a guess: what cannot be merged stays as it is, and says why.
 */
export function takeBack(
  disk: OnDisk,
  steps: readonly StepBack[],
  textOf: (hash: string) => string | undefined,
): TakenBack {
  let at: Place = disk && { hash: disk.hash, text: disk.text };
  for (const { base, before } of steps) {
    const hash = at?.hash ?? null;
    if (hash === hashIn(base)) at = before && { hash: before.hash, version: before };
    else if (hash === hashIn(before)) continue;
    else if (!at && !disk) return { do: "nothing", why: "it was deleted since" };
    // Gone in the middle, and made anew by Wave: what was there before counts.
    else if (!at) at = before && { hash: before.hash, version: before };
    else if (!before) return { do: "nothing", why: "Wave made it, and it was changed since" };
    else if (!base) return { do: "nothing", why: "another file is there now" };
    else {
      const merged = merge(at, { base, before }, textOf);
      if (merged.is === "stuck") return { do: "nothing", why: merged.why };
      at = { hash: sha256(merged.text), text: merged.text };
    }
  }
  return conclude(at, disk, textOf);
}

/** Where the walk back has come to: a text, or a version that is kept. */
type Place = { hash: string; text?: string | undefined; version?: FileVersion } | null;

type Merge = { is: "merged"; text: string } | { is: "stuck"; why: string };

function merge(
  at: NonNullable<Place>,
  { base, before }: { base: FileVersion; before: FileVersion },
  textOf: (hash: string) => string | undefined,
): Merge {
  const mine = at.version ? textOf(at.hash) : at.text;
  if (mine === undefined) return { is: "stuck", why: "it was changed since, and is no longer text" };
  const [written, old] = [textOf(base.hash), textOf(before.hash)];
  if (written === undefined) return { is: "stuck", why: `it was changed since, and ${noCopy(base)}` };
  if (old === undefined) return { is: "stuck", why: noCopy(before) };
  const text = mergeLines(written, mine, old);
  return text === undefined
    ? { is: "stuck", why: "it was changed since, in the same lines" }
    : { is: "merged", text };
}

function conclude(at: Place, disk: OnDisk, textOf: (hash: string) => string | undefined): TakenBack {
  if ((at?.hash ?? null) === (disk?.hash ?? null)) {
    return { do: "nothing", why: disk ? "it is already as it was" : "it is already gone" };
  }
  if (!at) return { do: "put-back", version: null };
  if (at.version === undefined) return { do: "merge", text: at.text ?? "" };
  if (textOf(at.hash) === undefined) return { do: "nothing", why: noCopy(at.version) };
  return { do: "put-back", version: at.version };
}

const noCopy = ({ notKept }: FileVersion): string =>
  notKept === undefined ? "Wave's copy of it is gone" : `Wave kept no copy of it: ${notKept}`;

const hashIn = (version: FileVersion | null): string | null => version?.hash ?? null;

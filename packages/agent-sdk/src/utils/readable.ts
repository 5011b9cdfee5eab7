/**
 * Text and values that every reader of JSON understands alike. Guards are jq, Python and shell scripts: what one of them
 * cannot read it says nothing about, and nothing said is no objection.
 */

/** Half of a surrogate pair, which UTF-8 cannot express, and a NUL, at which shells stop reading, become U+FFFD. */
export function readableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\u{FFFD}");
}

/**
 * JSON none of whose strings holds half a surrogate pair, neither written out nor as an escape. Of the same length, so that
 * places in it stay what they were; text that is no JSON stays as broken as it was.
 */
export function readableJson(json: string): string {
  const text = json.toWellFormed();
  if (!SURROGATE.test(text)) return text;
  return text.replace(ESCAPES, (escape, half?: string) => (half === undefined ? escape : "\\ufffd"));
}

const SURROGATE = /\\u[dD][89a-fA-F]/;

/** A whole pair; half of one; anything else behind a backslash, so that `\\ud800` is not taken for an escape. */
const ESCAPES =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(\\u[dD][89a-fA-F][\da-fA-F]{2})|\\[^]/g;

/** jq reads 256 levels, Ruby 100, and a call's input lies a few levels deep in what a hook reads. */
const MAX_DEPTH = 64;

/** Why a value from JSON is not the same to everybody who reads it; undefined when it is. Goes on after "the input". */
export function whyUnreadable(value: unknown): string | undefined {
  // A list of what is left to look at: no depth of nesting may end Wave.
  const left: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let next = left.pop(); next; next = left.pop()) {
    const { value: one, depth } = next;
    if (typeof one === "string" && one.includes("\0")) return HAS_NUL;
    if (typeof one === "number" && !Number.isFinite(one)) return "has a number that is too large";
    if (typeof one !== "object" || one === null) continue;
    if (depth === MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep`;
    if (Object.keys(one).some((key) => key.includes("\0"))) return HAS_NUL;
    for (const inner of Object.values(one)) left.push({ value: inner, depth: depth + 1 });
  }
  return undefined;
}

const HAS_NUL = "has a NUL character (\\u0000), which no command, path or text file can contain";

/** Text that comes in pieces: a pair that was cut between two of them stays a pair. */
export class ReadablePieces {
  #half = "";

  push(piece: string): string {
    const text = this.#half + piece;
    this.#half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
    return readableText(this.#half === "" ? text : text.slice(0, -1));
  }

  /** What stands for a half that nothing came after. */
  end(): string {
    const text = readableText(this.#half);
    this.#half = "";
    return text;
  }
}

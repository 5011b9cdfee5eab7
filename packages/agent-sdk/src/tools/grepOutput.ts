const MAX_CHARACTERS = 30_000;

export type GrepMode = "content" | "files_with_matches" | "count";

/** One line of a result: the file it is from, as ripgrep names it, and how it is shown. Between two places there is no file. */
export type GrepEntry = { file: string; shown: string } | { file: undefined; shown: string };

/**
 * Makes ripgrep mark with NUL where the name of a file ends, which no name can contain. Without it `a:1:b` could be a line
 * of `a` or of `a:1`, and a rule about one of them could not be kept.
 */
export function markingFlags(mode: GrepMode): string[] {
  if (mode !== "content") return ["--null"];
  return [
    String.raw`--field-match-separator=\x00:`,
    String.raw`--field-context-separator=\x00-`,
    String.raw`--context-separator=\x00--`,
  ];
}

/** What ends an entry of the output. */
export function separatorOf(mode: GrepMode): "\n" | "\0" {
  return mode === "files_with_matches" ? "\0" : "\n";
}

export interface GrepForm {
  mode: GrepMode;
  lineNumbers: boolean;
  /** What a file is called, when that is not what ripgrep calls it. */
  nameOf?: (file: string) => string;
}

/** Takes the output piece by piece, as `separatorOf` cuts it, and hands over entries; for `onEntry` of a search. */
export function entryReader(
  { mode, lineNumbers, nameOf = (file) => file }: GrepForm,
  onEntry: (entry: GrepEntry) => boolean,
): (piece: string) => boolean {
  const named = (file: string, rest: string): GrepEntry => {
    const name = nameOf(file);
    return { file: name, shown: shortName(name) + rest };
  };
  // A name may contain a line break; what was cut from it waits here for its rest.
  let begun = "";
  return (piece) => {
    if (mode === "files_with_matches") return onEntry(named(piece, ""));
    const line = begun + piece;
    begun = "";
    const end = line.indexOf("\0");
    if (end === 0) return onEntry({ file: undefined, shown: line.slice(1) });
    if (end > 0) {
      const file = line.slice(0, end);
      const rest = line.slice(end + 1).replace(/\r$/, "");
      const shown = mode === "count" ? `:${rest}` : lineNumbers ? rest.replace("\0", "") : rest;
      return onEntry(named(file, shown));
    }
    const binary = BINARY.exec(line)?.[1];
    if (binary !== undefined) return onEntry(named(binary, line.slice(binary.length)));
    begun = `${line}\n`;
    return false;
  };
}

/** The one kind of line that ripgrep does not mark. */
const BINARY =
  /^(.*): (?:binary file matches|WARNING: stopped searching binary file after match) \(found .* byte around offset \d+\)$/s;

function shortName(file: string): string {
  return file.replace(/^\.\//, "");
}

/** The part of a result that is shown, and how long the whole is. */
export class Page {
  readonly shown: string[] = [];
  total = 0;
  #characters = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many more entries could be shown. */
  get room(): number {
    return this.#characters > MAX_CHARACTERS ? 0 : this.#limit - this.shown.length;
  }

  add(entry: string): void {
    this.total++;
    if (this.room === 0) return;
    this.shown.push(entry);
    this.#characters += entry.length + 1;
  }
}

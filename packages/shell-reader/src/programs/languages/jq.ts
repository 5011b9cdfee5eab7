import { DEEPEST, isDigit, isNamePart, isNameStart, LONGEST_PROGRAM, Scanner } from "./scanner.ts";

/** What may stand in a jq program. Missing are above all `import`, `include` and `env`, which reach beyond its input. */
const KNOWN_NAMES: ReadonlySet<string> = new Set(
  (
    "if then elif else end as reduce foreach try catch label break and or not true false null " +
    "length utf8bytelength keys keys_unsorted values has in map map_values path paths leaf_paths del delpaths getpath setpath pick " +
    "to_entries from_entries with_entries select empty error add any all flatten range floor ceil round abs sqrt pow log log2 log10 " +
    "exp tostring tonumber toarray type infinite nan isinfinite isnan isnormal sort sort_by group_by min max min_by max_by unique " +
    "unique_by reverse contains inside startswith endswith combinations ltrimstr rtrimstr trim ltrim rtrim explode implode split " +
    "join ascii ascii_downcase ascii_upcase while repeat until recurse recurse_down tojson fromjson todate fromdate now localtime " +
    "gmtime mktime strftime strptime strflocaltime test match capture scan splits sub gsub index rindex indices first last nth " +
    "limit skip isempty transpose walk tostream fromstream truncate_stream objects iterables booleans numbers strings nulls arrays " +
    "scalars input inputs bsearch IN INDEX GROUP_BY UNIQUE_BY"
  ).split(" "),
);
const FORMATS = new Set("text json html uri urid csv tsv sh base64 base64d base32 base32d".split(" "));
/** The longest first. */
const SIGNS = "?// //= |= += -= *= /= %= == != <= >= // .. | , . ? ; : = < > + - * / % ( ) [ ] { }".split(
  " ",
);
const CLOSES = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);

/**
 * Whether every character of a jq program is understood and it does no more than look at its input. Whatever else a program
 * can do has a name of its own, so it is cut into its pieces and only known names are taken.
 */
export function onlyLooksAtInput(text: string, scanner: Scanner = new Scanner(text)): boolean {
  return text.length <= LONGEST_PROGRAM && new JqReader(scanner).read(undefined) && scanner.isAtEnd;
}

class JqReader {
  readonly #scanner: Scanner;
  #depth = 0;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  /** Up to the end, or to a bracket, which is taken. */
  read(end: string | undefined): boolean {
    const scanner = this.#scanner;
    // The names of an object's fields stand behind its bracket and behind commas.
    let isKey = end === "}";
    if (++this.#depth > DEEPEST) return false;
    for (;;) {
      scanner.takeWhile((sign) => sign === " " || sign === "\t" || sign === "\n");
      if (scanner.isAtEnd) return end === undefined;
      const next = scanner.peek();
      if (isNameStart(next)) {
        const name = scanner.takeWhile(isNamePart);
        if (!isKey && !KNOWN_NAMES.has(name)) return false;
      } else if (next === "." && isNameStart(scanner.peek(1))) {
        scanner.take();
        scanner.takeWhile(isNamePart);
      } else if (isDigit(next)) scanner.takeWhile(isDigit);
      else if (next === "$") {
        if (!this.#variable()) return false;
      } else if (next === "@") {
        scanner.take();
        if (!FORMATS.has(scanner.takeWhile(isNamePart))) return false;
      } else if (next === '"') {
        if (!this.#text()) return false;
      } else {
        const sign = SIGNS.find((one) => one.startsWith(next) && scanner.accept(one));
        if (sign !== undefined && sign === end) return --this.#depth >= 0;
        if (sign === undefined || [...CLOSES.values()].includes(sign)) return false;
        if (CLOSES.has(sign) && !this.read(CLOSES.get(sign))) return false;
        isKey = end === "}" && sign === ",";
        continue;
      }
      isKey = false;
    }
  }

  #variable(): boolean {
    this.#scanner.take();
    const name = this.#scanner.takeWhile(isNamePart);
    return /^[A-Za-z]\w*$/.test(name) && name !== "ENV";
  }

  /** `"a \(.b) c"` has a program inside. */
  #text(): boolean {
    const scanner = this.#scanner;
    scanner.take();
    while (!scanner.isAtEnd) {
      const sign = scanner.take();
      if (sign === '"') return true;
      if (sign === "\\" && scanner.take() === "(" && !this.read(")")) return false;
    }
    return false;
  }
}

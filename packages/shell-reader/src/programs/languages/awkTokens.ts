import { isDigit, isForeign, isNamePart, isNameStart, skipPattern, type Scanner } from "./scanner.ts";

/** The program is not one that Wave reads completely. */
export class Unread extends Error {}

type AwkToken =
  | { kind: "number" }
  /** `value`: what it means; undefined where a backslash makes something else of it. */
  | { kind: "text"; value: string | undefined }
  | { kind: "name"; name: string }
  | { kind: "sign"; sign: string }
  | { kind: "newline" }
  | { kind: "end" };

/** Functions of awk that read no file, write none and run nothing. */
export const AWK_FUNCTIONS: ReadonlySet<string> = new Set(
  (
    "length substr index split sub gsub match sprintf int sqrt exp log sin cos atan2 rand srand tolower toupper " +
    "gensub strftime systime mktime asort asorti and or xor compl lshift rshift strtonum close fflush"
  ).split(" "),
);

/** Behind these every awk takes a slash for the beginning of a pattern. */
const BEFORE_PATTERN = new Set([
  "start",
  "newline",
  ..."; { } ( , ! ~ !~ && || ? : = == != print printf".split(" "),
]);
/** And behind these for a division. Behind `++`, or a function without brackets, they differ. */
const BEFORE_DIVISION = new Set(["value", "variable", ")", "]"]);

/** The pieces of an awk program, one of which is looked at before it is taken. */
export class AwkTokens {
  readonly #scanner: Scanner;
  #next: AwkToken;
  #start = 0;
  /** What was taken last. */
  #before = "start";

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
    this.#next = this.#look();
  }

  get next(): AwkToken {
    return this.#next;
  }

  /** No blank stands before the next one. */
  get isAdjacent(): boolean {
    return !/\s/.test(this.#scanner.text[this.#start] ?? "");
  }

  advance(): void {
    this.#before = shapeOf(this.#next);
    this.#next = this.#look();
  }

  isSign(...signs: readonly string[]): boolean {
    return this.#next.kind === "sign" && signs.includes(this.#next.sign);
  }

  isWord(...words: readonly string[]): boolean {
    return this.#next.kind === "name" && words.includes(this.#next.name);
  }

  accept(sign: string): boolean {
    const found = this.isSign(sign);
    if (found) this.advance();
    return found;
  }

  expect(sign: string): void {
    if (!this.accept(sign)) throw new Unread();
  }

  /** Newlines, and with `alsoSemicolons` whatever stands between two statements. */
  skipNewlines(alsoSemicolons = false): void {
    while (this.#next.kind === "newline" || (alsoSemicolons && this.isSign(";"))) this.advance();
  }

  /** Takes a pattern, of which the slash is next. */
  pattern(): void {
    // `/=` is an operator to some.
    const begins = BEFORE_PATTERN.has(this.#before) && this.#scanner.peek() !== "=";
    if (!begins || !skipPattern(this.#scanner, "/")) throw new Unread();
    this.#before = "value";
    this.#next = this.#look();
  }

  /** Takes the slash of a division, also that of `/=`. */
  division(): void {
    if (!BEFORE_DIVISION.has(this.#before)) throw new Unread();
    this.advance();
    if (this.isAdjacent) this.accept("=");
  }

  /** Where to go back to. */
  mark(): () => void {
    const place = { at: this.#start, before: this.#before };
    return () => {
      this.#scanner.at = place.at;
      this.#before = place.before;
      this.#next = this.#look();
    };
  }

  #look(): AwkToken {
    this.#start = this.#scanner.at;
    const token = nextToken(this.#scanner);
    if (token === undefined) throw new Unread();
    return token;
  }
}

function shapeOf(token: AwkToken): string {
  switch (token.kind) {
    case "number":
    case "text":
      return "value";
    case "name":
      if (AWK_FUNCTIONS.has(token.name)) return "function";
      return /^(print|printf|getline|in|else|do)$/.test(token.name) ? token.name : "variable";
    case "sign":
      return token.sign;
    default:
      return token.kind;
  }
}

/** The longest first. */
const SIGNS =
  "**= && || !~ == <= >= != ++ -- += -= *= %= ^= ** >> |& { } ( ) [ ] ; , + - * / % ^ ! > < | ? : ~ $ =".split(
    " ",
  );

/** Undefined: there is none that Wave knows. What a slash is, only the parser can tell. */
function nextToken(scanner: Scanner): AwkToken | undefined {
  scanner.takeWhile((sign) => sign === " " || sign === "\t");
  if (scanner.accept("#")) {
    const comment = scanner.takeWhile((sign) => sign !== "\n");
    // To some a backslash makes the next line a part of it.
    if (comment.endsWith("\\")) return undefined;
  }
  const next = scanner.peek();
  if (next === "") return { kind: "end" };
  if (next === "\n") {
    scanner.take();
    return { kind: "newline" };
  }
  if (next === '"') return text(scanner);
  if (isDigit(next) || (next === "." && isDigit(scanner.peek(1)))) return number(scanner);
  if (isNameStart(next)) return { kind: "name", name: scanner.takeWhile(isNamePart) };
  const sign = SIGNS.find((one) => one.startsWith(next) && scanner.accept(one));
  return sign === undefined ? undefined : { kind: "sign", sign };
}

function text(scanner: Scanner): AwkToken | undefined {
  scanner.take();
  const from = scanner.at;
  let plain = true;
  let before = "";
  while (!scanner.isAtEnd) {
    const sign = scanner.take();
    if (sign === '"')
      return { kind: "text", value: plain ? scanner.text.slice(from, scanner.at - 1) : undefined };
    if (sign === "\n") return undefined;
    if (sign === "\\" && isForeign(before)) return undefined;
    before = sign;
    if (sign === "\\") {
      plain = false;
      if (/^\n?$/.test(scanner.take())) return undefined;
    }
  }
  return undefined;
}

function number(scanner: Scanner): AwkToken {
  scanner.takeWhile(isDigit);
  if (scanner.accept(".")) scanner.takeWhile(isDigit);
  if (/^[eE]$/.test(scanner.peek())) {
    const ahead = /^[-+]$/.test(scanner.peek(1)) ? 2 : 1;
    if (isDigit(scanner.peek(ahead))) {
      scanner.at += ahead;
      scanner.takeWhile(isDigit);
    }
  }
  return { kind: "number" };
}

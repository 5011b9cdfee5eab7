import { isDigit, isForeign, isNamePart, isNameStart, skipPattern, type Scanner } from "./scanner.ts";

type Piece =
  | { kind: "number" }
  | { kind: "pattern" }
  /** `value`: what it means; undefined where a backslash makes something else of it. */
  | { kind: "text"; value: string | undefined }
  | { kind: "name"; name: string }
  | { kind: "sign"; sign: string }
  | { kind: "newline" };

export type AwkToken = Piece & {
  /** No blank stands before it. */
  isAdjacent: boolean;
  /** It stands in round or square brackets. */
  inBrackets: boolean;
};

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
/** And behind these for a division. Behind `++`, a condition, a word of the language or a function without brackets they differ. */
const BEFORE_DIVISION = new Set(["value", "variable", ")", "]"]);
const WORDS = new Set(
  (
    "BEGIN END BEGINFILE ENDFILE function func if else while for do switch case default break continue next nextfile exit " +
    "return delete in getline print printf"
  ).split(" "),
);
const CLOSES = new Map(["()", "[]", "{}"].map(([begin = "", end]) => [begin, end]));
const BEFORE_CONDITION = new Set(["if", "while", "for", "switch"]);

/** The pieces of an awk program; undefined where one is not known, or where programs differ about what it is. */
export function awkTokens(scanner: Scanner): AwkToken[] | undefined {
  const tokens: AwkToken[] = [];
  /** The brackets that are open, each with what stands before it. */
  const open: { end: string | undefined; before: string }[] = [];
  let before = "start";
  for (;;) {
    const from = scanner.at;
    scanner.takeWhile((sign) => sign === " " || sign === "\t");
    const isAdjacent = scanner.at === from;
    if (scanner.accept("#")) {
      const comment = scanner.takeWhile((sign) => sign !== "\n");
      // To some a backslash makes the next line a part of it.
      if (comment.endsWith("\\")) return undefined;
    }
    if (scanner.isAtEnd) return open.length === 0 ? tokens : undefined;
    const token = nextToken(scanner, before);
    if (token === undefined) return undefined;
    const shape = shapeOf(token);
    if (CLOSES.has(shape)) open.push({ end: CLOSES.get(shape), before });
    const closed = /^[)\]}]$/.test(shape) ? open.pop() : undefined;
    if (/^[)\]}]$/.test(shape) && closed?.end !== shape) return undefined;
    before = BEFORE_CONDITION.has(closed?.before ?? "") ? "condition" : shape;
    const inBrackets = open.length > 0 && open.at(-1)?.end !== "}";
    tokens.push({ ...token, isAdjacent, inBrackets });
  }
}

function shapeOf(token: Piece): string {
  switch (token.kind) {
    case "number":
    case "text":
    case "pattern":
      return "value";
    case "name":
      if (AWK_FUNCTIONS.has(token.name)) return "function";
      return WORDS.has(token.name) ? token.name : "variable";
    case "sign":
      return token.sign;
    case "newline":
      return "newline";
  }
}

/** The longest first. */
const SIGNS =
  "**= && || !~ == <= >= != ++ -- += -= *= %= ^= ** >> |& { } ( ) [ ] ; , + - * % ^ ! > < | ? : ~ $ =".split(
    " ",
  );

function nextToken(scanner: Scanner, before: string): Piece | undefined {
  const next = scanner.peek();
  if (scanner.accept("\n")) return { kind: "newline" };
  if (next === '"') return text(scanner);
  if (next === "/") return slash(scanner, before);
  if (isDigit(next) || (next === "." && isDigit(scanner.peek(1)))) return number(scanner);
  if (isNameStart(next)) return { kind: "name", name: scanner.takeWhile(isNamePart) };
  const sign = SIGNS.find((one) => one.startsWith(next) && scanner.accept(one));
  return sign === undefined ? undefined : { kind: "sign", sign };
}

/** A pattern, or a division, also that of `/=`. */
function slash(scanner: Scanner, before: string): Piece | undefined {
  scanner.take();
  if (BEFORE_DIVISION.has(before)) return { kind: "sign", sign: "/" };
  // `/=` is an operator to some.
  const begins = BEFORE_PATTERN.has(before) && scanner.peek() !== "=";
  return begins && skipPattern(scanner, "/") ? { kind: "pattern" } : undefined;
}

function text(scanner: Scanner): Piece | undefined {
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

function number(scanner: Scanner): Piece {
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

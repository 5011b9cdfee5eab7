/** No person writes a longer program on a command line; a longer one is not read. */
export const LONGEST_PROGRAM = 16_384;

/** Blocks and brackets inside each other. */
export const DEEPEST = 40;

/**
 * A program text that is read from left to right, one character after the other. `looks` counts how often one was looked at,
 * which a test compares with the length: no program may take longer than a few looks for each character.
 */
export class Scanner {
  readonly text: string;
  at = 0;
  looks = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** The next character, or one behind it; "" at the end. */
  peek(ahead = 0): string {
    this.looks++;
    return this.text[this.at + ahead] ?? "";
  }

  take(): string {
    const sign = this.peek();
    this.at++;
    return sign;
  }

  /** Whether this comes next; then it is taken. */
  accept(expected: string): boolean {
    this.looks += expected.length;
    if (!this.text.startsWith(expected, this.at)) return false;
    this.at += expected.length;
    return true;
  }

  /** The characters from here on that fit. */
  takeWhile(fits: (sign: string) => boolean): string {
    const from = this.at;
    while (!this.isAtEnd && fits(this.peek())) this.at++;
    return this.text.slice(from, this.at);
  }
}

export const isDigit = (sign: string) => sign >= "0" && sign <= "9";
export const isBlank = (sign: string) => sign === " " || sign === "\t";
export const isNameStart = (sign: string) => /^[A-Za-z_]$/.test(sign);
export const isNamePart = (sign: string) => /^\w$/.test(sign);

/**
 * A regular expression up to its end, which is taken as well; false when programs differ about where that is. Some take a
 * delimiter in brackets for its end and some do not, so there may be none, and no bracket may be left open.
 */
export function skipPattern(scanner: Scanner, end: string): boolean {
  let before = "";
  while (!scanner.isAtEnd) {
    const sign = scanner.take();
    if (sign === "\n" || (sign === "\\" && isForeign(before))) return false;
    if (sign === end) return true;
    if (sign === "\\") {
      if (scanner.isAtEnd || scanner.take() === "\n") return false;
    } else if (sign === "[" && !skipBrackets(scanner, end)) return false;
    before = sign;
  }
  return false;
}

/** `[^]a-z[:space:]]`, from behind the first bracket. */
function skipBrackets(scanner: Scanner, end: string): boolean {
  scanner.accept("^");
  scanner.accept("]");
  while (!scanner.isAtEnd) {
    const sign = scanner.take();
    if (sign === "]") return true;
    if (sign === "\n" || sign === end) return false;
    // To some a backslash says something about the next character, to others it does not.
    if (sign === "\\" && /^[\]\n]?$/.test(scanner.take())) return false;
    if (sign !== "[") continue;
    if (scanner.accept(":")) {
      scanner.takeWhile((letter) => letter >= "a" && letter <= "z");
      if (!scanner.accept(":]")) return false;
    } else if (/^[.=]$/.test(scanner.peek())) return false;
  }
  return false;
}

/** In some character sets a letter of several bytes may end in what looks like a backslash. */
export const isForeign = (sign: string) => sign > "\u007f";

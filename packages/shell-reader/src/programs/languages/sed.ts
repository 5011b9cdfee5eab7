import { noDoings, type TextDoings } from "./textDoings.ts";
import { DEEPEST, isBlank, isDigit, isForeign, LONGEST_PROGRAM, Scanner, skipPattern } from "./scanner.ts";

/** What people write every day: `1,20p`, `/a/d`, `s/a/b/g`. Only a script of these is proven. */
const EVERYDAY = new Set("spdq=".split(""));
/** Commands that print, keep or drop lines and take no argument. */
const PLAIN = "pPdDnNgGhHx=Fz";
/** The same, with a number that may be left out. */
const COUNTED = "qQlL";
const DELIMITERS = "/|,#@!:%_~+=^-";

/**
 * Reads the whole script, or says that it cannot (undefined): sed has commands that write files and run programs, so a script
 * is believed only when every character of it is understood. `parts` are the values of several `-e`.
 */
export function readSed(
  parts: readonly string[],
  scanner: Scanner = new Scanner(parts.join("\n")),
): TextDoings | undefined {
  if (scanner.text.length > LONGEST_PROGRAM) return undefined;
  // A backslash at the end takes the newline between two parts its meaning.
  if (parts.some((part) => /(?<!\\)(?:\\\\)*\\$/.test(part.slice(-64)))) return undefined;
  return new SedReader(scanner).read();
}

class SedReader {
  readonly #scanner: Scanner;
  readonly #doings = noDoings();
  #depth = 0;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  read(): TextDoings | undefined {
    const scanner = this.#scanner;
    while (true) {
      scanner.takeWhile((sign) => isBlank(sign) || sign === "\n" || sign === ";");
      if (scanner.isAtEnd) return this.#depth === 0 ? this.#doings : undefined;
      if (scanner.accept("#")) this.#restOfLine();
      else if (!this.#command()) return undefined;
    }
  }

  #command(): boolean {
    const scanner = this.#scanner;
    if (!this.#addresses()) return false;
    const name = scanner.take();
    if (!EVERYDAY.has(name)) this.#unproven();
    if (name === "{") return ++this.#depth <= DEEPEST;
    if (name === "}") return --this.#depth >= 0 && this.#ends();
    if (name !== "" && PLAIN.includes(name)) return this.#ends();
    if (name !== "" && COUNTED.includes(name)) {
      this.#blanks();
      scanner.takeWhile(isDigit);
      return this.#ends();
    }
    switch (name) {
      case "s":
        return this.#substitution();
      case "y": {
        const delimiter = this.#delimiter();
        return delimiter !== "" && this.#skipText(delimiter) && this.#skipText(delimiter) && this.#ends();
      }
      case ":":
      case "b":
      case "t":
      case "T":
        this.#blanks();
        scanner.takeWhile((sign) => /^\w$/.test(sign));
        // To some versions a brace is a part of the label.
        return scanner.peek() !== "}" && this.#ends();
      case "a":
      case "i":
      case "c":
        this.#doings.doubt ??= "versions of sed differ about where text ends that is added";
        return this.#text() !== undefined;
      case "r":
      case "R":
        return this.#file(this.#doings.reads);
      case "w":
      case "W":
        return this.#file(this.#doings.writes);
      case "e":
        return this.#execution();
      default:
        return false;
    }
  }

  #addresses(): boolean {
    const scanner = this.#scanner;
    if (!this.#address()) return false;
    this.#blanks();
    if (scanner.accept(",")) {
      this.#blanks();
      if (scanner.accept("+") || scanner.accept("~")) {
        this.#unproven();
        if (scanner.takeWhile(isDigit) === "") return false;
      } else {
        const from = scanner.at;
        if (!this.#address() || scanner.at === from) return false;
      }
      this.#blanks();
    }
    scanner.accept("!");
    this.#blanks();
    return true;
  }

  /** Also where there is none. */
  #address(): boolean {
    const scanner = this.#scanner;
    if (scanner.accept("$")) return true;
    if (scanner.takeWhile(isDigit) !== "") {
      if (!scanner.accept("~")) return true;
      this.#unproven();
      return scanner.takeWhile(isDigit) !== "";
    }
    if (!scanner.accept("/")) return true;
    if (!skipPattern(scanner, "/")) return false;
    scanner.accept("I");
    return true;
  }

  #substitution(): boolean {
    const scanner = this.#scanner;
    const delimiter = this.#delimiter();
    if (delimiter === "" || !skipPattern(scanner, delimiter) || !this.#skipText(delimiter)) return false;
    scanner.takeWhile((sign) => isDigit(sign) || (sign !== "" && "gpiImM".includes(sign)));
    if (scanner.accept("w")) return this.#file(this.#doings.writes);
    if (scanner.accept("e")) {
      this.#doings.runsMore ??= "a sed script runs what it reads";
      scanner.takeWhile((sign) => sign !== "" && "gpiImM".includes(sign));
    }
    return this.#ends();
  }

  #delimiter(): string {
    const sign = this.#scanner.take();
    return sign !== "" && DELIMITERS.includes(sign) ? sign : "";
  }

  /** What comes in place of a match: here brackets mean nothing. */
  #skipText(delimiter: string): boolean {
    const scanner = this.#scanner;
    let before = "";
    while (!scanner.isAtEnd) {
      const sign = scanner.take();
      if (sign === delimiter) return true;
      if (sign === "\n" || (sign === "\\" && isForeign(before))) return false;
      if (sign === "\\" && scanner.take() === "") return false;
      before = sign;
    }
    return false;
  }

  /** The text of `a`, `i`, `c` and `e`: up to a newline that has no backslash before it. */
  #text(): string | undefined {
    const scanner = this.#scanner;
    this.#blanks();
    const from = scanner.at;
    let before = "";
    while (!scanner.isAtEnd && scanner.peek() !== "\n") {
      const sign = scanner.take();
      if (sign === "\\" && isForeign(before)) return undefined;
      if (sign === "\\") scanner.take();
      before = sign;
    }
    // Without a text sed would look for one on the next line.
    return scanner.at === from ? undefined : scanner.text.slice(from, scanner.at);
  }

  #file(files: string[]): boolean {
    this.#blanks();
    const name = this.#restOfLine();
    if (name !== "") files.push(name);
    return name !== "";
  }

  #execution(): boolean {
    const text = this.#text();
    if (text === undefined || /^[;}]/.test(text)) this.#doings.runsMore ??= "a sed script runs what it reads";
    else {
      this.#doings.runs.push(text);
      if (text.includes("\\")) this.#doings.runsMore ??= "a sed script runs what it puts together";
    }
    return true;
  }

  /** Only blanks, a comment or the end of a block may follow. */
  #ends(): boolean {
    this.#blanks();
    const next = this.#scanner.peek();
    return next === "" || ";\n}#".includes(next);
  }

  #unproven(): void {
    this.#doings.unproven ??= "a sed script is more than lines to print and texts to replace";
  }

  #blanks(): void {
    this.#scanner.takeWhile(isBlank);
  }

  #restOfLine(): string {
    return this.#scanner.takeWhile((sign) => sign !== "\n");
  }
}

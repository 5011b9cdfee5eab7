import { AwkExpressions } from "./awkExpressions.ts";
import { AwkTokens, Unread } from "./awkTokens.ts";
import type { TextEffects } from "./effects.ts";
import { LONGEST_PROGRAM, Scanner } from "./scanner.ts";

/**
 * Reads the whole program, or says that it cannot (undefined): an awk program can write files and run programs, so one is
 * believed only when every character of it is understood.
 */
export function readAwk(text: string, scanner: Scanner = new Scanner(text)): TextEffects | undefined {
  if (text.length > LONGEST_PROGRAM) return undefined;
  try {
    return new AwkReader(new AwkTokens(scanner)).read();
  } catch (error) {
    if (error instanceof Unread) return undefined;
    throw error;
  }
}

class AwkReader {
  readonly #tokens: AwkTokens;
  readonly #expressions: AwkExpressions;
  readonly #defined = new Set<string>();

  constructor(tokens: AwkTokens) {
    this.#tokens = tokens;
    this.#expressions = new AwkExpressions(tokens);
  }

  read(): TextEffects {
    const tokens = this.#tokens;
    for (tokens.skipNewlines(true); tokens.next.kind !== "end"; tokens.skipNewlines(true)) this.#item();
    for (const name of this.#expressions.called) if (!this.#defined.has(name)) throw new Unread();
    return this.#expressions.effects;
  }

  #item(): void {
    const tokens = this.#tokens;
    if (tokens.isWord("function", "func")) return this.#definition();
    if (tokens.isWord("BEGIN", "END", "BEGINFILE", "ENDFILE")) {
      tokens.advance();
      return this.#block();
    }
    if (!tokens.isSign("{")) {
      this.#expressions.read();
      if (tokens.accept(",")) {
        tokens.skipNewlines();
        this.#expressions.read();
      }
    }
    if (tokens.isSign("{")) this.#block();
    else this.#end();
  }

  #definition(): void {
    const tokens = this.#tokens;
    tokens.advance();
    this.#defined.add(this.#expressions.name());
    tokens.expect("(");
    while (!tokens.accept(")")) {
      this.#expressions.name();
      if (!tokens.isSign(")")) tokens.expect(",");
    }
    tokens.skipNewlines();
    this.#block();
  }

  #block(): void {
    const tokens = this.#tokens;
    tokens.expect("{");
    this.#expressions.inside(() => {
      for (tokens.skipNewlines(true); !tokens.accept("}"); tokens.skipNewlines(true)) this.#statement();
    });
  }

  #statement(): void {
    const tokens = this.#tokens;
    if (tokens.isSign("{")) return this.#block();
    if (tokens.accept(";")) return;
    const { next } = tokens;
    switch (next.kind === "name" ? next.name : "") {
      case "if":
        tokens.advance();
        this.#condition();
        this.#nested();
        if (this.#isElse()) this.#nested();
        return;
      case "while":
      case "for":
        tokens.advance();
        this.#condition();
        return this.#nested();
      case "do":
        tokens.advance();
        this.#nested();
        tokens.skipNewlines(true);
        if (!tokens.isWord("while")) throw new Unread();
        tokens.advance();
        this.#condition();
        return this.#end();
      case "print":
      case "printf":
        tokens.advance();
        return this.#print();
      case "next":
      case "nextfile":
      case "break":
      case "continue":
        tokens.advance();
        return this.#end();
      case "exit":
      case "return":
      case "delete":
        tokens.advance();
        if (!this.#isEnd()) this.#expressions.read();
        return this.#end();
      default:
        this.#expressions.read();
        return this.#end();
    }
  }

  /** A statement of another one, which may stand on the next line. */
  #nested(): void {
    this.#expressions.inside(() => {
      this.#tokens.skipNewlines();
      this.#statement();
    });
  }

  #isElse(): boolean {
    const tokens = this.#tokens;
    const back = tokens.mark();
    tokens.skipNewlines(true);
    if (!tokens.isWord("else")) {
      back();
      return false;
    }
    tokens.advance();
    return true;
  }

  /** Also `(a; b; c)`. */
  #condition(): void {
    const tokens = this.#tokens;
    tokens.expect("(");
    while (!tokens.accept(")")) {
      if (tokens.accept(";")) tokens.skipNewlines();
      else this.#expressions.read();
    }
  }

  #print(): void {
    const tokens = this.#tokens;
    const { effects } = this.#expressions;
    const isRedirected = () => tokens.isSign(">", ">>", "|");
    if (!this.#isEnd() && !isRedirected()) {
      this.#expressions.read({ printed: true });
      while (tokens.accept(",")) {
        tokens.skipNewlines();
        this.#expressions.read({ printed: true });
      }
    }
    if (isRedirected()) {
      const isPipe = tokens.isSign("|");
      tokens.advance();
      const target = this.#expressions.read({ printed: true });
      if (target !== undefined) (isPipe ? effects.runs : effects.writes).push(target);
      else if (isPipe) effects.runsMore ??= "an awk program runs what it puts together";
      else effects.writesMore ??= "an awk program writes to a file that it names itself";
    }
    this.#end();
  }

  #end(): void {
    if (!this.#isEnd()) throw new Unread();
  }

  #isEnd(): boolean {
    const { kind } = this.#tokens.next;
    return kind === "newline" || kind === "end" || this.#tokens.isSign(";", "}");
  }
}

/** Whatever it means, without these an awk program prints and does nothing else. */
export const canReachOut = (text: string) => /[>|@]|system|getline|\\\n/.test(text);

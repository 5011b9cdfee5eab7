import { AWK_FUNCTIONS, Unread, type AwkTokens } from "./awkTokens.ts";
import { noEffects } from "./effects.ts";
import { DEEPEST } from "./scanner.ts";

const KEYWORDS = new Set(
  (
    "BEGIN END BEGINFILE ENDFILE function func if else while for do break continue next nextfile exit return delete in " +
    "getline print printf"
  ).split(" "),
);
/** They hold the environment, or say which files are read. */
const TELLING = new Set(["ENVIRON", "ARGV", "ARGC", "ARGIND", "PROCINFO", "SYMTAB", "FUNCTAB"]);
const OPERATORS = "&& || !~ == <= >= != += -= *= %= ^= **= ** + - * % ^ < ? : ~ =".split(" ");

/** Reads expressions as operands and operators in turn; what binds stronger makes no difference here. */
export class AwkExpressions {
  readonly effects = noEffects();
  /** Functions that the program has to define itself. */
  readonly called = new Set<string>();
  readonly #tokens: AwkTokens;
  #depth = 0;

  constructor(tokens: AwkTokens) {
    this.#tokens = tokens;
  }

  /** `printed`: `>` and `|` lead to a file or a program. Returns the text, where it is that and nothing else. */
  read({ printed = false }: { printed?: boolean } = {}): string | undefined {
    const tokens = this.#tokens;
    let text = this.#operand();
    // The command of `"x" | getline` may stand behind `=`.
    let command = text;
    for (;;) {
      if (tokens.isSign("++", "--")) {
        tokens.advance();
        text = command = undefined;
      } else if (tokens.isSign("|", "|&")) {
        if (!this.#readsCommand(command, printed)) return text;
        text = command = undefined;
      } else if (tokens.isSign("=")) {
        tokens.advance();
        command = this.#operand();
        text = undefined;
      } else if (this.#isOperator(printed) || this.#beginsOperand()) {
        this.#operand();
        text = command = undefined;
      } else return text;
    }
  }

  name(): string {
    const { next } = this.#tokens;
    if (next.kind !== "name" || KEYWORDS.has(next.name)) throw new Unread();
    this.#tokens.advance();
    return next.name;
  }

  /** Blocks, statements and brackets inside each other. */
  inside(read: () => void): void {
    if (++this.#depth > DEEPEST) throw new Unread();
    read();
    this.#depth--;
  }

  /** `"x" | getline`; false where the pipe is that of `print`. */
  #readsCommand(command: string | undefined, printed: boolean): boolean {
    const tokens = this.#tokens;
    const isOneWay = tokens.isSign("|");
    const back = tokens.mark();
    tokens.advance();
    if (!tokens.isWord("getline")) {
      if (!printed || !isOneWay) throw new Unread();
      back();
      return false;
    }
    tokens.advance();
    this.#variable();
    if (command === undefined || !isOneWay) this.#runsMore();
    else this.effects.runs.push(command);
    return true;
  }

  #isOperator(printed: boolean): boolean {
    const tokens = this.#tokens;
    if (tokens.isSign("/")) tokens.division();
    else if (tokens.isWord("in") || tokens.isSign(...OPERATORS) || (!printed && tokens.isSign(">"))) {
      const goesOn = tokens.isSign("&&", "||");
      tokens.advance();
      if (goesOn) tokens.skipNewlines();
    } else return false;
    return true;
  }

  #beginsOperand(): boolean {
    const { kind } = this.#tokens.next;
    return kind === "number" || kind === "text" || kind === "name" || this.#tokens.isSign("$", "!", "(");
  }

  /** Returns the text, where it is one. */
  #operand(): string | undefined {
    const tokens = this.#tokens;
    let isPlain = true;
    while (tokens.isSign("!", "-", "+", "++", "--", "$")) {
      tokens.advance();
      isPlain = false;
    }
    const token = tokens.next;
    if (token.kind === "text") {
      tokens.advance();
      return isPlain ? token.value : undefined;
    }
    if (token.kind === "number") tokens.advance();
    else if (tokens.isSign("/")) tokens.pattern();
    else if (tokens.accept("(")) this.#group(")");
    else if (tokens.isWord("getline")) this.#getline();
    else this.#named(this.name());
    return undefined;
  }

  #named(name: string): void {
    const tokens = this.#tokens;
    if (TELLING.has(name)) this.effects.readsMore ??= `an awk program uses ${name}`;
    if (tokens.accept("[")) this.#group("]");
    if (!tokens.isSign("(")) return;
    // Behind a blank it may be a second operand; that is left to awk.
    if (!tokens.isAdjacent && !AWK_FUNCTIONS.has(name)) throw new Unread();
    tokens.advance();
    const text = this.#group(")");
    if (name === "system" && text !== undefined) this.effects.runs.push(text);
    else if (name === "system") this.#runsMore();
    else if (!AWK_FUNCTIONS.has(name)) this.called.add(name);
  }

  /** Expressions with commas between them. Returns the text, where it is that and nothing else. */
  #group(end: string): string | undefined {
    const tokens = this.#tokens;
    const texts: (string | undefined)[] = [];
    this.inside(() => {
      while (!tokens.accept(end)) {
        texts.push(this.read());
        if (tokens.isSign(end)) continue;
        tokens.expect(",");
        tokens.skipNewlines();
      }
    });
    return texts.length === 1 ? texts[0] : undefined;
  }

  #getline(): void {
    const tokens = this.#tokens;
    tokens.advance();
    this.#variable();
    if (!tokens.accept("<")) return;
    const file = this.#operand();
    if (file === undefined || this.#beginsOperand())
      this.effects.readsMore ??= "an awk program reads files that it names itself";
    else this.effects.reads.push(file);
  }

  /** What getline fills. */
  #variable(): void {
    const { next } = this.#tokens;
    const isName = next.kind === "name" && !KEYWORDS.has(next.name);
    if (isName || this.#tokens.isSign("$")) this.#operand();
  }

  #runsMore(): void {
    this.effects.runsMore ??= "an awk program runs what it puts together";
  }
}

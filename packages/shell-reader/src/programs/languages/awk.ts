import { AWK_FUNCTIONS, awkTokens, type AwkToken } from "./awkTokens.ts";
import { noDoings, type TextDoings } from "./textDoings.ts";
import { LONGEST_PROGRAM, Scanner } from "./scanner.ts";

/**
 * Reads a program piece by piece, or says that it cannot (undefined). What an awk program can do beside printing has a sign or a
 * name of its own: `>` and `|` behind `print` and outside of brackets, `getline`, `system`, `@`. So every piece has to be known, and around those few it has
 * to be plain what they are about; whether the rest is a program at all is left to awk.
 */
export function readAwk(text: string, scanner: Scanner = new Scanner(text)): TextDoings | undefined {
  const tokens = text.length > LONGEST_PROGRAM ? undefined : awkTokens(scanner);
  return tokens && doingsOf(tokens);
}

/** Whatever it means, without these an awk program prints and does nothing else. */
export const canReachOut = (text: string) => /[>|@]|system|getline|\\\n/.test(text);

/** They hold the environment, or say which files are read. */
const TELLING = new Set(["ENVIRON", "ARGV", "ARGC", "ARGIND", "PROCINFO", "SYMTAB", "FUNCTAB"]);
/** Words that a bracket may follow without a call. */
const BEFORE_BRACKET = new Set("if while for in print printf return exit else do delete getline".split(" "));
/** What everyday programs are made of beside variables, fields and patterns. */
const EVERYDAY_NAMES = new Set(
  (
    "BEGIN END NR NF FNR FS OFS RS ORS FILENAME print printf if else for in next exit length substr index split sub gsub match " +
    "sprintf int tolower toupper"
  ).split(" "),
);
const EVERYDAY_SIGNS = new Set(
  "{ } ( ) [ ] ; , $ ! ~ !~ && || == != < > <= >= = += -= *= ++ -- + - * %".split(" "),
);

function doingsOf(tokens: readonly AwkToken[]): TextDoings | undefined {
  const doings = noDoings();
  const defined = new Set<string>();
  const called = new Set<string>();
  const runsMore = () => void (doings.runsMore ??= "an awk program runs what it puts together");
  /** A `print` is in this statement: behind it `>` and `|` lead to a file or a program. */
  let prints = false;
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1];
    const next = tokens[at + 1];
    if (!isEveryday(token))
      doings.unproven ??= "an awk program is more than a pattern and something to print";
    if (isSign(token, ";", "{", "}") || (token.kind === "newline" && !goesOn(before))) prints = false;
    if (token.kind === "name") {
      const { name } = token;
      prints ||= name === "print" || name === "printf";
      if (TELLING.has(name)) doings.readsMore ??= `an awk program uses ${name}`;
      if (isWord(before, "function", "func")) defined.add(name);
      else if (name === "getline" && !isSign(before, "|", "|&")) readsFile(tokens, at, doings);
      else if (name === "system") {
        const text = isSign(next, "(") && isSign(tokens[at + 3], ")") ? textOf(tokens[at + 2]) : undefined;
        if (text === undefined) runsMore();
        else doings.runs.push(text);
      } else if (isSign(next, "(") && !AWK_FUNCTIONS.has(name) && !BEFORE_BRACKET.has(name)) {
        // Behind a blank it may be a second operand; that is left to awk.
        if (!next.isAdjacent) return undefined;
        called.add(name);
      }
    } else if (isSign(token, "|", "|&")) {
      const isRead = isWord(next, "getline");
      if (!isRead && (!prints || isSign(token, "|&"))) return undefined;
      const command = isRead ? wholeBefore(tokens, at) : wholeBehind(tokens, at);
      if (command === undefined || isSign(token, "|&")) runsMore();
      else doings.runs.push(command);
    } else if (prints && !token.inBrackets && isSign(token, ">", ">>")) {
      const file = wholeBehind(tokens, at);
      if (file !== undefined) doings.writes.push(file);
      else doings.writesMore ??= "an awk program writes to a file that it names itself";
    }
  }
  return [...called].every((name) => defined.has(name)) ? doings : undefined;
}

const isSign = (
  token: AwkToken | undefined,
  ...signs: readonly string[]
): token is AwkToken & { kind: "sign" } => token?.kind === "sign" && signs.includes(token.sign);
const isWord = (token: AwkToken | undefined, ...words: readonly string[]) =>
  token?.kind === "name" && words.includes(token.name);
const textOf = (token: AwkToken | undefined) => (token?.kind === "text" ? token.value : undefined);

function isEveryday(token: AwkToken): boolean {
  if (token.kind === "sign") return EVERYDAY_SIGNS.has(token.sign);
  if (token.kind !== "name" || EVERYDAY_NAMES.has(token.name)) return true;
  return /^[a-z]\w*$/.test(token.name) && !AWK_FUNCTIONS.has(token.name) && !OTHER_WORDS.has(token.name);
}

const OTHER_WORDS = new Set(
  "function func getline system while do switch case default delete return nextfile".split(" "),
);

/** A statement goes on in the next line behind a comma and the like; only behind a value it is sure to end. */
function goesOn(before: AwkToken | undefined): boolean {
  if (before?.kind === "name") return isWord(before, "do", "else");
  return before?.kind === "sign" && !isSign(before, ")", "]", "++", "--");
}

/** A text behind a sign, when the statement ends there. */
function wholeBehind(tokens: readonly AwkToken[], at: number): string | undefined {
  const end = tokens[at + 2];
  return end === undefined || end.kind === "newline" || isSign(end, ";", "}")
    ? textOf(tokens[at + 1])
    : undefined;
}

/** A text before a sign that no other text can be a part of. */
function wholeBefore(tokens: readonly AwkToken[], at: number): string | undefined {
  const begins = tokens[at - 2];
  const isWhole =
    begins === undefined || begins.kind === "newline" || isSign(begins, "(", "{", "}", ";", "=", ",");
  return isWhole ? textOf(tokens[at - 1]) : undefined;
}

/** `getline x < "file"` */
function readsFile(tokens: readonly AwkToken[], at: number, doings: TextDoings): void {
  const rest = tokens.slice(at + 1, at + 1 + FURTHEST);
  const ends = rest.findIndex((token) => token.kind === "newline" || isSign(token, ";", "{", "}"));
  const from = (ends < 0 ? rest : rest.slice(0, ends)).findIndex((token) => isSign(token, "<"));
  if (from < 0 && ends >= 0) return;
  const behind = rest[from + 2];
  const file = from < 0 ? undefined : textOf(rest[from + 1]);
  const isWhole =
    behind === undefined || behind.kind === "newline" || isSign(behind, ")", ";", "}", "&&", "||");
  if (file !== undefined && isWhole) doings.reads.push(file);
  else doings.readsMore ??= "an awk program reads files that it names itself";
}

/** Nobody writes more between `getline` and its file. */
const FURTHEST = 20;

/**
 * How wide a useful rule for a program is, and what no rule for it covers silently. One row per program; the offers of a question
 * and the matching of rules both come from it.
 */
export interface ProgramRow {
  /** Its names, also those it has in a project, such as `./gradlew`. */
  names: readonly string[];
  /** What may stand behind the name in a rule that ends in `:*`; an empty list is the program with all it can do. */
  rules: readonly (readonly WordMatcher[])[];
  /** Beginnings of commands that it runs: `npx`, `uv run`. What stands behind them has a row of its own. */
  launches: readonly (readonly string[])[];
  /** Options that run another program, load settings from elsewhere or write where the rule did not say. */
  refuses: readonly string[];
  /** Only these options are covered; undefined: all that are not refused. */
  options: readonly string[] | undefined;
  /** Long options have one dash or two, and are never shortened. */
  dashes: "two" | "either";
  /** Whether long options may be shortened. */
  shortens: boolean;
  /**
   * What other words may be. `any`: whatever they are. `inside`: no path out of the project. `none`: where the rule names a
   * subcommand there are no further ones, only options and switches such as `VERBOSE=1`.
   */
  words: "any" | "inside" | "none";
  /** Options whose value is the next word. */
  values: readonly string[];
  /** Of these the value is a text, such as a message or the name of a test, and no path. */
  texts: readonly string[];
  /** Words that no rule covers silently. */
  never: RegExp | undefined;
  /** It runs whatever it is given: a rule for the program alone was written for all of that. */
  anything: boolean;
}

export type WordMatcher = (word: string) => boolean;

interface Given {
  /** One beginning each. `a|b` is either, `<name>` a plain word, `<file>` a file of the project; `…` at the end: one or more of them. */
  rules?: readonly string[];
  launches?: readonly string[];
  refuses?: string;
  options?: string;
  dashes?: ProgramRow["dashes"];
  shortens?: boolean;
  words?: ProgramRow["words"];
  values?: string;
  texts?: string;
  never?: RegExp;
  anything?: true;
}

export function row(names: string, given: Given): ProgramRow {
  return {
    names: list(names),
    rules: (given.rules ?? []).map((rule) => list(rule).map(matcher)),
    launches: (given.launches ?? []).map(list),
    refuses: list(given.refuses),
    options: given.options === undefined ? undefined : list(given.options),
    dashes: given.dashes ?? "two",
    shortens: given.shortens ?? true,
    words: given.words ?? "inside",
    values: [...list(given.values), ...list(given.texts)],
    texts: list(given.texts),
    never: given.never,
    anything: given.anything ?? false,
  };
}

const list = (text = "") => text.split(/\s+/).filter((word) => word !== "");

const NAME = /^\w[\w:.@/-]*$/;
const FILE = /^(\.\/)?[\w@][\w@./-]*\.\w+$/;

function matcher(token: string): WordMatcher {
  if (token === "<name>") return (word) => NAME.test(word) && !word.split("/").includes("..");
  if (token === "<file>") return (word) => FILE.test(word) && !word.split("/").includes("..");
  if (token.startsWith("/")) return (word) => new RegExp(`^(?:${token.slice(1, -1)})$`).test(word);
  const words = new Set(token.split("|"));
  return (word) => words.has(word);
}

import { literalOf, type Arg } from "../words/expand.ts";
import { GAP, isUnknown } from "../words/unknownText.ts";
import { pay } from "../steps.ts";

/**
 * The options of a program in one line. What is not listed is not known.
 *
 * | `a`, `all` | takes nothing |
 * | `n=`, `lines=` | takes a value: the rest of the word, or the next one |
 * | `w?`, `color?` | takes a value only in the same word: `-w4`, `--color=x` |
 * | `f=r`, `o=w` | takes a file that is read, or written |
 * | `T=o` | takes a value to some versions; to others the next word is an operand |
 * | `arg=2`, `file=2r` | takes two values; the second is a file that is read |
 * | `o!`, `exec!` | writes, runs a program, talks to the network or never ends; what it takes is not said |
 * | `#` | stands for numbers: `-20` |
 * | `-` | a dash alone is an option |
 *
 * Read when the program is met: there are many, and most sessions meet few.
 */
export type OptionList = () => ReadonlyMap<string, OptionKind>;
type OptionKind = keyof typeof NAMES_OF_KINDS;

const NAMES_OF_KINDS = {
  flag: "",
  value: "=",
  attached: "?",
  "value or operand": "=o",
  pair: "=2",
  "named read": "=2r",
  read: "=r",
  write: "=w",
  "does more": "!",
} as const;

const KINDS: ReadonlyMap<string, OptionKind> = new Map(
  Object.entries(NAMES_OF_KINDS).map(([kind, sign]) => [sign, kind as OptionKind]),
);

export function optionList(text: string): OptionList {
  let list: ReadonlyMap<string, OptionKind> | undefined;
  return () => (list ??= readList(text));
}

function readList(text: string): ReadonlyMap<string, OptionKind> {
  const items = text.split(/\s+/).filter((item) => item !== "");
  return new Map(
    items.map((item) => {
      const [, name = item, kind = ""] = /^(.*?)(=2?r?|=[wo]|[?!])?$/.exec(item) ?? [];
      return [name, KINDS.get(kind) ?? "flag"];
    }),
  );
}

export interface ParsedArgs {
  operands: Arg[];
  /** The options that were given. */
  names: readonly string[];
  /** Operands behind `--`. */
  afterDashes: Arg[];
  has(...names: string[]): boolean;
  values(...names: string[]): Arg[];
  reads: Arg[];
  writes: Arg[];
  /** An option that is not known, or a word that may become one. */
  doubt: string | undefined;
  /** An option that is known to do more than the others; it is a doubt as well. */
  more: string | undefined;
}

export interface ParseOptions {
  /** No option of the program can do harm, so a word that becomes one cannot either. */
  harmless?: boolean;
  /** Told of a word that becomes names of files: the options are all known unless one of these looks like another. */
  supposing?: (arg: Arg) => void;
  /** Options end at the first operand. */
  stopAtOperand?: boolean;
  /** Long options with one dash: find, java. */
  oneDash?: boolean;
}

export function parseArgs(args: readonly Arg[], list: OptionList, options: ParseOptions = {}): ParsedArgs {
  const known = list();
  const found = new Map<string, Arg[]>();
  const parsed: ParsedArgs = {
    operands: [],
    afterDashes: [],
    get names() {
      return [...found.keys()];
    },
    has: (...names) => names.some((name) => found.has(name)),
    values: (...names) => names.flatMap((name) => found.get(name) ?? []),
    reads: [],
    writes: [],
    doubt: undefined,
    more: undefined,
  };
  // A place in the list instead of a list that shrinks: a line may have hundreds of thousands of words.
  let next = 0;
  const takeNext = (count = args.length) => {
    const taken = args.slice(next, next + count);
    next += taken.length;
    return taken;
  };
  const doubt = (source: string, why = "is not a known option") => void (parsed.doubt ??= `${source} ${why}`);
  const take = (name: string, kind: OptionKind | undefined, attached: string | undefined, source: string) => {
    if (kind === "does more") parsed.more ??= `${source} does more than read`;
    if (kind === undefined || kind === "does more") {
      // An unknown option may take the next word, and it may name a file itself.
      if (attached !== undefined) parsed.operands.push(piece(attached, source));
      return doubt(source);
    }
    const values = found.get(name) ?? [];
    found.set(name, values);
    if (kind === "flag" || (kind === "attached" && attached === undefined)) return;
    const wanted = kind === "pair" || kind === "named read" ? 2 : 1;
    const given = attached === undefined ? takeNext(wanted) : [piece(attached, source)];
    if (given.some((arg) => arg.many)) doubt(source);
    values.push(...given);
    if (kind === "value or operand") parsed.operands.push(...given);
    if (kind === "read") parsed.reads.push(...given);
    if (kind === "named read") parsed.reads.push(...given.slice(1));
    if (kind === "write") parsed.writes.push(...given);
  };
  for (let arg = args[next++]; arg; arg = args[next++]) {
    const text = literalOf(arg);
    if (text === "--") {
      parsed.afterDashes = takeNext();
      for (const operand of parsed.afterDashes) parsed.operands.push(operand);
      break;
    }
    if (text === undefined) {
      const name = nameBefore(arg);
      if (name !== undefined && known.has(name) && known.get(name) !== "does more") {
        const values = found.get(name) ?? [];
        found.set(name, values);
        values.push(...valuesInside(arg));
        const kind = known.get(name);
        if (kind === "read") parsed.reads.push(...valuesInside(arg));
        else if (kind === "write") parsed.writes.push(...valuesInside(arg));
        else if (kind !== "value" && kind !== "attached") doubt(arg.source);
        continue;
      }
      if (mayBeOption(arg) && !options.harmless) {
        if (options.supposing && onlyNames(arg)) options.supposing(arg);
        else doubt(arg.source, "may become an option");
      }
      if (!arg.texts.every((one) => one.startsWith("-"))) parsed.operands.push(arg);
      else parsed.operands.push(...valuesInside(arg));
      continue;
    }
    if (!text.startsWith("-") || (text === "-" && !known.has("-"))) {
      if (options.stopAtOperand) {
        for (const operand of [arg, ...takeNext()]) parsed.operands.push(operand);
        break;
      }
      parsed.operands.push(arg);
      continue;
    }
    if (text === "-") {
      take("-", "flag", undefined, arg.source);
      continue;
    }
    if (/^-\d+$/.test(text) && known.has("#")) continue;
    if (text.startsWith("--") || options.oneDash) {
      const [, dashes = "", name = "", attached] = /^(--?)([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
      const full = dashes === "--" ? fullName(name, known) : name;
      // The shortened name may be another option of the program, one that is not listed.
      if (full !== name) doubt(arg.source);
      take(full, known.get(full), attached, arg.source);
      continue;
    }
    for (let at = 1; at < text.length; at++) {
      const name = text[at] ?? "";
      const kind = known.get(name);
      const isUnlisted = kind === undefined || kind === "does more";
      const rest = text.slice(at + 1);
      pay(1);
      if (kind === "flag" || (isUnlisted && rest !== "" && /[A-Za-z]/.test(name))) {
        take(name, kind, undefined, arg.source);
        // Behind an unknown letter the rest may be its value: `-o.wave/x`.
        if (isUnlisted) parsed.operands.push(piece(rest, arg.source));
        continue;
      }
      take(name, kind, rest === "" ? undefined : rest, arg.source);
      break;
    }
  }
  return parsed;
}

const piece = (text: string, source: string): Arg => ({ source, texts: [text], many: false });

/** `--include=*.ts`: whatever it becomes, every word of it begins so. Of a value that is cut at blanks only the first does. */
function nameBefore({ texts, many }: Arg): string | undefined {
  if (many && texts.some(isUnknown)) return undefined;
  const [name, ...others] = new Set(texts.map((text) => /^--([\w-]+)=/.exec(text)?.[1]));
  return others.length === 0 ? name : undefined;
}

function valuesInside({ texts, source }: Arg): Arg[] {
  return texts.flatMap((text) => {
    const at = text.indexOf("=");
    return at < 0 ? [] : [{ source, texts: [text.slice(at + 1)], many: true }];
  });
}

function mayBeOption({ texts }: Arg): boolean {
  return texts.some((text) => text.startsWith("-") || text.startsWith(GAP.any) || text.startsWith(GAP.name));
}

/** Names of files, or numbers, of which a negative one is no option that could do harm. */
const onlyNames = ({ texts }: Arg) =>
  texts.every((text) => !text.startsWith("-") && !text.startsWith(GAP.any));

/** A long option may be shortened as long as it is clear. */
function fullName(name: string, known: ReturnType<OptionList>): string {
  if (known.has(name)) return name;
  const candidates = [...known.keys()].filter((option) => option.length > 1 && option.startsWith(name));
  return candidates.length === 1 && name.length > 1 ? (candidates[0] ?? name) : name;
}

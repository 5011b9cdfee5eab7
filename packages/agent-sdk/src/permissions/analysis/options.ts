import { literalOf, type Arg } from "./expand.ts";
import { GAP } from "./gaps.ts";
import { once } from "../../utils/once.ts";

/**
 * The options of a program in one line: `a` or `all` takes nothing, `n=` a value, `f=r` a file it reads, `o=w` a file it
 * writes, `color?` a value only behind `=`, `arg=2` two values, `file=2r` a name and a file it reads, `#` stands for numbers (`-20`). What is not listed is not known.
 * Read when the program is met: there are many, and most sessions meet few.
 */
export type OptionList = () => ReadonlyMap<string, OptionKind>;
type OptionKind = "flag" | "value" | "attached" | "pair" | "named read" | "read" | "write";

const KINDS: Record<string, OptionKind> = {
  "": "flag",
  "=": "value",
  "?": "attached",
  "=2": "pair",
  "=2r": "named read",
  "=r": "read",
  "=w": "write",
};

export function optionList(text: string): OptionList {
  return once(
    () =>
      new Map(
        text
          .split(/\s+/)
          .filter((item) => item !== "")
          .map((item) => {
            const [, name = item, kind = ""] = /^(.*?)(=2?r?|=w|\?)?$/.exec(item) ?? [];
            return [name, KINDS[kind] ?? "flag"];
          }),
      ),
  );
}

export interface ParsedArgs {
  operands: Arg[];
  /** Operands behind `--`. */
  afterDashes: Arg[];
  has(...names: string[]): boolean;
  values(...names: string[]): Arg[];
  reads: Arg[];
  writes: Arg[];
  /** An option that is not known, or a word that may become one. */
  doubt: string | undefined;
}

export interface ParseOptions {
  /** No option of the program can do harm, so a file name that looks like one cannot either. */
  harmless?: boolean;
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
    has: (...names) => names.some((name) => found.has(name)),
    values: (...names) => names.flatMap((name) => found.get(name) ?? []),
    reads: [],
    writes: [],
    doubt: undefined,
  };
  // A place in the list instead of a list that shrinks: a line may have hundreds of thousands of words.
  let next = 0;
  const takeNext = (count = args.length) => {
    const taken = args.slice(next, next + count);
    next += taken.length;
    return taken;
  };
  const doubt = (source: string, why = "is not an option that Wave knows") =>
    void (parsed.doubt ??= `${source} ${why}`);
  const take = (name: string, kind: OptionKind | undefined, attached: string | undefined, source: string) => {
    if (kind === undefined) {
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
      if (mayBeOption(arg) && !options.harmless) doubt(arg.source, "may become an option");
      if (!arg.texts.every((one) => one.startsWith("-"))) parsed.operands.push(arg);
      else for (const one of arg.texts) parsed.operands.push(...valueInside(one, arg.source));
      continue;
    }
    if (!text.startsWith("-") || text === "-") {
      if (options.stopAtOperand) {
        for (const operand of [arg, ...takeNext()]) parsed.operands.push(operand);
        break;
      }
      parsed.operands.push(arg);
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
      const rest = text.slice(at + 1);
      if (kind === "flag" || (kind === undefined && rest !== "" && /[A-Za-z]/.test(name))) {
        take(name, kind, undefined, arg.source);
        // Behind an unknown letter the rest may be its value: `-o.wave/x`.
        if (kind === undefined) parsed.operands.push(piece(rest, arg.source));
        continue;
      }
      take(name, kind, rest === "" ? undefined : rest, arg.source);
      break;
    }
  }
  return parsed;
}

const piece = (text: string, source: string): Arg => ({ source, texts: [text], many: false });

function valueInside(text: string, source: string): Arg[] {
  const at = text.indexOf("=");
  return at < 0 ? [] : [piece(text.slice(at + 1), source)];
}

function mayBeOption({ texts }: Arg): boolean {
  return texts.some((text) => text.startsWith("-") || text.startsWith(GAP.any) || text.startsWith(GAP.name));
}

/** A long option may be shortened as long as it is clear. */
function fullName(name: string, known: ReturnType<OptionList>): string {
  if (known.has(name)) return name;
  const candidates = [...known.keys()].filter((option) => option.length > 1 && option.startsWith(name));
  return candidates.length === 1 && name.length > 1 ? (candidates[0] ?? name) : name;
}

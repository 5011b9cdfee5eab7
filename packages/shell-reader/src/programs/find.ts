import { pay } from "../steps.ts";
import { anyArg, plainArg } from "../words/args.ts";
import type { ProgramCall } from "../walk/programCall.ts";
import { literalOf, type Arg } from "../words/expand.ts";
import { everythingBelow, GAP, isLiteral } from "../words/unknownText.ts";
import { lettersIn } from "../shell/scope.ts";

/** Parts of an expression, and the words that each of them takes. */
const TAKES_NOTHING = new Set(
  (
    "-a -and -o -or -not ! ( ) , -daystart -depth -d -delete -empty -executable -false -ignore_readdir_race -mount -nogroup " +
    "-noleaf -nouser -print -print0 -ls -prune -quit -readable -true -warn -nowarn -writable -xdev"
  ).split(" "),
);
const TAKES_WORD = new Set(
  (
    "-amin -atime -cmin -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -mmin -mtime -name " +
    "-path -perm -regex -regextype -size -type -uid -used -user -wholename -xtype -maxdepth -mindepth -printf"
  ).split(" "),
);
/** What people ask find for every day. Only an expression of these is proven. */
const EVERYDAY = new Set(
  (
    "-name -iname -path -ipath -wholename -type -maxdepth -mindepth -size -mtime -mmin -newer -empty -not ! -a -and -o -or ( ) " +
    "-prune -print -print0 -exec"
  ).split(" "),
);
/** `-newermt '1 day ago'` */
const TAKES_TIME = /^-newer[aBcm]t$/;
const LOOKS_AT_FILE = /^-(newer|anewer|cnewer|samefile|newer[aBcm][aBcm])$/;
const WRITES_FILE = /^-(fprint0?|fls|fprintf)$/;
const RUNS = /^-(exec|ok)(dir)?$/;

interface Part {
  word: string;
  /** What stands behind it: a pattern, a file, or the words of a command. */
  values: readonly Arg[];
}

/** Options stand first, then where to start, then the expression, of which every word has to be known. */
export function find(call: ProgramCall): void {
  const { args } = call;
  const options = args.findIndex((arg) => !/^-[HPL]$/.test(literalOf(arg) ?? ""));
  const begins = args.findIndex((arg, at) => at >= options && arg.texts.some(beginsExpression));
  const starts = args.slice(Math.max(options, 0), begins < 0 ? undefined : begins);
  const roots = starts.length > 0 && options >= 0 ? starts : [plainArg(".")];
  for (const root of roots) {
    call.read(root, { below: true });
    // `$X` and `*` may be the beginning of the expression.
    if (root.texts.some((text) => text.startsWith(GAP.any) || text.startsWith(GAP.name)))
      call.unread(`${root.source} may be an action of find`);
  }
  const parts = readExpression(call, begins < 0 ? [] : args.slice(begins));
  if (
    args.slice(0, options).some((arg) => arg.source === "-L") ||
    parts.some(({ word }) => word === "-follow")
  )
    call.read(anyArg("where links lead that find follows"));
  call.prints = listedBy(roots, parts).map((arg) => ({ ...arg, from: "input" }));
  parts.forEach((part, at) => act(call, part, () => foundBy(roots, parts.slice(0, at))));
}

/** As find itself tells where its expression begins. */
const beginsExpression = (text: string) => /^(-.+|[()!,])$/s.test(text);

/** What an action is about takes a look at all parts before it: nobody writes more than this. */
const MOST_PARTS = 300;

function readExpression(call: ProgramCall, words: readonly Arg[]): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < words.length;) {
    const word = literalOf(words[at]) ?? "";
    const takes = countOf(word, words, at);
    if (takes === undefined) {
      call.unread(`${words[at]?.source} is not a known part of find`);
      for (const arg of words) call.mention(arg);
    }
    const values = words.slice(at + 1, at + 1 + (takes ?? 0));
    // One that becomes two words is followed by something else than it seems.
    const several = values.find((value) => value.many && !RUNS.test(word));
    if (several) call.unread(`${several.source} may be an action of find`);
    parts.push({ word, values });
    if (!EVERYDAY.has(word)) call.unproven(`${words[at]?.source} is no everyday part of find`);
    at += 1 + (takes ?? 0);
  }
  if (parts.length > MOST_PARTS) {
    call.beyondReach(`find has more than ${MOST_PARTS} parts`);
    return [];
  }
  return parts;
}

/** How many words belong to the part at this place; undefined for one that is not known. */
function countOf(word: string, words: readonly Arg[], at: number): number | undefined {
  if (TAKES_NOTHING.has(word) || word === "-follow") return 0;
  if (TAKES_WORD.has(word) || TAKES_TIME.test(word) || LOOKS_AT_FILE.test(word) || word === "-files0-from")
    return 1;
  if (WRITES_FILE.test(word)) return word === "-fprintf" ? 2 : 1;
  if (!RUNS.test(word)) return undefined;
  // `;`, or `+` right behind `{}`.
  for (let end = at + 1; end < words.length; end++) {
    const text = literalOf(words[end]);
    if (text === ";" || (text === "+" && literalOf(words[end - 1]) === "{}")) return end - at;
  }
  return words.length - at - 1;
}

function act(call: ProgramCall, { word, values }: Part, found: () => Arg[]): void {
  const [first = anyArg(word)] = values;
  if (LOOKS_AT_FILE.test(word)) call.read(first);
  else if (WRITES_FILE.test(word)) call.write(first);
  else if (word === "-delete") for (const arg of found()) call.write(arg, { away: true });
  else if (word === "-files0-from") {
    call.read(first);
    call.read(anyArg(`what ${first.source} names`));
  } else if (RUNS.test(word)) {
    const isEnded = /^[;+]$/.test(literalOf(values.at(-1)) ?? "");
    if (!isEnded) call.unclear("find has no end of its command");
    if (word.endsWith("dir")) call.unclear(`${word} runs in the folder of each file`);
    const command = isEnded ? values.slice(0, -1) : values;
    call.follow(
      command.flatMap((arg) =>
        arg.texts.some((text) => text.includes("{}")) ? filledIn(arg, found()) : [arg],
      ),
    );
  }
}

/** What find prints, one a line. */
function listedBy(roots: readonly Arg[], parts: readonly Part[]): Arg[] {
  if (parts.some(({ word }) => word === "-printf" || word === "-ls")) return [anyArg("what find prints")];
  const places = parts.flatMap(({ word }, at) => (/^-print0?$/.test(word) ? [at] : []));
  return (places.length > 0 ? places : [parts.length]).flatMap((at) => foundBy(roots, parts.slice(0, at)));
}

/** What find comes across on the way to an action. `-name` says something about it, where every alternative has one. */
function foundBy(roots: readonly Arg[], before: readonly Part[]): Arg[] {
  const isName = ({ word }: Part) => /^-i?name$/.test(word);
  const alternatives: Part[][] = [[]];
  for (const part of before) {
    if (/^(-o|-or|,)$/.test(part.word)) alternatives.push([]);
    else alternatives.at(-1)?.push(part);
  }
  const isNegated = before.some(({ word }) => word === "!" || word === "-not");
  const names = before.filter(isName).flatMap(({ values }) => values);
  const isNamed = alternatives.every((parts) => parts.some(isName));
  if (isNegated || !isNamed || names.some((arg) => arg.texts.some((text) => !isLiteral(text))))
    return roots.map(allOf);
  const patterns = names.flatMap((arg) => arg.texts.map(asGaps));
  return roots.flatMap((root) =>
    patterns.map((pattern): Arg => ({
      source: `${root.source}/…/${pattern.replaceAll(GAP.hidden, "*")}`,
      texts: root.texts.map((text) => `${text}/${GAP.folders}/${pattern}`),
      many: true,
    })),
  );
}

/** Brackets and backslashes are left to find. */
const asGaps = (pattern: string) =>
  /[[\\]/.test(pattern) ? GAP.hidden : pattern.replace(/[*?]+/g, GAP.hidden);

const allOf = ({ source, texts }: Arg): Arg => ({ source, texts: texts.map(everythingBelow), many: true });

/** `{}` in a word becomes what is found. */
export function filledIn(arg: Arg, found: readonly Arg[]): Arg[] {
  for (const { texts } of found) pay(arg.texts.length * lettersIn(texts));
  return found.map((one) => ({
    source: arg.source,
    texts: arg.texts.flatMap((text) => one.texts.map((path) => text.replaceAll("{}", path))),
    many: true,
    ...(one.from && arg.texts.includes("{}") ? { from: one.from } : {}),
  }));
}

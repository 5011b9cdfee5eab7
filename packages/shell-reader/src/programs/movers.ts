import { posix } from "node:path";
import { anyArg, inside, lastName, plainArg } from "../words/args.ts";
import type { Program, ProgramCall } from "../walk/programCall.ts";
import { curl, wget } from "./downloads.ts";
import { literalOf, type Arg } from "../words/expand.ts";
import { GAP } from "../words/unknownText.ts";
import { optionList, parseArgs, type ParsedArgs } from "./options.ts";
import { operandsOf, tar, unpacksHere, unzip, zip } from "./archives.ts";
import { keepsBackup, withSuffix } from "./backups.ts";
import { copyTargets } from "./writers.ts";

const COPY =
  "a b d f H i l L n P p r R s S= t= T u v x Z archive attributes-only backup? copy-contents force interactive link " +
  "dereference no-clobber no-dereference preserve? no-preserve= parents recursive reflink? remove-destination sparse= " +
  "strip-trailing-slashes symbolic-link suffix= target-directory= no-target-directory update? verbose one-file-system context?";

/** The programs of GNU; where others have their names, a `g` stands before them. */
const OF_GNU: Readonly<Record<string, Program>> = {
  cp: (call) =>
    transfer(call, COPY, {
      recursive: ["a", "r", "R", "recursive", "archive"],
      links: ["l", "s", "link", "symbolic-link"],
    }),
  mv: (call) =>
    transfer(
      call,
      "b f i n S= t= T u v Z backup? force interactive no-clobber strip-trailing-slashes suffix= target-directory= no-target-directory update? verbose",
      { moves: true },
    ),
  ln: (call) =>
    transfer(
      call,
      "b d f i L n P r s S= t= T v backup? directory force interactive logical no-dereference physical relative symbolic suffix= target-directory= no-target-directory verbose",
      { linksAlways: true },
    ),
  install,
};

/** Programs that take from one place and put into another. */
export const MOVING: Readonly<Record<string, Program>> = {
  ...OF_GNU,
  ...Object.fromEntries(Object.entries(OF_GNU).map(([name, program]) => [`g${name}`, program])),
  link: (call) => transfer(call, "", { linksAlways: true }),
  dd,
  tar,
  bsdtar: tar,
  gtar: tar,
  unzip,
  zip,
  "7z": unpacksHere,
  "7za": unpacksHere,
  "7zr": unpacksHere,
  "7zz": unpacksHere,
  rar: unpacksHere,
  cpio: (call) => {
    unpacksHere(call);
    call.read(anyArg("what cpio is told"));
  },
  pax: (call) => {
    unpacksHere(call);
    call.read(anyArg("what pax is told"));
  },
  ar: unpacksHere,
  jar: unpacksHere,
  unrar: unpacksHere,
  rsync: (call) => fromElsewhere(call, { below: true }),
  scp: (call) => fromElsewhere(call, {}),
  curl,
  wget,
};

interface TransferKind {
  moves?: boolean;
  recursive?: readonly string[];
  links?: readonly string[];
  linksAlways?: boolean;
}

function transfer(call: ProgramCall, options: string, kind: TransferKind): void {
  const parsed = parseArgs(call.args, optionList(options));
  if (parsed.doubt !== undefined) call.unclear(parsed.doubt);
  const below = kind.moves === true || parsed.has(...(kind.recursive ?? [])) || parsed.doubt !== undefined;
  const links = kind.linksAlways === true || parsed.has(...(kind.links ?? []));
  const { sources, target } = sourcesAndTarget(parsed, kind.linksAlways === true);
  for (const source of sources) {
    if (kind.moves) call.write(source, { below: true, away: true });
    else if (links) call.alias(source);
    else call.read(source, { below });
  }
  const asText = kind.linksAlways === true && parsed.has("s", "symbolic") && !parsed.has("r", "relative");
  if (target && asText) for (const source of sources) linkTo(call, source, target);
  else if (target && (links || below || parsed.has("P", "d", "no-dereference")))
    for (const source of sources)
      for (const at of copyTargets(target, withoutSlash(source))) call.redirects(at, source, "copy");
  place(call, sources, target, below);
  if (target)
    keepsBackup(
      call,
      parsed,
      sources.flatMap((source) => copyTargets(target, source)),
    );
  if (target && parsed.has("parents"))
    for (const source of sources) call.write(inside(target, source), { below });
  // `cp -rT build .`: what is in the one comes to lie in the other, under names that nobody sees.
  if (target && below && parsed.has("T", "no-target-directory"))
    call.write(target, { below: true, through: "archive" });
}

/** What stands in a link counts from the folder that the link is in. */
function linkTo(call: ProgramCall, source: Arg, target: Arg): void {
  for (const at of copyTargets(target, withoutSlash(source))) {
    call.redirects(at, source, "link");
    const folder = { ...at, texts: at.texts.map((text) => posix.dirname(text)) };
    const relative = source.texts.filter((text) => !text.startsWith("/"));
    if (relative.length > 0 && folder.texts.some((text) => text !== "."))
      call.alias(inside(folder, { ...source, texts: relative }), withinOf(target, at));
  }
}

/** `target/name` is there only where the target is a folder. */
function withinOf(target: Arg, at: Arg): { within?: string } {
  const folder = literalOf(target);
  return at === target || folder === undefined ? {} : { within: folder };
}

const withoutSlash = (arg: Arg): Arg => ({
  ...arg,
  texts: arg.texts.map((text) => text.replace(/(?<=[^/])\/+$/, "")),
});

function place(call: ProgramCall, sources: readonly Arg[], target: Arg | undefined, below: boolean): void {
  if (!target) return call.unclear("where it writes is not known");
  // `.` and `x/` are folders that are there: what is written lies in them, under its own name.
  const folder = lastName(target) === undefined;
  call.write(target, { below: below && !folder });
  for (const source of sources) {
    const [, named] = copyTargets(target, source);
    if (named) call.write(named, { below, ...withinOf(target, named) });
    else call.write(target, { below: true, through: "archive" });
  }
}

function sourcesAndTarget(
  parsed: ParsedArgs,
  oneIsEnough: boolean,
): { sources: readonly Arg[]; target: Arg | undefined } {
  const [named] = parsed.values("t", "target-directory");
  if (named) return { sources: parsed.operands, target: named };
  const { operands } = parsed;
  if (operands.length === 1 && oneIsEnough) return { sources: operands, target: plainArg(".") };
  const last = operands.at(-1);
  // `cp $FILES`: the target is in there somewhere.
  if (operands.length === 1 && last?.many) return { sources: operands, target: last };
  return { sources: operands.slice(0, -1), target: last };
}

function install(call: ProgramCall): void {
  const options =
    "b c C D d g= m= o= p s S= t= T v Z backup? compare directory group= mode= owner= preserve-timestamps strip strip-program= suffix= target-directory= no-target-directory verbose";
  const parsed = parseArgs(call.args, optionList(options));
  if (parsed.doubt !== undefined) call.unclear(parsed.doubt);
  if (parsed.has("d", "directory")) return parsed.operands.forEach((arg) => call.write(arg));
  const { sources, target } = sourcesAndTarget(parsed, false);
  for (const source of sources) call.read(source);
  place(call, sources, target, false);
  if (target)
    keepsBackup(
      call,
      parsed,
      sources.flatMap((source) => copyTargets(target, source)),
    );
}

function dd(call: ProgramCall): void {
  for (const arg of call.args) {
    for (const text of arg.texts) {
      const [, name, value = ""] = /^(if|of)=(.*)$/s.exec(text) ?? [];
      const file = { ...arg, texts: [value] };
      if (name === "of") call.write(file);
      else if (name === "if") call.read(file);
      else if (!/^(bs|ibs|obs|count|skip|seek|conv|status|iflag|oflag|cbs)=/.test(text)) {
        call.unclear(`${arg.source} is not a known operand`);
        if (text.startsWith(GAP.any)) call.write(arg);
      }
    }
  }
}

function fromElsewhere(call: ProgramCall, { below = false }: { below?: boolean }): void {
  const operands = operandsOf(call);
  const target = operands.at(-1) ?? anyArg(call.name);
  for (const arg of operands.slice(0, -1)) if (!isRemote(arg)) call.read(arg, { below: true });
  call.unclear(`${call.name} may talk to another machine`);
  call.changes(`${call.name} copies files`);
  if (isRemote(target)) return;
  // `rsync -R a/b c` makes c/a/b.
  const keepsPaths = below && call.args.some(({ source }) => /^-\w*R|^--rel/.test(source));
  if (keepsPaths)
    for (const arg of operands.slice(0, -1)) call.write(inside(target, withoutHost(arg)), { below });
  const suffixes = call.args.flatMap((arg, at) => {
    const texts = arg.texts.flatMap((text) => /^--suffix=(.*)$/s.exec(text)?.[1] ?? []);
    const next = literalOf(arg) === "--suffix" ? call.args[at + 1] : undefined;
    return next ? [next] : texts.length > 0 ? [{ ...arg, texts }] : [];
  });
  for (const suffix of suffixes)
    for (const source of operands.slice(0, -1))
      for (const at of copyTargets(target, withoutHost(source))) call.write(withSuffix(at, suffix));
  if (below)
    for (const source of operands.slice(0, -1))
      for (const at of copyTargets(target, withoutSlash(source)))
        if (!isRemote(source)) call.redirects(at, source, "copy");
  if (below) return call.write(target, { below: true, through: "archive" });
  place(call, operands.slice(0, -1).map(withoutHost), target, false);
}

const isRemote = (arg: Arg) => arg.texts.every((text) => /^[^/]+:/.test(text));
const withoutHost = (arg: Arg): Arg => ({
  ...arg,
  texts: arg.texts.map((text) => text.replace(/^[^/:]*:/, "")),
});

import { anyArg, inside, lastName } from "../words/args.ts";
import type { ProgramCall } from "../walk/programCall.ts";
import { literalOf, type Arg } from "../words/expand.ts";
import { GAP } from "../words/unknownText.ts";
import type { ParsedArgs } from "./options.ts";

/** What was in a file is kept under its name with this behind it: `.npm` and `rc` make `.npmrc`. */
export function withSuffix(file: Arg, suffix: Arg): Arg {
  const texts = file.texts.flatMap((name) => suffix.texts.map((text) => name.replace(/\/+$/, "") + text));
  return { source: `the backup of ${file.source}`, texts, many: file.many || suffix.many };
}

/** The same where a star stands for the old name and a slash leads elsewhere: `sed -i'old/*'`. */
export function editedBackup(file: Arg, suffix: Arg): Arg[] {
  const text = literalOf(suffix);
  if (text === "") return [];
  const name = lastName(file);
  if (text === undefined || name === undefined) return [anyArg(`the backup of ${file.source}`)];
  const kept = (old: string) => (text.includes("*") ? text.replaceAll("*", () => old) : old + text);
  if (text.includes("/")) return [{ ...name, texts: name.texts.map(kept) }];
  const folder = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);
  return [{ ...file, texts: file.texts.map((path) => folder(path) + kept(path.slice(folder(path).length))) }];
}

/** Programs of GNU end the name of a backup as this variable says. */
const SUFFIX_VARIABLE = "SIMPLE_BACKUP_SUFFIX";

/** What cp, mv, ln and install keep of a file that they put another in the place of. */
export function keepsBackup(call: ProgramCall, parsed: ParsedArgs, places: readonly Arg[]): void {
  const named = parsed.values("S", "suffix");
  if (!parsed.has("b", "backup", "S", "suffix")) return;
  const { scope } = call;
  const known = scope.variablesLost ? [GAP.any] : (scope.variables.get(SUFFIX_VARIABLE) ?? []);
  // Numbered ones end in this, too, as do those of which nothing is said.
  const own = { source: SUFFIX_VARIABLE, texts: ["~", ...known], many: false };
  for (const place of places)
    for (const suffix of named.length > 0 ? named : [own]) call.write(withSuffix(place, suffix));
}

/** `patch -b`: beside the suffix a beginning can be given, for the path and for the name. */
export function keepsOriginal(call: ProgramCall, parsed: ParsedArgs, file: Arg): void {
  for (const suffix of parsed.values("z", "suffix")) call.write(withSuffix(file, suffix));
  for (const { texts, many } of parsed.values("B", "prefix"))
    call.write({ ...file, texts: texts.flatMap((text) => file.texts.map((name) => text + name)), many });
  for (const beginning of parsed.values("Y", "basename-prefix")) {
    const name = lastName(file);
    const folder = file.texts.map((text) => text.slice(0, text.lastIndexOf("/") + 1) || ".");
    const texts = beginning.texts.flatMap((text) => (name?.texts ?? []).map((one) => text + one));
    call.write(inside({ ...file, texts: folder }, { ...beginning, texts }));
  }
  const { scope } = call;
  for (const text of scope.variables.get(SUFFIX_VARIABLE) ?? [])
    call.write(withSuffix(file, { source: SUFFIX_VARIABLE, texts: [text], many: false }));
}

import { literalOf, type Arg } from "../words/expand.ts";
import { beginningOf, GAP, isLiteral, isUnknown, placeIn } from "../words/unknownText.ts";
import { inFolders, unchanged, UNKNOWN, withFixed, withVariable, type Ends, type Scope } from "./scope.ts";

/** Builtins that change what the rest of the line means. Undefined: it is none of them. */
export function builtin(name: string, args: readonly Arg[], scope: Scope): Ends | undefined {
  switch (name) {
    case "cd":
    case "chdir":
    case "pushd":
      return { ok: changeFolder(name, args, scope), failed: scope };
    case "popd":
      return { ok: inFolders(scope, UNKNOWN), failed: scope };
    case "export":
    case "declare":
    case "typeset":
    case "local":
    case "readonly":
      return unchanged(declared(name, args, scope));
    case "unset":
    case "read":
    case "readarray":
    case "mapfile":
    case "getopts":
      return unchanged(filled(name, args, scope));
    case "printf":
      // `-v name`, `%n`: only then does it set anything.
      return args.some((arg) =>
        arg.texts.some((text) => mayBeV(text) || COUNTS_LETTERS.test(text) || isUnknown(text)),
      )
        ? unchanged(filled(name, args, scope))
        : undefined;
    case "wait":
      // `-p name`: it is unset first, and then holds a number.
      return args.some((arg) =>
        arg.texts.some((text) => /^-[^nf-]/.test(text) || isUnknown(text[0] ?? "") || !isLiteral(text)),
      )
        ? unchanged(filled(name, args, scope))
        : undefined;
    default:
      return undefined;
  }
}

/** Of a glob such as `-*` nobody knows what it stands for. */
function mayBeV(text: string): boolean {
  const { begins, whole } = beginningOf(text);
  return begins.startsWith("-v") || (!whole && begins === "-");
}

/** A format of `printf` that puts into a variable how much was printed so far. */
const COUNTS_LETTERS = /%[^a-zA-Z%]*n/;

function changeFolder(name: string, args: readonly Arg[], scope: Scope): Scope {
  const words = args.filter((arg) => !/^-[LPe@]+$|^--$|^-n$/.test(literalOf(arg) ?? ""));
  const [target, ...others] = words;
  if (others.length > 0 || (target === undefined && name === "pushd")) return inFolders(scope, UNKNOWN);
  const texts = target === undefined ? (scope.variables.get("HOME") ?? UNKNOWN) : target.texts;
  if (target?.source === "-") return inFolders(scope, scope.variables.get("OLDPWD") ?? UNKNOWN);
  const folders = texts.flatMap((text) =>
    text === ""
      ? scope.folders
      : scope.folders.map((folder) => (searched(text, scope) ? GAP.any : placeIn(folder, text))),
  );
  const moved = inFolders(scope, [...new Set(folders)]);
  // With -P the shell says where links led.
  const physical = args.some((arg) => /^-[Le@]*P/.test(literalOf(arg) ?? ""));
  return physical ? withVariable(moved, "PWD", UNKNOWN) : moved;
}

/** With CDPATH, `cd x` may go to an x somewhere else; with an option, to where a variable of that name says. */
function searched(text: string, scope: Scope): boolean {
  if (scope.expandsOtherwise && !/^(\/|\.\.?(\/|$))/.test(text)) return true;
  const path = scope.variables.get("CDPATH") ?? [""];
  return path.some((value) => value !== "") && !/^(\/|\.\.?(\/|$))/.test(text);
}

/** `-n` makes a second name of a variable; `-l`, `-u` and `-c` make something else of what it is given, also later. */
function changesValues(args: readonly Arg[]): boolean {
  return args.some(({ texts }) =>
    texts.some((text) => /^-[a-zA-Z]*[nluc]/.test(text) || isUnknown(text[0] ?? "")),
  );
}

function assigned(scope: Scope, arg: Arg): Scope {
  const pairs = arg.texts.map((text) => /^(\w+)(\+?)=(.*)$/s.exec(text));
  const name = pairs[0]?.[1];
  if (name === undefined || pairs.some((pair) => pair?.[1] !== name)) return scope;
  const values = pairs.map((pair) => (pair?.[2] === "+" ? GAP.any : (pair?.[3] ?? GAP.any)));
  return withVariable(scope, name, values);
}

function declared(name: string, args: readonly Arg[], scope: Scope): Scope {
  if (changesValues(args)) return { ...scope, variablesLost: true };
  const after = args.reduce(assigned, scope);
  if (name !== "readonly" && !args.some(({ texts }) => texts.some((text) => /^-\w*r/.test(text))))
    return after;
  return args.reduce(
    (known, { texts }) => texts.reduce((all, text) => withFixed(all, /^\w*/.exec(text)?.[0] ?? ""), known),
    after,
  );
}

/** What they set where no name is given, or beside it. */
const BY_ITSELF = ["REPLY", "MAPFILE", "OPTARG", "OPTIND"];

/** Options whose value is no variable. */
const WITH_VALUE: Readonly<Record<string, RegExp>> = {
  read: /^-\w*[pdtnNui]$/,
  mapfile: /^-\w*[dnOsuCc]$/,
  readarray: /^-\w*[dnOsuCc]$/,
};

/** The variables that `read` and the like set to what is not on the line. */
function filled(name: string, args: readonly Arg[], scope: Scope): Scope {
  const options = WITH_VALUE[name];
  const takesValue = (arg: Arg | undefined) => options?.test(literalOf(arg) ?? "") === true;
  const names = args.filter((_, at) => !takesValue(args[at - 1])).flatMap(({ texts }) => texts);
  if (names.some((text) => !isLiteral(text))) return { ...scope, variablesLost: true };
  return [...BY_ITSELF, ...names.flatMap(namesIn)].reduce(
    (known, name) => withVariable(known, name, UNKNOWN),
    scope,
  );
}

/** `x`, `x[0]`, and where an option and its name are one word any end of it: `-vx`, `-rax`. */
function namesIn(text: string): string[] {
  const [, options = "", name] = /^(?:(-\w*)|(\w+))?(?=\[|$)/.exec(text) ?? [];
  if (options === "") return name === undefined ? [] : [name];
  return Array.from(options, (_, at) => options.slice(at + 1)).filter((end) => end !== "");
}

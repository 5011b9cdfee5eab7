import { literalOf, type Arg } from "./expand.ts";
import { GAP, isUnknown, placeIn } from "./gaps.ts";
import { inFolders, unchanged, UNKNOWN, withVariable, type Ends, type Scope } from "./scope.ts";

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
      return unchanged(
        changesValues(args) ? { ...scope, variablesLost: true } : args.reduce(assigned, scope),
      );
    case "unset":
    case "read":
    case "readarray":
    case "mapfile":
    case "getopts":
      return unchanged(args.reduce(forgotten, scope));
    case "printf":
      // `-v name`, `%n`: only then does it set anything.
      return args.some((arg) =>
        arg.texts.some((text) => text.startsWith("-v") || COUNTS_LETTERS.test(text) || isUnknown(text)),
      )
        ? unchanged(args.reduce(forgotten, scope))
        : undefined;
    default:
      return undefined;
  }
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

function forgotten(scope: Scope, arg: Arg): Scope {
  return arg.texts.reduce((known, text) => {
    const name = text.replace(/^-v/, "");
    // `read 'x[0]'` sets x.
    const [variable] = /^\w+(?=\[|$)/.exec(name) ?? [];
    return variable === undefined ? known : withVariable(known, variable, UNKNOWN);
  }, scope);
}

import type { Function as FunctionNode } from "unbash";
import { pay } from "../steps.ts";
import { holdsCommand } from "./rebinding.ts";
import { isSetAlong } from "./bashVariables.ts";
import { isSwitch } from "./switches.ts";
import { GAP } from "../words/unknownText.ts";

/** What is known at one point of a command line. Several values: it depends on what succeeded before. */
export interface Scope {
  /** The working folder. */
  readonly folders: readonly string[];
  readonly variables: ReadonlyMap<string, readonly string[]>;
  readonly functions: ReadonlyMap<string, FunctionNode["body"]>;
  /** Variables that keep their value: setting one of them fails, and the line goes on. */
  readonly fixed?: ReadonlySet<string>;
  /** Some variable has another's value or changes what it is given (`declare -n`, `-l`), or a word sets one: then none is known. */
  readonly variablesLost?: true;
  /** The shell was told to expand otherwise (`shopt -s dotglob`): nothing is known of values, stars and folders. */
  readonly expandsOtherwise?: true;
  /** Every variable that is set reaches programs (`set -a`). */
  readonly exportsAll?: true;
}

const FLAGS = ["variablesLost", "expandsOtherwise", "exportsAll"] as const;

/** What holds of either may hold. */
function flagsOf(one: Scope, other: Scope): Pick<Scope, (typeof FLAGS)[number]> {
  return Object.fromEntries(FLAGS.filter((flag) => one[flag] || other[flag]).map((flag) => [flag, true]));
}

/** How a command may end, and what is known then. `cd x && y` runs y only where x is the folder. */
export interface Ends {
  ok: Scope;
  failed: Scope;
}

/** More possibilities than this are as good as none. */
const MOST = 12;

export const UNKNOWN = [GAP.any];

export const unchanged = (scope: Scope): Ends => ({ ok: scope, failed: scope });

export function either(one: Scope, other: Scope): Scope {
  if (one === other) return one;
  pay(one.variables.size + other.variables.size);
  const names = new Set([...one.variables.keys(), ...other.variables.keys()]);
  const variables = new Map(
    [...names].map((name) => [
      name,
      union(one.variables.get(name) ?? UNKNOWN, other.variables.get(name) ?? UNKNOWN),
    ]),
  );
  return {
    folders: union(one.folders, other.folders),
    variables,
    functions: new Map([...one.functions, ...other.functions]),
    ...(one.fixed || other.fixed ? { fixed: new Set([...(one.fixed ?? []), ...(other.fixed ?? [])]) } : {}),
    ...flagsOf(one, other),
  };
}

export function inFolders(scope: Scope, folders: readonly string[]): Scope {
  const variables = new Map(scope.variables).set("OLDPWD", scope.folders).set("PWD", folders);
  return { ...scope, folders, variables };
}

/** A line that sets more variables than this is nobody's; those beyond are unknown. */
const MOST_VARIABLES = 200;

export function withVariable(scope: Scope, name: string, values: readonly string[]): Scope {
  const changed: Scope = isSwitch(name) ? { ...scope, expandsOtherwise: true } : scope;
  if (scope.variables.size >= MOST_VARIABLES && !scope.variables.has(name)) return changed;
  pay(scope.variables.size);
  const given = isSetAlong(name) ? UNKNOWN : values;
  const before = scope.fixed?.has(name) ? (scope.variables.get(name) ?? UNKNOWN) : [];
  return { ...changed, variables: new Map(scope.variables).set(name, bounded([...before, ...given])) };
}

export const withFixed = (scope: Scope, name: string): Scope => ({
  ...scope,
  fixed: new Set([...(scope.fixed ?? []), name]),
});

/** Behind a command that variables stood in front of: they are what they were. */
export function restored(inner: Scope, names: readonly string[], outer: Scope): Scope {
  const variables = new Map(inner.variables);
  for (const name of names) {
    const before = outer.variables.get(name);
    if (before) variables.set(name, before);
    else variables.delete(name);
  }
  return { ...inner, variables };
}

/** Behind a function: what it set may have been a variable of its own. */
export function behindFunction(before: Scope, after: Scope): Scope {
  if (before.variables === after.variables) return after;
  return { ...after, variables: either(before, after).variables };
}

export function withFunction(scope: Scope, name: string, body: FunctionNode["body"]): Scope {
  return { ...scope, functions: new Map(scope.functions).set(name, body) };
}

/** The same where nothing is known of what has become another; itself where nothing has. */
export function widened(scope: Scope, after: Scope): Scope {
  const moved = after.folders.some((folder) => !scope.folders.includes(folder));
  const changed = [...after.variables].filter(([name, values]) => {
    const before = scope.variables.get(name);
    return !before || values.some((value) => !before.includes(value));
  });
  const flags = flagsOf(scope, after);
  const flagged = FLAGS.every((flag) => flags[flag] === scope[flag]) ? scope : { ...scope, ...flags };
  const placed = moved ? inFolders(flagged, UNKNOWN) : flagged;
  return changed.reduce((wide, [name]) => withVariable(wide, name, UNKNOWN), placed);
}

/** All of one text with all of another. */
export function combined(one: readonly string[], other: readonly string[]): string[] {
  // Comparing texts reads all of them: for a word of thousands of pieces that would take seconds.
  if (one.length === 1 && other.length === 1) {
    pay(1 + (other[0]?.length ?? 0));
    return short([`${one[0]}${other[0]}`]);
  }
  const all = one.flatMap((start) => other.map((end) => start + end));
  pay(lettersIn(all));
  return short(bounded(all));
}

/** As long as a line may be: `a="$a$a"` a few times more, and nothing that looks at the text would come to an end. */
const LONGEST = 131_072;

/** What it costs to look at texts. */
export const lettersIn = (texts: readonly string[]) => texts.reduce((sum, text) => sum + 1 + text.length, 0);

const short = (texts: string[]) => (texts.some((text) => text.length > LONGEST) ? UNKNOWN : texts);

function union(one: readonly string[], other: readonly string[]): string[] {
  return bounded([...one, ...other]);
}

function bounded(values: readonly string[]): string[] {
  const different = [...new Set(values)];
  return different.length > MOST ? UNKNOWN : different;
}

/** Several ways on which one may have come. */
export function joined(all: readonly Ends[]): Ends {
  return all.reduce((one, other) => ({
    ok: either(one.ok, other.ok),
    failed: either(one.failed, other.failed),
  }));
}

/** Another process knows the folder and the environment; which of the variables that were set, nobody knows, and no function. */
export function ofChild(scope: Scope): Scope {
  pay(scope.variables.size);
  const variables = new Map(
    [...scope.variables].map(([name, values]) => [name, KNOWN_TO_CHILD.has(name) ? values : UNKNOWN]),
  );
  const lost = scope.variablesLost || scope.expandsOtherwise;
  return {
    folders: scope.folders,
    variables,
    functions: new Map(),
    ...(lost ? { variablesLost: true } : {}),
  };
}

const KNOWN_TO_CHILD = new Set(["HOME", "PWD", "TMPDIR"]);

/** Why counting with variables may run something. */
export function commandInNumbers({ variables }: Scope): string | undefined {
  return [...variables.values()].some((values) => values.some(holdsCommand))
    ? "bash runs commands that it finds in numbers"
    : undefined;
}

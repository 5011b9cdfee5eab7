import type { ArithmeticExpression, Assignment, Command, Word } from "unbash";
import { OF_BASH } from "./bashVariables.ts";
import { isPlainVariable, PROGRAM_VARIABLE } from "../programs/embeddedCommands.ts";
import { isSpelledOut } from "../words/computedNames.ts";
import { reboundByVariable } from "./rebinding.ts";
import { literal, readWord } from "../words/words.ts";

/** What programs look at, by the names they begin with. */
const OF_PROGRAMS =
  /^_|^(APT|AWK|AWS|AZURE|BUN|BUNDLE|CARGO|CC|CFLAGS|CMAKE|COMPOSER|COREPACK|CURL|CXX|DENO|DOCKER|DOTNET|DYLD|ELECTRON|ESLINT|GCC|GCONV|GEM|GH|GIT|GITHUB|GLIBC|GNU|GO|GOOGLE|GRADLE|GREP|HTTPS?|JAVA|JDK|JEST|JQ|JVM|KUBE|LD|LDFLAGS|LESS|LUA|MAKE|MALLOC|MAVEN|MOCHA|NIX|NO_PROXY|NODE|NPM|NVM|NYC|OPENSSL|PERL|PHP|PIP|PKG|PLAYWRIGHT|PNPM|POETRY|PUPPETEER|PY|RUBY|RUST|RIPGREP|SBT|SHELL|SSH|SSL|SUDO|TAR|TERM|TF|TS|TSX|UV|VIRTUAL_ENV|VITE|VITEST|WAVE|WEBPACK|WGET|XDG|YARN|ZSH)(?=$|_|[A-Z]*(_|PATH|OPTS|OPTIONS|FLAGS|HOME|RC)|OPTION)|proxy$|^npm_/i;

/** A name that says something only to the line itself: neither bash nor a program is known to look at it. */
export function isOwnName(name: string): boolean {
  return (
    /^[A-Za-z]\w*$/.test(name) &&
    !OF_BASH.test(name) &&
    !OF_PROGRAMS.test(name) &&
    !PROGRAM_VARIABLE.test(name) &&
    reboundByVariable(name) === undefined
  );
}

/** `F=README.md` on its own: it stays in the shell, as long as no variable of that name was in its environment. */
function setsOwnVariable({ name, value, append, index }: Assignment): boolean {
  return isOwnName(name) && value.type !== "ArrayValue" && !append && !index;
}

/** What anybody may see of the environment: where programs lie, who works here, and what bash counts. */
export const isPublicName = (name: string) =>
  /^(PATH|USER|LOGNAME|SHELL|LANG|TERM|EDITOR|HOSTNAME|OSTYPE|HOSTTYPE|BASH_VERSION|NODE_ENV|CI|TZ|PIPESTATUS|RANDOM|SECONDS|LINENO|PPID|E?UID|EPOCHSECONDS|SHLVL)$/.test(
    name,
  );

/** Numbers and words that switch something on or off: no program can be told by them what to load or run. */
const SWITCH = /^(\d{1,9}|true|false|yes|no|on|off)$/;

/**
 * `export CI=1 FOO=1`, and no word that would make anything else of it. It reaches all programs behind it, so it has to be
 * as plain as what stands before one of them. No loop sets such a name: those are lower-case.
 */
const exportsPlainly = (args: readonly (Word | Assignment)[]) =>
  args.length > 0 &&
  args.every(
    (arg) => arg.type === "Assignment" && (isPlainVariable(arg) || (setsOwnVariable(arg) && isSwitch(arg))),
  );

const isSwitch = ({ name, value }: Assignment) =>
  /^[A-Z][A-Z0-9]*$/.test(name) && value.type !== "ArrayValue" && SWITCH.test(literal(readWord(value)) ?? "");

/** The variables that `read` fills, where it does nothing else; undefined when it may. */
export function filledByRead(words: readonly (string | undefined)[]): string[] | undefined {
  let at = 0;
  for (; words[at]?.startsWith("-"); at++) {
    const word = words[at] ?? "";
    if (/^-[rs]*[dnNtp]$/.test(word) && words[at + 1] !== undefined) at++;
    else if (!/^-[rs]+$/.test(word)) return undefined;
  }
  const names = words.slice(at).map((word) => word ?? "");
  return names.length > 0 && names.every(isOwnName) ? names : undefined;
}

/** How far a command that sets variables or switches keeps to the shell, as those do that people write every day. */
export interface OwnParts {
  /** Assignments of which no program gets anything that could matter to it. */
  assignments: Assignment[];
  /** Variables that are set, and programs see it where the environment has them. */
  assigned: string[];
  exported: string[];
  /** A builtin that changes the shell changes no meaning by this call. */
  keepsToItself: boolean;
}

export function ownParts({ name, prefix, args }: Command): OwnParts {
  const before = prefix.filter((part) => part.type === "Assignment");
  const words = args.map((arg) => literal(readWord(arg)));
  const none: OwnParts = { assignments: [], assigned: [], exported: [], keepsToItself: false };
  switch (name?.text) {
    case undefined: {
      const assignments = before.filter(setsOwnVariable);
      return { ...none, assignments, assigned: assignments.map((one) => one.name) };
    }
    case "set":
      return { ...none, keepsToItself: switchesPlainly(words) };
    case "read": {
      const assigned = filledByRead(words);
      const assignments = before.filter(cutsLine);
      return { ...none, assignments, assigned: assigned ?? [], keepsToItself: assigned !== undefined };
    }
    case "export": {
      if (!exportsPlainly(args)) return none;
      const assignments = args.filter((arg) => arg.type === "Assignment");
      const exported = assignments.map((one) => one.name);
      return { ...none, assignments, exported, keepsToItself: true };
    }
    default:
      return none;
  }
}

/** `IFS= read x`: where one line is cut. */
const cutsLine = ({ name, value, append, index }: Assignment) =>
  name === "IFS" && value.type !== "ArrayValue" && isSpelledOut(value) && !append && !index;

/** What `set` may switch without changing which commands run: where the line ends, and what is printed on the way. */
export function switchesPlainly(words: readonly (string | undefined)[]): boolean {
  for (let at = 0; at < words.length; at++) {
    const [, letters, named] = /^[-+]([eux]*)(o?)$/.exec(words[at] ?? "") ?? [];
    if (letters === undefined || `${letters}${named}` === "") return false;
    if (named && !/^(pipefail|errexit|nounset|xtrace)$/.test(words[++at] ?? "")) return false;
  }
  return words.length > 0;
}

/** The names that a sum counts with; undefined when it does more than count with names and numbers. */
export function namesInSum(sum: ArithmeticExpression | undefined): string[] | undefined {
  if (!sum) return undefined;
  switch (sum.type) {
    case "ArithmeticWord": {
      const [, name] = /^\$?(?:([A-Za-z_]\w*)|\{[A-Za-z_]\w*\})$/.exec(sum.value) ?? [];
      if (name !== undefined) return [name];
      return /^\d+$/.test(sum.value) ? [] : undefined;
    }
    case "ArithmeticGroup":
      return namesInSum(sum.expression);
    case "ArithmeticUnary":
      return /^[-+!~]$/.test(sum.operator) ? namesInSum(sum.operand) : undefined;
    case "ArithmeticBinary":
      return COUNTS.has(sum.operator) ? together([sum.left, sum.right]) : undefined;
    case "ArithmeticTernary":
      return together([sum.test, sum.consequent, sum.alternate]);
    default:
      return undefined;
  }
}

const COUNTS = new Set("+ - * / % ** << >> < > <= >= == != & | ^ && ||".split(" "));

function together(sums: readonly ArithmeticExpression[]): string[] | undefined {
  const names = sums.map(namesInSum);
  return names.every((one) => one !== undefined) ? names.flat() : undefined;
}

/** A number on the line, or one that bash counts. */
export function isNumber(word: Word): boolean {
  const [part, ...others] = word.parts ?? [];
  if (part?.type === "ArithmeticExpansion" && others.length === 0) return true;
  return /^\d{1,15}$/.test(literal(readWord(word)) ?? "");
}

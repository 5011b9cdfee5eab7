import { posix } from "node:path";
import { pay } from "../steps.ts";
import { isStream } from "../words/unknownText.ts";
import { WRAPPERS } from "./wrapperTable.ts";
import { embeddedBy } from "./embeddedCommands.ts";
import { literal, plainWord, type ShellWord, type SimpleCommand } from "../words/words.ts";

export const SHELLS: ReadonlySet<string> = new Set(
  "bash sh dash ash zsh ksh mksh rbash yash fish csh tcsh".split(" "),
);

/** Programs and builtins whose arguments name another command to run. */
const RUNNERS = new Set(
  (
    "env sudo doas su runuser nice nohup time timeout command builtin exec eval trap xargs find fd fdfind parallel stdbuf " +
    "setsid setpriv ionice chrt taskset chroot unshare nsenter watch busybox toybox script strace ltrace flock systemd-run " +
    "prlimit ssh-agent dbus-run-session bwrap tmux screen ld.so"
  ).split(" "),
);

const SEARCHERS = new Set(["find", "fd", "fdfind"]);

/** They run a file or text that is not on the line. */
const SOURCING = new Set(["source", "."]);

/** A longer run of arguments than this is not searched for a command; the line counts as not understood. */
const MAX_STARTS = 64;

export interface Hidden {
  commands: SimpleCommand[];
  /** Text that a shell will read. */
  scripts: string[];
  /** Why a program may run that is not among them. */
  doubt: string | undefined;
  /** The same of a program that people use to read. */
  unread?: string;
  /** Why any program may run: a script that nobody can see. */
  anything?: string | undefined;
}

/**
 * Everything a command may run through its arguments, for rules that hold back. Options are not understood here: each
 * argument may be where the inner command begins, and each argument with a blank may be text for a shell. That names too
 * much (`sudo echo rm` names rm), which for a deny is the right side to err on.
 */
export function hiddenIn(command: SimpleCommand): Hidden {
  const program = programName(command);
  if (program !== undefined && SOURCING.has(program)) {
    const doubt = `${program} runs a file that is not read`;
    return { commands: [], scripts: [], doubt, anything: unseenScript(program, command.slice(1)) };
  }
  if (program === undefined) return NOTHING_HIDDEN;
  if (!SHELLS.has(program) && !RUNNERS.has(program))
    return HIDING.has(program)
      ? hiddenBehind(program, command.slice(1))
      : embeddedBy(program, command.slice(1));

  const rest = afterOwnArguments(program, command.slice(1));
  const shell = shellBehind(command);
  const doubt = doubtAbout(program, rest) ?? (shell && doubtAbout(shell.name, shell.words));
  const anything = unseenScript(program, rest) ?? (shell && unseenScript(shell.name, shell.words));
  const texts = rest.map(literal).filter((text) => text !== undefined);
  if (SHELLS.has(program))
    return { commands: [], scripts: texts.filter((text) => !text.startsWith("-")), doubt, anything };
  const attached = texts.flatMap(attachedValue);
  // A lone `;` is the end of what find runs.
  const scripts = [...texts, ...attached].filter((text) => /[\s;|&]/.test(text) && text !== ";");
  if (program === "eval") scripts.push(rest.map((word) => literal(word) ?? word.text).join(" "));
  pay(MAX_STARTS * rest.length);
  const starts = rest.slice(0, MAX_STARTS).map((_, at) => rest.slice(at));
  return { commands: [...starts, ...attached.map((text) => [plainWord(text)])], scripts, doubt, anything };
}

/** More wrappers around each other than this nobody writes. */
const MAX_WRAPPERS = 8;

/** `nice env X=1 bash -c …`: a shell whose text is not known may run anything, also behind programs that only start it. */
function shellBehind(command: SimpleCommand): { name: string; words: SimpleCommand } | undefined {
  let inner = command;
  for (let depth = 0; depth < MAX_WRAPPERS; depth++) {
    const inside = lookInside(inner);
    if (inside.holds !== "command") return undefined;
    // Without what xargs adds: a script that is given more words is still that script.
    inner = inner.slice(inside.at);
    const name = programName(inner) ?? "";
    if (SHELLS.has(name)) return { name, words: inner.slice(1) };
  }
  return undefined;
}

/** Wrappers of which an allow rule need not know, since what they run is mostly the project's own. */
const HIDING: ReadonlySet<string> = new Set(Object.keys(WRAPPERS));

function hiddenBehind(program: string, args: SimpleCommand): Hidden {
  const { scripts, commands, doubt } = embeddedBy(program, args);
  const rest = args.slice(0, MAX_STARTS);
  const texts = rest.flatMap((word) => literal(word) ?? []);
  return {
    commands: [...commands, ...rest.map((_, at) => rest.slice(at))],
    scripts: [
      ...scripts,
      ...[...texts, ...texts.flatMap(attachedValue)].filter((text) => /[\s;|&]/.test(text)),
    ],
    doubt,
  };
}

/** `<(x)` */
const PROCESS = /^[<>]\(/;

/** `eval "$(x)"`, `source <(x)`, `bash -c "$X"`: what runs is made while the line runs. */
function unseenScript(program: string, rest: SimpleCommand): string | undefined {
  const isMade = (word: ShellWord) =>
    word.known.length > 1 && (/\$\(|`/.test(word.text) || word.known.every((piece) => piece === ""));
  const found = SOURCING.has(program)
    ? PROCESS.test(rest[0]?.text ?? "") || isStream(rest[0]?.known[0] ?? "")
    : SHELLS.has(program)
      ? rest.some((word) => PROCESS.test(word.text)) ||
        (rest.some((word) => /^-\w*c/.test(literal(word) ?? "")) && rest.some(isMade))
      : program === "eval" && rest.some((word) => word.known.length > 1);
  return found ? `${program} runs text that is not known yet` : undefined;
}

/** `--split-string=x`, `-Sx`, `PAGER=x`: a command may stand in the same word as what it is for. */
function attachedValue(text: string): string[] {
  const value = /^(?:--?)?[\w-]+=(.+)$/s.exec(text)?.[1] ?? /^-\w(.+)$/s.exec(text)?.[1];
  return value === undefined ? [] : [value];
}

const NOTHING_HIDDEN: Hidden = { commands: [], scripts: [], doubt: undefined };

/** find and fd search with most of their arguments; a command stands only behind the option that runs one. */
function afterOwnArguments(program: string, rest: SimpleCommand): SimpleCommand {
  if (!SEARCHERS.has(program)) return rest;
  const at = rest.findIndex((word) =>
    /^(-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(literal(word) ?? ""),
  );
  return at < 0 ? [] : rest.slice(at + 1);
}

function doubtAbout(program: string, rest: SimpleCommand): string | undefined {
  if (rest.length > MAX_STARTS) return `${program} has too many arguments to find the command among them`;
  if (SHELLS.has(program)) {
    if (rest.some((word) => literal(word) === undefined)) return `${program} runs text that is not known yet`;
    // `curl … | sh`, `bash <<< …`: without a file or -c the text comes from standard input.
    const named = rest.some((word) => !/^-|^\/(dev\/(fd\/|stdin$)|proc\/)/.test(literal(word) ?? ""));
    return named ? undefined : `${program} runs what it reads from its input`;
  }
  if (program === "eval" || program === "trap") {
    return rest.every((word) => literal(word) !== undefined)
      ? undefined
      : `${program} runs text that is not known yet`;
  }
  const first = rest.find((word) => !isOptionOrAssignment(word));
  return first && literal(first) === undefined ? `${first.text} may be any program` : undefined;
}

/** What an allow rule may see through: the place where the inner command begins, when that is certain. */
export type Inside =
  | { holds: "nothing" }
  | { holds: "command"; at: number; command: SimpleCommand; transparent: boolean }
  | { holds: "script"; at: number; script: string; transparent: boolean }
  /** There is something inside, and only a rule that spells out the whole command can cover it. */
  | { holds: "something"; at: number };

/** Wrappers that add nothing of their own: what may run without them may run with them. Not sudo. */
const TRANSPARENT = new Set(["command", "builtin", "nohup", "nice", "time", "timeout", "env"]);

/** An allow looks at the program by the name it was called by: a `nohup` from some other folder is not the known one. */
export function lookInside(command: SimpleCommand): Inside {
  const program = literal(command[0]);
  const name = programName(command);
  if (program === undefined || name === undefined) return { holds: "nothing" };
  if (SHELLS.has(name)) return insideShell(command, program);
  if (!RUNNERS.has(name) || command.length === 1) return { holds: "nothing" };

  // The searchers run nothing unless an option says so, and those options are no allow rule's to give (escapes.ts).
  if (SEARCHERS.has(name)) return { holds: "nothing" };
  if (name === "command" && /^-[vV]$/.test(literal(command[1]) ?? "")) return { holds: "nothing" };
  const at = firstInner(program, command);
  if (at === undefined) return { holds: "something", at: command.length - 1 };
  const inner = program === "xargs" ? [...command.slice(at), FROM_INPUT] : command.slice(at);
  return {
    holds: "command",
    at,
    command: inner,
    transparent: TRANSPARENT.has(program) && (program !== "env" || at === 1),
  };
}

/** xargs adds arguments that nobody can see on the line. */
const FROM_INPUT: ShellWord = { text: "…", known: ["", ""] };

function insideShell(command: SimpleCommand, program: string): Inside {
  const script = literal(command[2]);
  if (literal(command[1]) === "-c" && script !== undefined) {
    return { holds: "script", at: 2, script, transparent: program === "bash" || program === "sh" };
  }
  const plainFile = literal(command[1])?.startsWith("-") === false;
  return plainFile ? { holds: "nothing" } : { holds: "something", at: command.length - 1 };
}

/** Where the inner command begins, in the forms that leave no doubt. */
function firstInner(program: string, command: SimpleCommand): number | undefined {
  if (program === "timeout")
    return /^\d+[smhd]?$/.test(literal(command[1]) ?? "") ? beginsAt(command, 2) : undefined;
  if (program === "nice" && literal(command[1]) === "-n") {
    return /^-?\d+$/.test(literal(command[2]) ?? "") ? beginsAt(command, 3) : undefined;
  }
  if (program === "env") {
    // An option may bring a command along: `--split-string=x`.
    const isAssignment = ({ known: [begins = ""] }: ShellWord) =>
      !begins.startsWith("-") && isGivenTo(begins);
    const at = command.findIndex((word, index) => index > 0 && !isAssignment(word));
    return beginsAt(command, at);
  }
  const simple = TRANSPARENT.has(program) || program === "sudo" || program === "doas" || program === "xargs";
  return simple ? beginsAt(command, 1) : undefined;
}

function beginsAt(command: SimpleCommand, at: number): number | undefined {
  const text = literal(command[at]);
  return text === undefined || text.startsWith("-") ? undefined : at;
}

/** env takes every word with a `=` for a variable, whatever its name: `env X+=1 x` and `env a.b=1 x` run x. `begins`: what is known. */
export const isGivenTo = (begins: string): boolean => begins.includes("=");

function isOptionOrAssignment(word: ShellWord): boolean {
  return word.text.startsWith("-") || isGivenTo(word.known[0] ?? "");
}

/** The loader of programs runs any of them, and has another name on each kind of machine. */
export const plainName = (name: string) =>
  /^ld(-linux.*|-musl.*|64|-\d[\d.]*)?\.so(\.\d+)?$/.test(name) ? "ld.so" : name;

/** The program without its folder: `/bin/rm` and `rm` are one program to a rule that holds back. */
export function programName(command: SimpleCommand): string | undefined {
  const program = literal(command[0]);
  return program === undefined ? undefined : plainName(posix.basename(program));
}

/** Options of git that stand before its subcommand and take a value of their own. */
const GIT_VALUE_OPTIONS = new Set(
  "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path --attr-source".split(" "),
);

/** The command as rules that hold back compare it: no folder before the program, no options between git and its subcommand. */
export function bareCommand(command: SimpleCommand): SimpleCommand {
  const program = programName(command);
  if (program === undefined) return withoutFolder(command);
  const rest = command.slice(1);
  if (program !== "git") return [plainWord(program), ...rest];
  let at = 0;
  for (let option = literal(rest[at]); option?.startsWith("-"); option = literal(rest[at])) {
    at += GIT_VALUE_OPTIONS.has(option) ? 2 : 1;
  }
  return [plainWord(program), ...rest.slice(at)];
}

/** `/usr/bin/cur?`: what is known of the name alone. Of `$DIR/$NAME` nothing is, and the words of the line decide. */
function withoutFolder(command: SimpleCommand): SimpleCommand {
  const [word, ...rest] = command;
  if (!word) return command;
  const at = word.known.findLastIndex((piece) => piece.includes("/"));
  const [first = "", ...others] = word.known.slice(Math.max(at, 0));
  const known = [first.slice(first.lastIndexOf("/") + 1), ...others];
  const nothing = known.every((piece) => piece === "") && !/[*?[]/.test(word.text);
  return nothing ? command : [{ text: word.text, known }, ...rest];
}

import { SYSTEM_PROGRAM } from "./embeddedCommands.ts";
import { namesProgram } from "./git/runs.ts";
import { switchesPlainly } from "../shell/ownVariables.ts";
import { holdsCommand } from "../shell/rebinding.ts";
import { plainArg } from "../words/args.ts";
import type { Program, ProgramCall } from "../walk/programCall.ts";
import { literalOf } from "../words/expand.ts";
import { placeIn } from "../words/unknownText.ts";
import { gitProgram } from "./git/git.ts";
import { MOVING } from "./movers.ts";
import { optionList, parseArgs } from "./options.ts";
import { READING } from "./readers.ts";
import { inFolders, UNKNOWN } from "../shell/scope.ts";
import { SCRIPTED } from "./scripts.ts";
import { COMMAND_BEHIND } from "./wrapperTable.ts";
import { runsEmbedded, runsFile, runsForeignCode, runsText, shellFor, wrapperFor } from "./wrapped.ts";
import { asksForVersion } from "./versions.ts";
import { WRITING } from "./writers.ts";

/** Builtins that touch no file and still change what the rest of the line means. */
const SHELL_STATE = new Set(
  "set shopt alias unalias enable hash bind umask ulimit shift trap let fc".split(" "),
);

/** One program: the table that knows it speaks. */
export function runProgram(call: ProgramCall, path: string): void {
  // One of that name in another folder may be anything.
  if (path.includes("/") && !SYSTEM_PROGRAM.test(path)) {
    runsFile(call, plainArg(path));
    call.unknown(`${path} may be any program`);
  } else if (path.includes("/")) call.changes(`${path} is called by its path`);
  const program = programFor(call.name);
  if (asksForVersion(call)) return;
  if (program) program(call);
  else call.unknown(`${call.name} is not a known program`);
  if (!Object.hasOwn(SCRIPTED, call.name)) runsEmbedded(call, isKnown);
  runsForeignCode(call);
}

function programFor(name: string): Program | undefined {
  if (name === "git") return git;
  if (name === "source" || name === ".") return source;
  if (name === "complete" || name === "compgen") return completion;
  if (SHELL_STATE.has(name)) return shellState;
  return PROGRAMS.get(name) ?? shellFor(name) ?? wrapperFor(name, isKnown);
}

/** Each program stands in one of the tables. */
const PROGRAMS: ReadonlyMap<string, Program> = new Map(
  [READING, WRITING, MOVING, SCRIPTED].flatMap((table) => Object.entries(table)),
);

export const isKnown = (name: string) => programFor(name) !== undefined || COMMAND_BEHIND.has(name);

const COMPLETION = optionList("a b c d e f g j k s u v p r D E I o= A= G= W= F= C= X= P= S= V= ");

/** What may complete a word: a command, a function, and words in which bash fills in what stands there. */
function completion(call: ProgramCall): void {
  const parsed = parseArgs(call.args, COMPLETION);
  if (parsed.doubt !== undefined) call.opaque(parsed.doubt);
  for (const arg of parsed.values("C")) runsText(call, [arg]);
  for (const arg of parsed.values("F")) call.follow([arg]);
  if (parsed.values("W").some(({ texts }) => texts.some(holdsCommand)))
    call.beyondReach(`${call.name} runs commands that it finds in its words`);
  shellState(call);
}

function shellState(call: ProgramCall): void {
  if (call.name === "set" && switchesPlainly(call.args.map(literalOf))) return;
  call.unclear(`${call.name} changes the shell itself`);
}

function source(call: ProgramCall): void {
  const [file] = call.args;
  if (file) runsFile(call, file);
  call.unclear(`${call.name} runs a file that is not read`);
}

const GIT = optionList(
  "c= C= p P h v bare config-env= exec-path? git-dir= glob-pathspecs help html-path icase-pathspecs info-path list-cmds= " +
    "literal-pathspecs man-path namespace= no-optional-locks no-pager no-replace-objects noglob-pathspecs paginate version work-tree= " +
    "no-advice attr-source= super-prefix=",
);

/** Settings that make another work tree, or another revision, out of the same words. */
const CHANGES_TREES =
  /^(core\.(worktree|bare|sparse\w*|ignorecase|symlinks)|submodule|include|includeif|alias|checkout|branch|remote|extensions|filter)\b/i;

/** Options before the subcommand say where git works, and may name programs that it runs. */
function git(call: ProgramCall): void {
  const parsed = parseArgs(call.args, GIT, { stopAtOperand: true });
  const [subcommand, ...rest] = parsed.operands;
  const [folder, ...others] = parsed.values("C");
  const elsewhere =
    parsed.has("bare", "git-dir", "work-tree", "namespace", "attr-source") ||
    others.length > 0 ||
    [...call.scope.variables.keys()].some((name) => name.startsWith("GIT_"));
  if (parsed.has("c", "config-env", "exec-path", "h", "help", "p", "paginate"))
    call.unclear("git is told which programs to run");
  if (parsed.values("c").some((arg) => arg.texts.some(namesProgram)))
    call.beyondReach("git is told which programs to run");
  // Many settings name a file that git then reads.
  for (const arg of parsed.values("c"))
    call.mention({ ...arg, texts: arg.texts.map((text) => text.replace(/^[^=]*=?/, "")) });
  if (parsed.has("icase-pathspecs")) call.git.lost();
  // What git is asked beforehand it would answer without these.
  if (parsed.values("c", "config-env").some((arg) => CHANGES_TREES.test(literalOf(arg) ?? "core.worktree")))
    call.git.lost();
  if (elsewhere) call.unclear("git works in a place that is named on the line");
  if (parsed.doubt !== undefined) call.opaque(parsed.doubt);
  if (parsed.has("version", "v") && subcommand === undefined) return;
  const folders = call.scope.folders.flatMap(
    (outer) => folder?.texts.map((text) => placeIn(outer, text)) ?? [outer],
  );
  gitProgram(call.in(inFolders(call.scope, elsewhere ? UNKNOWN : folders)), subcommand, rest);
}

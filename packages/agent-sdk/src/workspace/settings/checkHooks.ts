import { statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { foldersIn } from "../../hooks/command.ts";
import type { HookAction, HookDefinition } from "../../hooks/definition.ts";
import { HOOK_EVENTS } from "../../hooks/events.ts";
import { checkMatcher, compileMatcher } from "../../hooks/matcher.ts";
import { matchableValues } from "../../hooks/plan.ts";
import { quoted } from "../../utils/quoted.ts";
import { mayExecute } from "../files/fileFacts.ts";
import type { SettingsProblem } from "./problem.ts";
import { leadingWords } from "./commandWords.ts";

export interface CheckHooksOptions {
  knownTools: readonly string[];
  projectDir: string;
  /** The environment hooks will run in. */
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * What can be seen before the first event: matchers that match nothing, and programs that are not there. All of them
 * warnings, since a tool may be added and a program installed before the hook is needed.
 */
export function checkHooks(hooks: readonly HookDefinition[], options: CheckHooksOptions): SettingsProblem[] {
  const groups = new Map(hooks.map((hook) => [`${hook.source.file} ${groupOf(hook)}`, hook]));
  const matchers = [...groups.values()].flatMap((hook) => {
    const problem = matcherProblem(hook, options);
    return problem === undefined ? [] : [warningAt(hook, `${groupOf(hook)}.matcher`, problem)];
  });
  return [...matchers, ...missingPrograms(hooks, options)];
}

export function missingPrograms(
  hooks: readonly HookDefinition[],
  options: CheckHooksOptions,
): SettingsProblem[] {
  return hooks.flatMap((hook) => {
    const problem = programProblem(hook, options);
    return problem === undefined
      ? []
      : [warningAt(hook, hook.source.path, `hook ${quoted(hook.name)} cannot start: ${problem}`)];
  });
}

/**
 * Why a hook will not run, as far as that can be seen before the first event; undefined for a hook that will. For whoever
 * counts hooks: what is written down and what guards are two numbers.
 */
export function whyNeverRuns(hook: HookDefinition, options: CheckHooksOptions): string | undefined {
  return hook.action.neverRuns ?? deadMatcher(hook, options) ?? programProblem(hook, options);
}

function deadMatcher(hook: HookDefinition, options: CheckHooksOptions): string | undefined {
  const problem = matcherProblem(hook, options);
  const matcher = compileMatcher(hook.matcher);
  if (problem === undefined || "problem" in matcher) return problem;
  // Also a matcher that matches may have a near miss among its items, which is worth a warning and no more.
  const known = matchableValues(hook.event, options.knownTools, hook);
  return known.some((value) => matcher.test(value, known)) ? undefined : problem;
}

function matcherProblem(hook: HookDefinition, { knownTools }: CheckHooksOptions): string | undefined {
  const { matchOn } = HOOK_EVENTS[hook.event];
  return matchOn && checkMatcher(hook.matcher, matchableValues(hook.event, knownTools, hook), WHAT[matchOn]);
}

function programProblem({ action, env }: HookDefinition, options: CheckHooksOptions): string | undefined {
  return checkProgram(action, { ...options, env: { ...options.env, ...env } });
}

/** The path of the group a hook stands in: its hooks share one matcher, and one word about it is enough. */
function groupOf({ source }: HookDefinition): string {
  return source.path.replace(/\.hooks(\[\d+\])?$/, "");
}

const WHAT = {
  tool_name: "tool",
  source: "source",
  reason: "reason",
  agent_type: "sub-agent",
  notification_type: "type of notification",
  trigger: "trigger",
  error: "error",
  load_reason: "reason",
  command_name: "command",
  model: "model",
  to_model: "model",
  mcp_server_name: "MCP server",
} as const;

/** Programs whose first argument is the script that matters. */
const INTERPRETERS: ReadonlySet<string> = new Set([
  "bash",
  "sh",
  "zsh",
  "dash",
  "python",
  "python3",
  "node",
  "ruby",
  "perl",
  "php",
]);

/** Words a shell answers itself. After them the program stands somewhere Wave does not look for it. */
const SHELL_WORDS: ReadonlySet<string> = new Set(
  `. : [ [[ ! { alias break builtin case cd command continue declare echo eval exec exit export false for function getopts
  hash if jobs kill let local popd printf pushd pwd read readonly return select set shift shopt source test time times trap
  true type ulimit umask unset until wait while`.split(/\s+/),
);

function checkProgram(
  { command, noShell }: HookAction,
  { projectDir, env }: CheckHooksOptions,
): string | undefined {
  if (command === undefined) return undefined;
  const whole = command.trim();
  // A command that names a file is run as that file, also with spaces in its path.
  if (isFile(resolve(projectDir, whole))) return checkExecutable(whole, projectDir);

  const certain = {
    ...foldersIn({ projectDir, env }),
    ...(env["HOME"] && { HOME: env["HOME"] }),
  };
  const [program, script] = leadingWords(whole, certain);
  if (program === undefined || program === "") return undefined;
  if (!noShell && SHELL_WORDS.has(program)) return undefined;
  if (program.includes("/")) return checkExecutable(program, projectDir);
  if (!isOnPath(program, projectDir, env["PATH"])) return `no program ${quoted(program)} on the PATH`;
  const isScript = INTERPRETERS.has(program) && script !== undefined && /^[^-].*\.\w+$/s.test(script);
  return !isScript || isFile(resolve(projectDir, script)) ? undefined : `no such file: ${script}`;
}

function checkExecutable(path: string, projectDir: string): string | undefined {
  const file = resolve(projectDir, path);
  if (!isFile(file)) return `no such file: ${path}`;
  return mayExecute(file) ? undefined : `not executable: ${path} (chmod +x makes it so)`;
}

function isOnPath(program: string, projectDir: string, path: string | undefined): boolean {
  // Without a PATH the shell has a default of its own, which Wave does not know.
  if (path === undefined) return true;
  const folders = path
    .split(delimiter)
    .map((folder) => (isAbsolute(folder) ? folder : resolve(projectDir, folder)));
  return folders.some((folder) => isFile(join(folder, program)) && mayExecute(join(folder, program)));
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // Not there, not to be seen, or a whole shell program that is no possible name of a file.
    return false;
  }
}

function warningAt({ source }: HookDefinition, path: string, message: string): SettingsProblem {
  return { severity: "warning", file: source.file, line: source.line, path, message };
}

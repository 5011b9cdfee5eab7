import { accessSync, constants, statSync } from "node:fs";
import { type FileKind, planCommand, unquotedFolderHint } from "../command.ts";
import { isOfProject, type HookAction } from "../definition.ts";
import { dialectOf } from "../dialects/index.ts";
import type { HookEventRow } from "../eventRow.ts";
import { HOOK_EVENTS } from "../events.ts";
import { planExec } from "../execForm.ts";
import type { HookExecutionResult } from "../result.ts";
import { hookVariables } from "../../utils/environment.ts";
import { fileStart } from "../../workspace/files/plainFile.ts";
import { didNotRun, type HookCall } from "./call.ts";
import type { ProcessRequest, ProcessRun } from "../../services/process.ts";
import { startIn } from "../../workspace/sandbox/sandbox.ts";

/** Bytes kept of each stream. What reaches a model is bounded again, much lower. */
const KEEP_BYTES = 1024 * 1024;

export interface StartedCommand {
  line: string;
  how: "shell" | "exec";
  compiled: HookAction["compiled"];
}

/** Runs a hook's command in the project's root: input on stdin, no terminal, no profile, nothing pasted into its text. */
export async function runCommand(call: HookCall, command: StartedCommand): Promise<HookExecutionResult> {
  const { context, hook } = call;
  const { line, how } = command;
  const hookArgs = () => HOOK_EVENTS[call.event].args(context.input);
  const planned = commandRequest(call, command, startPlace(call, command), hookArgs);
  if ("why" in planned) return didNotRun("not-started", `was not started: ${planned.why}`);

  const { request, argsCut } = planned;
  const started = startIn(context.sandbox, hook.sandbox ?? "off", {
    ...request,
    stdin: call.line,
    timeoutMs: call.timeoutMs,
    keepBytes: KEEP_BYTES,
    ...(context.signal && { signal: context.signal }),
  });
  const result = { ...resultOf(await started.done), ...(argsCut && { argsCut: true }) };
  return how === "exec" ? result : withHint(result, unquotedFolderHint(line, context.projectDir));
}

/** In what a process for this call would be started. */
export const startPlace = (call: HookCall, command: StartedCommand) => ({
  cwd: startFolder(call),
  env: hookEnvironment(call, command),
});

/** What is started for a hook, or why nothing can be. `hookArgs` are what its command reads as `$1`, `$2`, … */
export function commandRequest(
  call: HookCall,
  command: StartedCommand,
  { cwd, env }: ReturnType<typeof startPlace>,
  hookArgs: () => readonly string[],
):
  | { request: Pick<ProcessRequest, "file" | "args" | "cwd" | "env" | "register">; argsCut: boolean }
  | { why: string } {
  const { context, hook } = call;
  const { line, how } = command;
  const plan = (how === "exec" ? planExec : planCommand)(line, {
    look,
    projectDir: context.projectDir,
    env,
    hookName: hook.name,
    hookArgs,
  });
  if (plan.start === "nothing") return { why: plan.why };
  const { file, args, argsCut } = plan;
  const request = {
    file,
    args,
    cwd,
    env: argsCut ? { ...env, WAVE_ARGS_CUT: "1" } : env,
    register: context.register,
  };
  return { request, argsCut };
}

/** A folder that is gone must not keep a guard from running (T145). */
function startFolder({ hook, context }: HookCall): string {
  const { cwd } = context.input;
  if (hook.cwd !== "session" || typeof cwd !== "string") return context.projectDir;
  return statSync(cwd, { throwIfNoEntry: false })?.isDirectory() ? cwd : context.projectDir;
}

function hookEnvironment(
  { event, hook, context }: HookCall,
  { compiled }: StartedCommand,
): Record<string, string> {
  const { passEnv, source } = hook;
  const { setsVariables }: HookEventRow = HOOK_EVENTS[event];
  const reach = { ofProject: isOfProject(source.scope), passEnv };
  const variables = hookVariables(context, reach, context.setBySettings ?? []);
  return {
    // Python decides by the locale how to read stdin, and a hook that dies of an umlaut guards nothing.
    PYTHONUTF8: "1",
    PYTHONIOENCODING: "utf-8",
    ...variables,
    // Node's pipes are sockets, and bash -c takes a socket for a login from another machine and runs ~/.bashrc, unless a shell is
    // around it.
    SHLVL: String(Math.max(1, Number(variables["SHLVL"]) || 0)),
    ...hook.env,
    ...(compiled === "is not read" ? NOTHING_COMPILED : {}),
    ...dialectOf(hook)?.variables?.(context),
    WAVE_PROJECT_DIR: context.projectDir,
    CLAUDE_PROJECT_DIR: context.projectDir,
    WAVE_SESSION_ID: context.sessionId,
    // Scripts look for these to know that an agent asks them, and some switch themselves off without.
    CLAUDECODE: "1",
    CLAUDE_CODE_SESSION_ID: context.sessionId,
    WAVE_HOOK_EVENT: event,
    ...(setsVariables && context.envFileFor && { CLAUDE_ENV_FILE: context.envFileFor(hook) }),
  };
}

/**
 * Python believes a compiled form beside a source, also one that says of itself not to be compared with it. No file can lie
 * below a device; and what is not read need not be written.
 */
const NOTHING_COMPILED = { PYTHONPYCACHEPREFIX: "/dev/null", PYTHONDONTWRITEBYTECODE: "1" };

export function resultOf(run: ProcessRun): HookExecutionResult {
  const printed = {
    stdout: run.stdout.text,
    stderr: run.stderr.text,
    duration: run.durationMs,
    ...(run.stdout.cut + run.stderr.cut > 0 && {
      truncated: { stdout: run.stdout.cut, stderr: run.stderr.cut },
    }),
  };
  switch (run.end) {
    case "exited":
      return { ...printed, success: run.code === 0, exitCode: run.code, timedOut: false };
    case "signalled":
      return { ...printed, success: false, signal: run.signal, timedOut: false };
    case "timed-out":
      // The time it was given, without the moment that ending it took: messages say "timed out after N s".
      return { ...printed, success: false, timedOut: true, duration: run.afterMs };
    case "aborted":
      return { ...printed, success: false, timedOut: false, aborted: true };
    case "not-started":
      return {
        ...didNotRun("not-started", `was not started: ${run.message}`),
        duration: run.durationMs,
      };
    default:
      return run satisfies never;
  }
}

/** Only where the shell did not find what it was told to run; any other failure is the hook's own. */
function withHint(result: HookExecutionResult, hint: string | undefined): HookExecutionResult {
  if (hint === undefined || (result.exitCode !== 126 && result.exitCode !== 127)) return result;
  return { ...result, stderr: `${result.stderr?.trimEnd() ?? ""}\n${hint}`.trimStart() };
}

function look(path: string): FileKind {
  try {
    if (!statSync(path).isFile()) return "nothing";
  } catch {
    // ENOENT and its relatives (ENOTDIR, ENAMETOOLONG, EACCES on a folder above): there is no such file for Wave.
    return "nothing";
  }
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return "not executable";
  }
  return startsLikeAProgram(path) ? "program" : "script without #!";
}

/** `#!`, or a binary, which has a NUL somewhere in its header; a text without either only a shell can run. */
function startsLikeAProgram(path: string): boolean {
  const start = fileStart(path, 128);
  // It may be allowed to be run and not to be read, as some binaries are.
  return start === undefined || start.toString("latin1", 0, 2) === "#!" || start.includes(0);
}

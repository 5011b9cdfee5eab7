import {
  builtInToolNames,
  checkHooks,
  describePolicy,
  describeProblem,
  HOOK_EVENTS,
  hooksNotThere,
  inItsTurn,
  readProjectTrust,
  shadowOf,
  sortProblems,
  type HookDefinition,
  type LeftOutHook,
  type Settings,
  type SettingsProblem,
} from "wave-agent-sdk";
import type { Surroundings } from "../../cli/surroundings.ts";
import { projectDir, waveHome } from "../../modes/places.ts";
import { readSettings } from "../../modes/readSettings.ts";
import { printable, printableJson } from "../../utils/printable.ts";
import { shortenPaths } from "../../utils/shortPath.ts";
import type { HooksInvocation } from "./invocation.ts";

/** Every configured hook with its place, and everything that is wrong. */
export function listHooks({ json, settingsFile }: HooksInvocation, around: Surroundings): number {
  const { stdout, env } = around;
  const settings = readSettings(settingsFile, around);
  const problems = sortProblems([
    ...settings.problems,
    ...checkHooks(settings.hooks, { knownTools: builtInToolNames(), projectDir: projectDir(around), env }),
    ...unapproved(settings, around),
  ]);
  const notThere = hooksNotThere(settings, builtInToolNames());
  const status = problems.some(({ severity }) => severity === "fatal") ? 78 : 0;
  if (json) {
    const hooks = settings.hooks.map((hook) => ({
      ...hookJson(hook, problems),
      shadowedBy: shadowOf(hook, settings.hooks)?.source,
    }));
    stdout.write(
      `${printableJson({ files: settings.files, hooks, leftOut: notThere.map(leftOutJson), problems })}\n`,
    );
    return status;
  }
  const lines = [
    ...(settings.hooks.length === 0 ? [whyNone(problems)] : hookLines(settings.hooks, problems)),
    ...leftOutLines(notThere),
    ...problemLines(problems.filter((problem) => !settings.hooks.some((hook) => concerns(problem, hook)))),
  ];
  stdout.write(`${printable(shortenPaths(lines.join("\n"), projectDir(around)))}\n`);
  return status;
}

const leftOutJson = ({ event, name, source }: LeftOutHook) => ({ event, name, ...source });

function leftOutLines(hooks: readonly LeftOutHook[]): string[] {
  if (hooks.length === 0) return [];
  return [
    "Cannot run and guard nothing",
    ...hooks.map(({ event, ...hook }) => `  ${event}: ${placeOf(hook)} (${hook.source.path})`),
  ];
}

/** What is written down and what guards are two things: a hook of the project that nobody approved is off. */
function unapproved({ hooks, permissions, ofProject }: Settings, around: Surroundings): SettingsProblem[] {
  const place = { home: waveHome(around.env), projectDir: projectDir(around) };
  const { items } = readProjectTrust({ ...place, hooks, rules: permissions.rules, ofProject });
  return items.flatMap(({ item, state }) => {
    if (item.kind !== "hook" || state === "reviewed") return [];
    const { file, line, path } = item.hook.source;
    const message =
      "off, because nobody has approved it in this form; wave hooks trust shows and approves it";
    return [{ severity: "warning", file, line, path, message }];
  });
}

function whyNone(problems: readonly SettingsProblem[]): string {
  if (problems.some(({ severity }) => severity === "fatal"))
    return "Which hooks are configured cannot be told: a settings file cannot be used, and no session starts until it can.";
  const inHooks = problems.some(({ path }) => path?.startsWith("hooks"));
  return inHooks ? "No hook will run: what is configured cannot be used." : NONE;
}

const NONE = "No hooks are configured. Write them into .wave/settings.json; wave demo shows some at work.";

function hookLines(hooks: readonly HookDefinition[], problems: readonly SettingsProblem[]): string[] {
  const events = [...new Set(hooks.map(({ event }) => event))];
  return events.flatMap((event) => [
    event,
    ...hooks
      .filter((hook) => hook.event === event)
      .flatMap((hook) => [
        `  ${isUnnamed(hook) ? oneLine(actionOf(hook)) : hook.name}${subjectOf(hook)}`,
        ...(hook.description === undefined ? [] : [`    ${hook.description}`]),
        ...(isUnnamed(hook) ? [] : [`    ${actionOf(hook)}`]),
        `    ${placeOf(hook)}, timeout ${timeoutOf(hook)}, onError ${describePolicy(hook.onError)}${hook.sandbox ? `, sandbox ${hook.sandbox}` : ""}${hook.sequence ? `, ${inItsTurn(hook.sequence)}` : ""}`,
        ...shadowLines(shadowOf(hook, hooks)),
        ...problems
          .filter((problem) => concerns(problem, hook))
          .map(({ severity, message }) => `    ${severity}: ${message}`),
      ]),
  ]);
}

/** An entry that is written twice runs once (SPEC 6), and whoever looks for its run has to know where. */
const shadowLines = (shadow: HookDefinition | undefined) =>
  shadow ? [`    ${shadowWords(placeOf(shadow))}`] : [];

export const shadowWords = (place: string) =>
  `the same command as in ${place}: where both match it runs once, there, with the stricter onError`;

/** Without a name of its own a hook is called after its command, which then need not stand there twice. */
function isUnnamed(hook: HookDefinition): boolean {
  const action = oneLine(actionOf(hook));
  return action === hook.name || (hook.name.endsWith("…") && action.startsWith(hook.name.slice(0, -1)));
}

const oneLine = (text: string) => text.replaceAll(/\s*\n\s*/g, " ").trim();

function subjectOf({ event, matcher, if: condition }: HookDefinition): string {
  const { matchOn } = HOOK_EVENTS[event];
  if (matchOn === undefined) return "";
  const every = matchOn === "tool_name" ? "every tool" : `every ${matchOn}`;
  const on = matcher === undefined || matcher === "" || matcher === "*" ? every : matcher;
  return `   on ${on}${condition === undefined ? "" : `, if ${condition}`}`;
}

/** A session that ends does not wait longer for all those that do not say how long they take. */
export const timeoutOf = ({ timeoutMs, sharesTime }: HookDefinition) =>
  `${timeoutMs / 1000} s${sharesTime ? " together" : ""}`;

function problemLines(problems: readonly SettingsProblem[]): string[] {
  return problems.length === 0
    ? []
    : ["Problems", ...problems.map((problem) => `  ${problem.severity}: ${describeProblem(problem)}`)];
}

/** A problem belongs to a hook when its JSON path is inside the hook, or is the matcher of the hook's group. */
function concerns({ file, path }: SettingsProblem, { source }: HookDefinition): boolean {
  if (path === undefined || file !== source.file) return false;
  const group = path.replace(/\.matcher$/, "");
  return (
    path === source.path ||
    path.startsWith(`${source.path}.`) ||
    (group !== path && source.path.startsWith(`${group}.`))
  );
}

export const placeOf = ({ source }: Pick<HookDefinition, "source">) =>
  source.file === undefined
    ? source.path
    : `${source.file}${source.line === undefined ? "" : `:${source.line}`}`;

export const actionOf = ({ action }: HookDefinition): string => action.shown;

export function hookJson(hook: HookDefinition, problems: readonly SettingsProblem[] = []) {
  const { event, matcher, name, source, timeoutMs, onError } = hook;
  const own = problems.filter((problem) => concerns(problem, hook));
  return {
    event,
    matcher,
    ...(hook.if !== undefined && { if: hook.if }),
    name,
    ...(hook.description !== undefined && { description: hook.description }),
    ...source,
    action: actionOf(hook),
    timeoutSeconds: timeoutMs / 1000,
    onError,
    ...(hook.sandbox && { sandbox: hook.sandbox }),
    ...(hook.sequence && { sequential: hook.sequence.place }),
    problems: own,
  };
}

import {
  approvedSettings,
  builtInToolNames,
  describePolicy,
  HOOK_EVENT_NAMES,
  HOOK_EVENTS,
  isHookEvent,
  planAhead,
  readProjectTrust,
  type AskedAhead,
  type HookEvent,
  type HookPlan,
} from "wave-agent-sdk";
import type { Surroundings } from "../../cli/surroundings.ts";
import { projectDir, waveHome } from "../../modes/places.ts";
import { fatalProblems, readSettings } from "../../modes/readSettings.ts";
import { nearestName } from "wave-agent-sdk";
import { printable, printableJson } from "../../utils/printable.ts";
import { shortenPaths } from "../../utils/shortPath.ts";
import { wrongUsage } from "../wrongUsage.ts";
import type { HooksInvocation } from "./invocation.ts";
import { actionOf, hookJson, listHooks, placeOf, timeoutOf } from "./list.ts";

/** Which hooks would run for an event, in which order, and why the others would not. Runs nothing. */
export function planOne(words: readonly string[], invocation: HooksInvocation, around: Surroundings): number {
  const asked = readQuestion(words);
  if ("problem" in asked) return wrongUsage(around, asked.problem);
  const { event, value } = asked;
  const settings = readSettings(invocation.settingsFile, around);
  // A plan from settings that could not be read would be a guess; the list says what is wrong.
  if (fatalProblems(settings).length > 0) return listHooks(invocation, around);

  const { hooks, permissions, ofProject } = settings;
  const place = { home: waveHome(around.env), projectDir: projectDir(around) };
  const trust = readProjectTrust({ ...place, hooks, rules: permissions.rules, ofProject });
  const counting = readSettings(invocation.settingsFile, around, approvedSettings(trust));
  const plan = planAhead(asked, { settings: counting, trust, workdir: around.cwd, env: around.env });
  const about = value === undefined ? event : `${event} for ${value}`;
  if (invocation.json) {
    const skipped = plan.skipped.map(({ hook, why }) => ({ ...hookJson(hook), why }));
    around.stdout.write(
      `${printableJson({ event, value, run: plan.run.map((hook) => hookJson(hook)), skipped })}\n`,
    );
    return 0;
  }
  const unknown = unknownTool(event, value);
  if (unknown) around.stderr.write(printable(`wave: ${unknown}\n`));
  around.stdout.write(
    `${printable(shortenPaths(planLines(event, about, plan).join("\n"), projectDir(around)))}\n`,
  );
  return 0;
}

function readQuestion(words: readonly string[]): AskedAhead | { problem: string } {
  const [event, value, input, ...rest] = words;
  if (event === undefined) return { problem: `Which event? One of ${HOOK_EVENT_NAMES.join(", ")}.` };
  if (!isHookEvent(event)) {
    const near = nearestName(event, HOOK_EVENT_NAMES);
    return {
      problem: `There is no event ${JSON.stringify(event)}. ${near ? `Did you mean ${near}?` : `There are: ${HOOK_EVENT_NAMES.join(", ")}.`}`,
    };
  }
  const { matchOn } = HOOK_EVENTS[event];
  if (matchOn === undefined && value !== undefined)
    return { problem: `Hooks of ${event} match on nothing: leave ${JSON.stringify(value)} out.` };
  if (matchOn !== undefined && value === undefined) {
    const example = EXAMPLES[matchOn];
    return {
      problem: `Hooks of ${event} match on ${matchOn}: name one, e.g. wave hooks plan ${event} ${example}.`,
    };
  }
  const given = input === undefined ? undefined : readObject(input);
  if (input !== undefined && given === undefined)
    return { problem: `The input has to be a JSON object, e.g. '{"command":"ls"}'.` };
  if (rest.length > 0)
    return {
      problem: `wave hooks plan takes an event, a tool and its input, but ${JSON.stringify(rest[0])} follows.`,
    };
  return { event, value, input: given };
}

const EXAMPLES = {
  tool_name: "Bash",
  source: "startup",
  reason: "other",
  agent_type: "explore",
  notification_type: "permission_prompt",
  trigger: "manual",
  error: "rate_limit",
  load_reason: "session_start",
  command_name: "review",
  model: "my-model",
  to_model: "my-model",
  mcp_server_name: "notes",
};

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    // SyntaxError: exactly what was asked.
    return undefined;
  }
}

function unknownTool(event: HookEvent, value: string | undefined): string | undefined {
  if (value === undefined || HOOK_EVENTS[event].matchOn !== "tool_name" || value.startsWith("mcp__"))
    return undefined;
  const tools = builtInToolNames();
  if (tools.includes(value)) return undefined;
  const near = nearestName(value, tools);
  return `Wave has no tool ${JSON.stringify(value)}${near ? `; did you mean ${near}?` : "."}`;
}

export function planLines(event: HookEvent, about: string, plan: HookPlan): string[] {
  const run = plan.run.map(
    (hook, index) =>
      `  ${index + 1}. ${hook.name} (${placeOf(hook)}): ${actionOf(hook)}, timeout ${timeoutOf(hook)}, onError ${describePolicy(hook.onError)}${hook.if === undefined ? "" : `; if ${hook.if}`}`,
  );
  const skipped = plan.skipped.map(({ hook, why }) => `  ${hook.name} (${placeOf(hook)}): ${why}`);
  return [
    run.length === 0
      ? `${about}: no hook would run.`
      : `${about}: these run at the same time; what they say is combined in this order.`,
    ...run,
    ...(skipped.length === 0 ? [] : ["Not run:", ...skipped]),
    ...(plan.unreviewed.length === 0 ? [] : [untilApproved(event)]),
  ];
}

/** A guard that nobody approved is no guard, and not nothing either: where somebody can be asked, somebody is. */
function untilApproved(event: HookEvent): string {
  const acting: readonly string[] = HOOK_EVENTS[event].onError;
  return acting.includes("ask")
    ? "Until somebody has approved it, Wave asks before what it would judge; where nobody can answer, that is a no."
    : "Until somebody has approved it, this event goes on without it.";
}

import type { Reading } from "wave-shell-reader";
import { mayConcern } from "../permissions/concern.ts";
import { hostOf } from "../permissions/hostRules.ts";
import { parseRule } from "../permissions/parseRule.ts";
import type { RuleContext } from "../permissions/rules.ts";
import type { Touched } from "../permissions/touched.ts";
import { quoted } from "../utils/quoted.ts";
import type { HookDefinition } from "./definition.ts";
import type { HookEvent } from "./events.ts";

/** Beside what hooks are told of a command line: its reading, which only Wave sees. */
export const LINE_READING: unique symbol = Symbol("the reading of the command line");

export type WithReading = { readonly [LINE_READING]?: Reading };

/** Events about a tool call: an `if` has something to look at. */
const ABOUT_CALLS: readonly HookEvent[] = ["PreToolUse", "PostToolUse"];

export const canHaveIf = (event: HookEvent): boolean => ABOUT_CALLS.includes(event);

/** Why a hook's `if` leaves it out of this event; undefined when there is none, or nothing it could be about. */
export function whyLeftOut(
  { event, if: rule }: Pick<HookDefinition, "event" | "if">,
  input: Readonly<Record<string, unknown>> & WithReading,
  context: RuleContext & { base: string },
): string | undefined {
  return rule === undefined || !canHaveIf(event) ? undefined : whyNotIf(rule, input, context);
}

/**
 * Why a hook's `if` leaves it out of this call; undefined when the hook runs. It is a permission rule, matched as a rule that
 * holds back is: the hook runs as soon as the rule may be about the call, so whatever is unclear runs it.
 */
export function whyNotIf(
  rule: string,
  input: Readonly<Record<string, unknown>> & WithReading,
  context: RuleContext & { base: string },
): string | undefined {
  const parsed = parseRule(rule);
  if ("problem" in parsed || input["tool_input_error"] !== undefined) return undefined;
  const toolName = String(input["tool_name"]);
  const reading = input[LINE_READING];
  // Only a command line has commands, whatever the tool is called.
  if (input["commands"] !== undefined && reading?.line !== commandIn(input)) return undefined;
  const call = {
    toolName,
    reading,
    touched: touchedIn(input["affected_paths"]),
    host: hostIn(input),
    isClear: input["analysis"] === "complete",
  };
  if (mayConcern({ rule: parsed, base: context.base }, call, context)) return undefined;
  return `its if ${quoted(rule)} is not about this call`;
}

function commandIn(input: Readonly<Record<string, unknown>>): string | undefined {
  const tool = input["tool_input"];
  const command = typeof tool === "object" && tool !== null && "command" in tool ? tool.command : undefined;
  return typeof command === "string" ? command : undefined;
}

function hostIn(input: Readonly<Record<string, unknown>>): string | undefined {
  const tool = input["tool_input"];
  const url = typeof tool === "object" && tool !== null && "url" in tool ? tool.url : undefined;
  return typeof url === "string" && URL.canParse(url) ? hostOf(new URL(url)) : undefined;
}

function touchedIn(paths: unknown): Touched[] {
  if (!Array.isArray(paths)) return [];
  return paths.map(({ path, real_path, access, below }: AffectedPath) => ({
    access,
    shown: path,
    spellings: real_path === undefined ? [path] : [path, real_path],
    names: [],
    below: below === true,
  }));
}

/** As the schema of the events has it. */
interface AffectedPath {
  path: string;
  access: Touched["access"];
  real_path?: string;
  below?: boolean;
}

import { z } from "zod";
import type { AgentOptions } from "../agentOptions.ts";
import { HOOK_EVENT_NAMES, HOOK_EVENTS, type HookEvent } from "../hooks/events.ts";
import { ENTRYPOINTS } from "../hooks/eventFields.ts";
import { matcherMistakes } from "../hooks/matcher.ts";
import { mcpServersSchema } from "../hooks/mcpServers.ts";
import { matchableValues } from "../hooks/plan.ts";
import {
  hookGroupSchema,
  modelTimeoutSchema,
  permissionModeSchema,
  permissionsSchema,
  ruleListSchema,
  ruleSchema,
  sandboxSchema,
} from "../workspace/settings/schema.ts";
import { baseUrlSchema } from "../workspace/settings/providersSchema.ts";
import { entryOf, HOOK_KINDS } from "../hooks/kinds/kinds.ts";
import {
  hookFields,
  processFields,
  sandboxModeSchema,
  says,
  textSchema,
} from "../workspace/settings/fieldSchemas.ts";
import { OwnTool } from "../ownTool.ts";
import type { RuleBehavior } from "../permissions/matchRules.ts";
import { ruleMistake } from "../permissions/understandRule.ts";
import { SANDBOX_MODES } from "../permissions/sandboxModes.ts";
import { SET_BY_WAVE } from "../utils/environment.ts";
import { isPlainObject } from "../utils/kindOfValue.ts";
import { nearestName } from "../utils/nearestName.ts";
import { quoted } from "../utils/quoted.ts";

/*
 * What Agent.create takes, made of the schemas that settings files have. Where a file gets a warning, because somebody else may
 * have written it for a newer Wave, a program gets an error: it can be mended before anything runs unguarded.
 */

/** The names that matchers and rules may mean. */
type KnownTools = readonly string[];

const aFunction = () =>
  z.custom<(...args: never[]) => unknown>((value) => typeof value === "function", says("must be a function"));
const aPath = () => textSchema().regex(/^[^\0]*$/, says("must be a path"));
const aSwitch = () => z.boolean(says("must be true or false"));
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, says(`must be ${words.map((word) => quoted(word)).join(", ")}`));
const aSha256 = says("must be the 64 hexadecimal digits of a SHA-256");
const atLeastOne = says("must be a whole number above 0");

const aboveZero = says("must be a number above 0");
/** What a turn or an agent may use up. */
export const limitsSchema = () =>
  z.strictObject(
    {
      modelCalls: z.number(atLeastOne).int(atLeastOne).positive(atLeastOne).optional(),
      tokens: z.number(atLeastOne).int(atLeastOne).positive(atLeastOne).optional(),
      costUsd: z.number(aboveZero).positive(aboveZero).optional(),
      wallMs: z.number(aboveZero).positive(aboveZero).optional(),
    },
    says("must be an object such as { modelCalls: 30, costUsd: 2 }"),
  );

/** By name, each made when somebody gives it: a start pays only for what it uses. */
export const OPTIONS = {
  workdir: aPath,
  apiKey: textSchema,
  baseUrl: baseUrlSchema,
  model: textSchema,
  localModel: textSchema,
  modelTimeout: modelTimeoutSchema,
  hooks: (tools) => hooksOption(tools),
  permissions: (tools) => permissionsOption(tools),
  permissionMode: permissionModeSchema,
  tools: (tools) => toolsOption(tools),
  agents: () =>
    z.record(
      z.string().regex(/^[\w-]{1,64}$/, says("must be a name of letters, digits, _ and -")),
      z.strictObject({
        description: textSchema(),
        prompt: textSchema(),
        tools: z.array(textSchema()).optional(),
        model: textSchema().optional(),
        permissionMode: permissionModeSchema().optional(),
      }),
      says('must be an object such as { reviewer: { description: "…", prompt: "…" } }'),
    ),
  mcpServers: mcpServersSchema,
  mcpFile: aPath,
  plugins: () => z.array(aPath(), says('must be a list of folders, such as ["./plugins/guard"]')),
  onPermissionRequest: aFunction,
  callbacks: () =>
    z.strictObject({ onMessagesChange: aFunction().optional(), onLoadingChange: aFunction().optional() }),
  onEvent: aFunction,
  limits: () => limitsSchema(),
  maxTurns: () => z.number(atLeastOne).int(atLeastOne).positive(atLeastOne),
  resume: textSchema,
  fork: aSwitch,
  entrypoint: () => oneOf(ENTRYPOINTS),
  source: () => oneOf(["startup", "clear"]),
  hookScope: () => oneOf(["all", "no-project", "none"]),
  trust: () =>
    z.union(
      [
        z.enum(["store", "given"]),
        z.strictObject({ sha256: z.string(aSha256).regex(/^[0-9a-f]{64}$/i, aSha256) }),
      ],
      says('must be "store", "given" or an object such as { sha256: "…" }'),
    ),
  reviewCommand: textSchema,
  allowSelfConfig: aSwitch,
  sandbox: () => {
    const [word, object] = sandboxSchema().options;
    const what = `${SANDBOX_MODES.map(quoted).join(", ")}, or an object such as { mode: "auto", network: false }`;
    return z.union([word, object.extend({ mode: sandboxModeSchema() })], says(`must be ${what}`));
  },
  settingsFile: aPath,
  waveHome: aPath,
  managedSettingsFile: aPath,
  // Not as a record: a process has a hundred variables, and each start would pay for all of them.
  env: () =>
    z
      .custom<Record<string, string | undefined>>(isPlainObject, says("must be an object of names and texts"))
      .superRefine((env, context) => {
        for (const [name, value] of Object.entries<unknown>(env)) {
          if (typeof value === "string" || value === undefined) continue;
          context.addIssue({ code: "custom", path: [name], message: "must be a text" });
        }
      }),
} satisfies Record<keyof AgentOptions, (tools: KnownTools) => z.ZodType>;

/** Made once for the tools of a program: it is the largest schema there is. */
const hooksOption = onceFor((tools: KnownTools): z.ZodType => {
  const entry = entryOption(tools);
  const groups = (event: HookEvent) => z.array(groupOption(event, tools, entry)).optional();
  return z.strictObject(
    Object.fromEntries(HOOK_EVENT_NAMES.map((event) => [event, groups(event)])),
    says("must be an object with a list of groups by event, such as { PreToolUse: [] }"),
  );
});

function onceFor<T>(make: (tools: KnownTools) => T): (tools: KnownTools) => T {
  let made: { tools: string; value: T } | undefined;
  return (tools) => {
    const key = tools.join();
    made = made?.tools === key ? made : { tools: key, value: make(tools) };
    return made.value;
  };
}

function groupOption(event: HookEvent, tools: KnownTools, entry: z.ZodType): z.ZodType {
  const { matchOn } = HOOK_EVENTS[event];
  const what = matchOn === "tool_name" ? "tool" : matchOn;
  const values = matchableValues(event, tools);
  const check = (text: string) => matchOn && matcherMistakes(text, values, what).find(({ works }) => !works);
  const matcher = hookGroupSchema().shape.matcher.unwrap().superRefine(mistake(check));
  return hookGroupSchema().extend({
    matcher: matcher.optional(),
    hooks: z.array(entry).min(1, says("must not be empty: such a group guards nothing")),
  });
}

/** An entry of any kind that a program may write, with a closer look at what it says. */
function entryOption(tools: KnownTools): z.ZodType {
  const condition = hookFields()
    .if.unwrap()
    .superRefine(mistake((text: string) => ruleMistake(text, "deny", tools)));
  const variables = processFields().env.unwrap().superRefine(mistake(ofWave));
  const kinds = HOOK_KINDS.filter(({ writtenBy }) => writtenBy !== "nobody").map((kind) => {
    const schema = kind.schema();
    const env = "env" in schema.shape ? { env: variables.optional() } : {};
    return schema.extend({ if: condition.optional(), ...env });
  });
  return entryOf(kinds, says('must be an object such as { type: "function", run: () => undefined }'));
}

function ofWave(given: Record<string, string>): Mistake | undefined {
  const own = Object.keys(given).find((name) => SET_BY_WAVE.has(name));
  return own === undefined ? undefined : { message: `${quoted(own)} cannot be set: Wave sets it itself` };
}

function permissionsOption(tools: KnownTools): z.ZodType {
  const list = (behavior: RuleBehavior) =>
    ruleListSchema(
      ruleSchema().superRefine(mistake((rule) => ruleMistake(rule, behavior, tools))),
    ).optional();
  const elsewhere = z
    .unknown()
    .superRefine(mistake(() => ({ message: "is the option permissionMode", nearest: "permissionMode" })));
  return permissionsSchema().extend({
    allow: list("allow"),
    ask: list("ask"),
    deny: list("deny"),
    defaultMode: elsewhere.optional(),
  });
}

/** `tools` has the built-in names first, then those of the program, also twice. */
function toolsOption(tools: KnownTools): z.ZodType {
  const own = z.custom<OwnTool>((value) => value instanceof OwnTool, says("must be made with tool()"));
  const free = own.superRefine(
    mistake(({ name }) =>
      tools.filter((one) => one === name).length > 1
        ? { message: `there is another tool of the name ${quoted(name)}` }
        : undefined,
    ),
  );
  const known = z
    .string(says("must be the name of a tool"))
    .superRefine(
      mistake((name) =>
        tools.includes(name) || /^mcp__./.test(name)
          ? undefined
          : { message: `there is no tool ${quoted(name)}`, nearest: nearestName(name, tools) },
      ),
    );
  const used = z.union([known, free], says("must be the name of a tool, or one made with tool()"));
  return z.strictObject({ add: z.array(free).optional(), use: z.array(used).optional() });
}

interface Mistake {
  message: string;
  nearest?: string | undefined;
}

/** A check of what a value means, which says what is wrong in a sentence of its own. */
export function mistake<T>(check: (value: T) => Mistake | undefined) {
  return (value: T, context: z.core.$RefinementCtx): void => {
    const found = check(value);
    if (found)
      context.addIssue({ code: "custom", message: found.message, params: { nearest: found.nearest } });
  };
}

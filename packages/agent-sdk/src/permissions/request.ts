import { z } from "zod";
import { describeMisfit } from "../utils/describeMisfit.ts";
import { once } from "../utils/once.ts";
import type { FailureKind } from "../hooks/failurePolicy.ts";
import type { SubAgentIdentity } from "../messages/subAgent.ts";
import type { CallOrigin } from "./origin.ts";

/** How long a rule that a person keeps is in force: as long as the session, resumed or not, or in every session of the project. */
export const RULE_SCOPES = ["session", "project"] as const;
export type RuleScope = (typeof RULE_SCOPES)[number];

/** "Allow with a rule": rules that would have spared the question, or why there are none. */
export type RuleOffer = (
  | {
      offered: true;
      /** The narrowest first: this call, then the same with other arguments, such as `Bash(npm run build:*)`. At least one. */
      choices: readonly RuleChoice[];
      /** Where the rules go when they are kept for the project. */
      file: string;
    }
  | { offered: false; why: string }
) & {
  /** It only changes files of the project: in this mode it would not have been asked about. */
  mode?: "acceptEdits";
};

/** One rule, or one for each command of the line that needs one; they are kept together. */
export interface RuleChoice {
  rules: readonly string[];
}

/** A hook that could not judge what is asked about, and holds it back for that reason alone. */
export interface FailedHook {
  id: string;
  name: string;
  source: string;
  kind: FailureKind;
  /** What it was told to do when it fails. With "block" a yes counts only if it names this hook (`without`). */
  onError: "ask" | "block";
  /** What happened, and what to do about it. */
  message: string;
  /** What a person may do about it besides trying again: nothing, go on once without it, or switch it off for the session. */
  mayPass: "never" | "once" | "session";
  /** 1 at first; one more each time a person had it asked again about this. */
  attempt: number;
}

/** What a call would make of a file, made from the content that it would replace. */
export interface FileChange {
  path: string;
  /** Undefined: there is no file yet. Both without a byte order mark. */
  before: string | undefined;
  after: string;
}

/** A value that is asked for: a field of a form that an MCP server wants filled in. */
export interface WantedValue {
  /** What a person reads. */
  label: string;
  kind: "text" | "number" | "integer" | "boolean" | "choice" | "choices";
  /** What may be answered, where it is not free. */
  options?: readonly string[];
  /** What a yes without a value stands for. */
  proposed?: string;
  required: boolean;
  /** "1 of 3". */
  place: string;
}

/** Somebody has to say yes or no before a call runs (PD-1). */
export interface PendingPermission {
  id: string;
  /** The tool, or "prompt" when a hook asks about the user's own prompt. */
  toolName: string;
  toolUseId: string | undefined;
  /** The sub-agent that wants it. Absent: it is wanted in the main conversation. */
  agent?: SubAgentIdentity;
  /** Who wants it: the model, or a person who typed it, with `!` or as a prompt. */
  origin: CallOrigin;
  /** Exactly what will run if the answer is allow. */
  input: Readonly<Record<string, unknown>>;
  /** The model's own input, when hooks changed it. */
  originalInput: Readonly<Record<string, unknown>> | undefined;
  /** For each field that hooks changed, the hook whose change stands: "hook NAME (file:line)". */
  changedBy?: Readonly<Record<string, string>>;
  reason: string;
  /** "hook no-force-push (…/settings.json:3)", "rule Bash(git push:*)", "mode default". */
  askedBy: readonly string[];
  /** What `allowRule` could add, so that the next call like this one is not asked about. */
  rule: RuleOffer;
  /** Present when hooks failed and hold this back: then the answers "retry" and `without` are possible, too. */
  failedHooks?: readonly FailedHook[];
  /** Present when the call writes a file of text. A yes counts for this change: should the file be another one by then, nothing is written. */
  change?: FileChange;
  /** Present when a value is asked for, and no permission: a yes may bring one (`value`). */
  wants?: WantedValue;
  /** So many calls of the same answer are judged only after this one; present when there are any. */
  callsBehind?: number;
  cwd: string;
  /** Milliseconds since the epoch. */
  since: number;
}

/** The answer (PD-2). */
export interface PermissionDecision {
  /** "retry": the hooks are asked again, and this question is answered with that. */
  decision: "allow" | "deny" | "retry";
  toolName: string;
  /** Words typed with a deny go in as the user's next message. */
  reason?: string;
  timestamp: number;
  /** false for a deny that ends the turn. */
  shouldContinueRecursion: boolean;
  /** Of an allow: what shall run instead of what was shown. Hooks and rules judge it like a new call. */
  input?: Readonly<Record<string, unknown>>;
  /** Ids of failed hooks that the person goes on without. */
  without?: readonly string[];
  /** They are switched off for this session. */
  forSession?: true;
  /** The answer, where a value is asked for. */
  value?: string;
}

/** What a callback returns; the rest of the decision is filled in. */
export type PermissionAnswer =
  | {
      decision: "allow";
      reason?: string;
      without?: readonly string[];
      forSession?: boolean;
      /** Runs instead of what was shown, after hooks and rules have judged it. */
      input?: Readonly<Record<string, unknown>>;
      /** Where a value is asked for (`wants`), as a person types it. */
      value?: string;
    }
  /** `turn`: it ends, and `reason` is the user's next message ("stop"), or the model reads `reason` and goes on ("go-on"). */
  | { decision: "deny"; reason?: string; turn?: "stop" | "go-on" }
  | { decision: "retry" };

/** Strict: a field that Wave does not have was meant to change what happens. */
export const permissionAnswerSchema = once(() => {
  const reason = z.string({ error: "must be a text" }).optional();
  const yes = z.strictObject({
    decision: z.literal("allow"),
    reason,
    without: z.array(z.string()).optional(),
    forSession: z.boolean({ error: "must be true or false" }).optional(),
    input: z.record(z.string(), z.unknown(), { error: "must be an object with the tool's input" }).optional(),
    value: z.string({ error: "must be a text" }).optional(),
  });
  const turn = z.enum(["stop", "go-on"], { error: 'must be "stop" or "go-on"' }).optional();
  return z.discriminatedUnion("decision", [
    yes,
    z.strictObject({ decision: z.literal("deny"), reason, turn }),
    z.strictObject({ decision: z.literal("retry") }),
  ]);
});

/** Why an answer does not fit its question, for a program that was not checked by a compiler; undefined when it does. */
export function whyNoAnswer(
  { failedHooks = [], wants }: Pick<PendingPermission, "failedHooks" | "wants">,
  given: unknown,
): string | undefined {
  const { data: answer, error } = permissionAnswerSchema().safeParse(given);
  if (!answer) {
    const issues = error.issues;
    if (issues.some(({ path }) => path.length === 0 || path[0] === "decision"))
      return `it answered ${JSON.stringify(given)} instead of { decision: "allow" } or { decision: "deny" }`;
    return describeMisfit({ name: "an answer", schema: permissionAnswerSchema(), input: given, issues });
  }
  switch (answer.decision) {
    case "deny":
      return undefined;
    case "retry":
      return failedHooks.length > 0 ? undefined : "no hook failed, so there is nothing to retry";
    case "allow": {
      if (answer.value !== undefined && !wants) return "no value is asked for, so none can be answered";
      const wrong = (answer.without ?? []).find(
        (id) => !mayPass(failedHooks, id, answer.forSession ?? false),
      );
      return wrong === undefined ? undefined : `${wrong} is no hook that may be passed that way`;
    }
  }
}

function mayPass(failedHooks: readonly FailedHook[], id: string, forSession: boolean): boolean {
  const hook = failedHooks.find((one) => one.id === id);
  return hook?.mayPass === "session" || (hook?.mayPass === "once" && !forSession);
}

/** A hook that blocks because it failed is passed only by a yes that names it: a yes for everything must not open a guard. */
export function stillBlocks(
  failedHooks: readonly FailedHook[],
  { without = [] }: Pick<PermissionDecision, "without">,
): FailedHook[] {
  return failedHooks.filter(({ id, onError }) => onError === "block" && !without.includes(id));
}

import { brief } from "./brief.ts";
import type { ToolEffect } from "./effect.ts";
import { unseenFiles, type MatchedRule, type RuleMatches } from "./matchRules.ts";
import type { PermissionMode } from "./modes.ts";
import { DOING, MODE_TABLE, type Doing } from "./modeTable.ts";
import type { CallOrigin } from "./origin.ts";
import type { ProtectedHit } from "./protectedPaths.ts";

/** What all hooks of a call said together. */
export interface HookOpinion {
  decision: "none" | "allow" | "ask" | "deny";
  reasons: readonly string[];
  /** The hooks that said so. */
  names: readonly string[];
  /** The same, as a question names them: "hook NAME (file:line)". */
  labels: readonly string[];
}

export interface PermissionFacts {
  hook: HookOpinion;
  rules: RuleMatches;
  mode: PermissionMode;
  origin: CallOrigin;
  effect: ToolEffect;
  /** Hooks of the project that would have judged this call, had somebody approved them. */
  unreviewed: readonly string[];
  /** How a person gets to look at those. */
  reviewWays: string;
  /** Every path of the effect lies in the project, links resolved. */
  insideProject: boolean;
  /** Protected files that the call would write, or might. */
  protectedHits: readonly ProtectedHit[];
  /** Why a command is not known to only read; one that is has reading as its effect. */
  unproven?: string;
  /** A command of which nothing says that it does more than read, though that may not be proven. */
  believed?: BelievedReading;
  /** Whether a command can be run so that it changes nothing and reaches nobody, whatever it does. */
  readsAreBounded?: boolean;
  /** A folder outside of the project in which a command would work: there no rule for single commands allows it. */
  elsewhere?: string;
}

/** What a command reads that can do nothing else where it runs. */
export interface BelievedReading {
  /** As far as they are known. */
  paths: string[];
  /** All of them lie in the project. What else it might find outside is not there for it. */
  insideProject: boolean;
  /** git is among its programs: what it shows of a file comes from where git keeps it. */
  git: "none" | "reads" | "shows";
}

/**
 * What holds for a call that may run. "read-only": nobody said yes to it, and it runs because Wave takes it for one that only
 * reads; so it runs where it can do nothing else, as far as that can be had.
 */
export type Bounds = "none" | "read-only";

export type PermissionOutcome =
  /** `unseen`: which files are not there for it although it may come across them. */
  | { decision: "allow"; by: string; reason: string; bounds: Bounds; unseen?: string }
  | { decision: "deny"; by: string; reason: string }
  | { decision: "ask"; by: string; reason: string; askedBy: string[] };

/**
 * May a call run? In this order: a managed deny rule, a hook's deny, a deny rule, plan mode; then whoever wants a person to be
 * asked; then a hook's allow, an allow rule; then the mode. So nothing that lets through can lift anything that holds back.
 * Of those that deny all are named, the first one first. A command that a person typed differs in one place: it is the yes a
 * mode would ask for.
 */
export function decidePermission(facts: PermissionFacts): PermissionOutcome {
  const outcome = decideAsItIs(facts);
  if (outcome.decision === "allow" || !facts.readsAreBounded || !facts.believed) return outcome;
  const bounded = decideAsItIs(whereItOnlyReads(facts, facts.believed));
  if (bounded.decision !== "allow" || bounded.bounds !== "read-only") return outcome;
  return { ...bounded, ...unseenFiles(facts.rules) };
}

/**
 * The same call where it can do nothing but read: what it may write it cannot, and files that rules keep back are not there. Whoever
 * let it through has not done so for its being harmless, so that does not count here.
 */
function whereItOnlyReads(
  facts: PermissionFacts,
  { paths, insideProject, git }: BelievedReading,
): PermissionFacts {
  const { hook, rules } = facts;
  return {
    ...facts,
    effect: { does: "read", paths },
    insideProject,
    protectedHits: [],
    hook: hook.decision === "allow" ? SAID_NOTHING : hook,
    rules: {
      ...rules,
      allow: [],
      doubtful: rules.doubtful.filter(({ about }) => about !== "paths" || git === "shows"),
    },
  };
}

const SAID_NOTHING: HookOpinion = { decision: "none", reasons: [], names: [], labels: [] };

function decideAsItIs(facts: PermissionFacts): PermissionOutcome {
  const { hook, rules, mode, origin } = facts;
  const doing = doingOf(facts);
  const habit = MODE_TABLE[mode][doing];

  const denying = [
    ...rules.managedDeny.map((rule) => ruleVoice(rule, "denies this call")),
    ...(hook.decision === "deny" ? [voiceOf(hook, "denied this call without a reason")] : []),
    ...rules.deny.map((rule) => ruleVoice(rule, "denies this call")),
  ];
  if (denying.length > 0) return { decision: "deny", ...together(denying) };
  if (typeof habit === "object")
    return { decision: "deny", by: `mode ${mode}`, reason: habit.never(facts.unproven) };

  const asking = askersOf(facts);
  if (asking.length > 0) {
    const { by, reason } = together(asking);
    if (mode === "dontAsk")
      return { decision: "deny", by: `mode ${mode}`, reason: `${reason}\n${NOBODY_IS_ASKED}` };
    return { decision: "ask", by, reason, askedBy: asking.flatMap((voice) => voice.labels ?? [voice.by]) };
  }

  if (hook.decision === "allow")
    return { decision: "allow", ...voiceOf(hook, "allowed this call"), bounds: "none" };
  if (rules.allow.length > 0) {
    const allowing = rules.allow.map((rule) => ruleVoice(rule, "allows this call"));
    return { decision: "allow", ...together(allowing), bounds: "none" };
  }

  const by = `mode ${mode}`;
  const yes = YES_FOR_A_MODE[origin];
  if (habit === "allow") {
    const isBelieved = facts.believed !== undefined && MODE_TABLE[mode].run !== "allow" && !yes;
    const reason = `Mode ${mode} allows ${DOING[doing]}.`;
    return { decision: "allow", by, reason, bounds: isBelieved ? "read-only" : "none" };
  }
  if (yes) return { decision: "allow", ...yes, bounds: "none" };
  const where = doing === "run" ? whereOf(facts) : "";
  const reason = `Mode ${mode} asks before ${DOING[doing]}.${where}`;
  if (mode !== "dontAsk") return { decision: "ask", by, reason, askedBy: [by] };
  return {
    decision: "deny",
    by,
    reason: `A person would have to be asked before ${DOING[doing]}.${where} ${NOBODY_IS_ASKED}`,
  };
}

const whereOf = ({ elsewhere }: PermissionFacts) =>
  elsewhere === undefined
    ? ""
    : ` It works in ${brief(elsewhere)}, outside the project, where no rule for single commands counts.`;

/** What answers a mode that would ask, before anybody is asked. Nothing but a mode is answered by it. */
const YES_FOR_A_MODE: Record<CallOrigin, Voice | undefined> = {
  model: undefined,
  person: { by: "person", reason: "A person typed this command, which is the yes that a mode asks for." },
};

const NOBODY_IS_ASKED = "Mode dontAsk denies what would have to be asked.";

interface Voice {
  by: string;
  reason: string;
  /** As a question names them, where that differs from `by`. */
  labels?: readonly string[];
}

/** Everybody who wants a person to be asked whatever the mode. */
function askersOf({ hook, rules, unreviewed, reviewWays, protectedHits }: PermissionFacts): Voice[] {
  const hooks =
    hook.decision === "ask" ? [{ ...voiceOf(hook, "asks before this call"), labels: hook.labels }] : [];
  const unapproved = unreviewed.map((name) => ({
    by: `hook ${name}, which nobody approved`,
    reason: `Hook ${name} of this project would judge this call, and nobody has approved it in this form; ${reviewWays} shows it.`,
  }));
  const guarded = protectedHits.map(({ path, why }) => ({
    by: `protected path ${brief(path)}`,
    reason: `This would write ${brief(path)}: ${brief(why)}. Such a file is asked about in every mode.`,
  }));
  return [
    ...hooks,
    ...rules.ask.map((rule) => ruleVoice(rule, "asks before this call")),
    ...rules.doubtful.map((rule) => ruleVoice(rule, "may be about this call")),
    ...guarded,
    ...unapproved,
  ];
}

/** A hook's own words are passed on as they are: for a deny they are the tool's result. */
function voiceOf(hook: HookOpinion, otherwise: string): Voice {
  const by = hook.names.map((name) => `hook ${name}`).join(", ");
  return { by, reason: hook.reasons.length > 0 ? hook.reasons.join("\n") : `${sentence(by)} ${otherwise}.` };
}

function together(voices: readonly Voice[]): { by: string; reason: string } {
  return { by: voices.map(({ by }) => by).join(", "), reason: voices.map(({ reason }) => reason).join("\n") };
}

function ruleVoice({ rule, source, because }: MatchedRule, does: string): Voice {
  return { by: `rule ${rule}`, reason: `Rule ${rule} in ${source} ${does}: ${brief(because)}.` };
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function doingOf({ effect, insideProject }: PermissionFacts): Doing {
  switch (effect.does) {
    case "nothing":
    case "run":
    case "reach":
    case "leave-plan":
    case "ask-person":
    case "unknown":
      return effect.does;
    case "read":
    case "edit":
      return `${effect.does}-${insideProject ? "inside" : "outside"}`;
  }
}

import type { BroughtFiles } from "../permissions/treeDifference.ts";
import type { AgentEvent } from "../events.ts";
import type { HookFacts } from "../hooks/events.ts";
import type { DecisionRecord } from "../hooks/record.ts";
import type { TellModel } from "../hooks/run/carryOut.ts";
import type { JudgeOptions, Judgement } from "../session/judgement.ts";
import type { Bounds, HookOpinion } from "../permissions/decide.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import type { CallOrigin } from "../permissions/origin.ts";
import type { HiddenPlace } from "../permissions/readOnlyPlan.ts";
import type { SearchFilter } from "../permissions/searchFilter.ts";
import type { RuleOffer } from "../permissions/request.ts";
import type { Said } from "../session/hookPipeline.ts";
import type { Attempts, PersonSays, Question } from "../session/person.ts";
import type { Tool } from "../tools/tool.ts";
import type { CallFacts, FittingCall } from "./callFacts.ts";

/** Whoever asks hooks. */
export interface AsksHooks {
  judge(event: "PreToolUse", facts: HookFacts<"PreToolUse">, options: JudgeOptions): Promise<Judgement>;
}

/** Whoever decides: rules and mode. */
export interface Decides {
  readonly mode: PermissionMode;
  /** What an input would touch. Paths in it are absolute. */
  see(tool: Tool | undefined, input: Record<string, unknown>): CallFacts;
  absolutePath(path: string): string;
  /** What only git knows. */
  lookAhead(call: SeenInputs, signal: AbortSignal): Promise<Ahead>;
  decide(call: SeenInputs & { origin: CallOrigin; ahead: Ahead }, opinion: Opinion): PolicyDecision;
}

/** Whoever can be asked. */
export interface Asks {
  readonly canAsk: boolean;
  isAskedAboutFailures(mode: PermissionMode): boolean;
  ask(question: Question, attempts: Attempts, signal: AbortSignal): Promise<PersonSays>;
}

/** Whoever does what hooks said, writes down what was decided, and tells. */
export interface Records {
  conclude(event: "PreToolUse", said: Said, rest: Partial<DecisionRecord>): { after: TellModel[] };
  notice(level: Extract<AgentEvent, { type: "notice" }>["level"], text: string): void;
}

/** Deny and ask rules judge both. */
export interface SeenInputs {
  /** What would run. */
  final: FittingCall;
  /** What the model asked for, when hooks changed it and it could have run. */
  original: FittingCall | undefined;
}

export interface Ahead {
  /** What git said about the call. */
  brought: BroughtFiles;
  /** Once it has run: what a person has to be told. */
  lookAgain(): Promise<string[]>;
}

/** What hooks make of a call, as far as rules and mode care. */
export interface Opinion {
  hook: HookOpinion;
  /** Names of hooks that would have judged the call, had somebody approved them. */
  unreviewed: readonly string[];
}

/** What rules, mode and hooks come to, before a person is asked. */
export interface PolicyDecision {
  decision: "allow" | "ask" | "deny";
  by: string;
  reason: string;
  askedBy: string[];
  /** What holds for it if it runs without anybody being asked. */
  bounds: Bounds;
  /** Which files are then not there for it, as a sentence. */
  unseen?: string;
  /** The rules that spoke, for the record. */
  rules: NonNullable<DecisionRecord["rules"]>;
  /** For a question: the rule that would have spared it. */
  offer: () => RuleOffer;
  /** For a tool that comes across files its input does not name: which of them it must leave out. */
  searchFilter: SearchFilter | undefined;
  /** Files that rules keep back and that exist: what a command that runs in a sandbox does not see. */
  hidden: (bounds: Bounds) => readonly HiddenPlace[];
  /** Every name of every file that the call was judged for. */
  judgedFiles: readonly string[];
  /** Of a call that reaches a host: an allow rule names it. */
  namedHost: boolean;
}

/** Nobody looks ahead for a call that is refused anyway. */
export const NOT_AHEAD: Ahead = { brought: () => undefined, lookAgain: async () => [] };

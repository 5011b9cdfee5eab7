import { ON_ERROR, type OnError } from "../hooks/failurePolicy.ts";
import { decidePermission, type HookOpinion, type PermissionOutcome } from "./decide.ts";
import { DOINGS, type Doing } from "./modeTable.ts";
import type { ToolEffect } from "./effect.ts";
import type { MatchedRule, RuleMatches } from "./matchRules.ts";
import { PERMISSION_MODES, type PermissionMode } from "./modes.ts";
import type { CallOrigin } from "./origin.ts";

export const OPINIONS = ["none", "allow", "ask", "deny"] as const;
export type Opinion = (typeof OPINIONS)[number];

/** Everything a hook can come to: an opinion, another input, or a failure under one of the words of `onError`. */
export type HookWord = Opinion | "rewrite" | `failed, ${OnError}`;
export const HOOK_WORDS: readonly HookWord[] = [
  ...OPINIONS,
  "rewrite",
  ...ON_ERROR.map((word) => `failed, ${word}` as const),
];

/** Whether a question would reach a person. */
export const ANSWERING = ["somebody", "nobody"] as const;
export type Answering = (typeof ANSWERING)[number];

export interface DecisionRow {
  hook: HookWord;
  rule: Opinion;
  mode: PermissionMode;
  doing: Doing;
  answering: Answering;
  decision: PermissionOutcome["decision"];
  /** Who decided, and why: before a question is put to anybody. */
  outcome: PermissionOutcome;
}

/** Every combination and what becomes of it, asked of the function that decides: the documentation prints this. */
export function decisionTable(origin: CallOrigin = "model"): DecisionRow[] {
  return PERMISSION_MODES.flatMap((mode) =>
    DOINGS.flatMap((doing) =>
      HOOK_WORDS.flatMap((hook) =>
        OPINIONS.flatMap((rule) =>
          ANSWERING.map((answering) => rowOf({ hook, rule, mode, doing, answering }, origin)),
        ),
      ),
    ),
  );
}

function rowOf(row: Omit<DecisionRow, "outcome" | "decision">, origin: CallOrigin): DecisionRow {
  const { hook, rule, mode, doing, answering } = row;
  const outcome = decidePermission({
    hook: hookSaying(MEANS[hook]),
    rules: rulesSaying(rule),
    mode,
    origin,
    effect: EFFECTS[doing],
    unreviewed: [],
    reviewWays: "",
    insideProject: doing.endsWith("-inside"),
    protectedHits: [],
  });
  return { ...row, outcome, decision: answered(held(outcome.decision, hook, mode), answering) };
}

/**
 * What each word is to the function that decides. A rewrite is no opinion: the new input is judged like any other. A hook
 * that blocks because it failed has not said no, so it leaves the others their say and holds back what they let through.
 */
const MEANS: Record<HookWord, Opinion> = {
  none: "none",
  allow: "allow",
  ask: "ask",
  deny: "deny",
  rewrite: "none",
  "failed, continue": "none",
  "failed, ask": "ask",
  "failed, block": "none",
};

function held(
  decision: DecisionRow["decision"],
  hook: HookWord,
  mode: PermissionMode,
): DecisionRow["decision"] {
  if (hook !== "failed, block" || decision === "deny") return decision;
  return mode === "dontAsk" ? "deny" : "ask";
}

/** Where nobody can answer, a question is a no (PD-3). */
const answered = (decision: DecisionRow["decision"], by: Answering): DecisionRow["decision"] =>
  decision === "ask" && by === "nobody" ? "deny" : decision;

function hookSaying(decision: Opinion): HookOpinion {
  return decision === "none"
    ? { decision, reasons: [], names: [], labels: [] }
    : { decision, reasons: [], names: ["example"], labels: ["example"] };
}

function rulesSaying(opinion: Opinion): RuleMatches {
  const speaking = (behavior: Opinion): MatchedRule[] => (opinion === behavior ? [EXAMPLE_RULE] : []);
  return {
    managedDeny: [],
    deny: speaking("deny"),
    ask: speaking("ask"),
    allow: speaking("allow"),
    doubtful: [],
  };
}

const EXAMPLE_RULE: MatchedRule = {
  rule: "Example",
  source: "settings.json",
  because: "it is about this tool",
};

const EFFECTS: Record<Doing, ToolEffect> = {
  nothing: { does: "nothing" },
  "read-inside": { does: "read", paths: ["/project/file"] },
  "read-outside": { does: "read", paths: ["/elsewhere/file"] },
  "edit-inside": { does: "edit", paths: ["/project/file"] },
  "edit-outside": { does: "edit", paths: ["/elsewhere/file"] },
  run: { does: "run", command: "program" },
  reach: { does: "reach", hosts: ["example.com"] },
  "leave-plan": { does: "leave-plan" },
  "ask-person": { does: "ask-person" },
  unknown: { does: "unknown", touches: [] },
};

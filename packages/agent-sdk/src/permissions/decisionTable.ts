import { decidePermission, DOINGS, type Doing, type HookOpinion, type PermissionOutcome } from "./decide.ts";
import type { ToolEffect } from "./effect.ts";
import type { MatchedRule, RuleMatches } from "./matchRules.ts";
import { PERMISSION_MODES, type PermissionMode } from "./modes.ts";
import type { CallOrigin } from "./origin.ts";

export const OPINIONS = ["none", "allow", "ask", "deny"] as const;
export type Opinion = (typeof OPINIONS)[number];

export interface DecisionRow {
  hook: Opinion;
  rule: Opinion;
  mode: PermissionMode;
  doing: Doing;
  outcome: PermissionOutcome;
}

/** Every combination and its outcome, asked of the function that decides: the documentation prints this. */
export function decisionTable(origin: CallOrigin = "model"): DecisionRow[] {
  return PERMISSION_MODES.flatMap((mode) =>
    DOINGS.flatMap((doing) =>
      OPINIONS.flatMap((hook) =>
        OPINIONS.map((rule) => ({
          hook,
          rule,
          mode,
          doing,
          outcome: outcomeOf({ hook, rule, mode, doing }, origin),
        })),
      ),
    ),
  );
}

function outcomeOf(
  { hook, rule, mode, doing }: Omit<DecisionRow, "outcome">,
  origin: CallOrigin,
): PermissionOutcome {
  return decidePermission({
    hook: hookSaying(hook),
    rules: rulesSaying(rule),
    mode,
    origin,
    effect: EFFECTS[doing],
    unreviewed: [],
    insideProject: doing.endsWith("-inside"),
    protectedHits: [],
  });
}

function hookSaying(decision: Opinion): HookOpinion {
  return decision === "none"
    ? { decision, reasons: [], names: [] }
    : { decision, reasons: [], names: ["example"] };
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
};

import {
  decisionTable,
  HOOK_WORDS,
  OPINIONS,
  type DecisionRow,
  type HookWord,
  type Opinion,
} from "../../packages/agent-sdk/src/permissions/decisionTable.ts";
import { DOINGS, type Doing } from "../../packages/agent-sdk/src/permissions/modeTable.ts";
import { PERMISSION_MODES } from "../../packages/agent-sdk/src/permissions/modes.ts";
import { PROTECTED } from "../../packages/agent-sdk/src/permissions/protectedPaths.ts";
import { code, table } from "./markdown.ts";

const DOING: Record<Doing, string> = {
  nothing: "touches nothing",
  "read-inside": "reads in the project",
  "read-outside": "reads elsewhere",
  "edit-inside": "edits in the project",
  "edit-outside": "edits elsewhere",
  run: "runs a command",
  reach: "talks to other machines",
  "leave-plan": "ends plan mode",
  "ask-person": "asks you something",
  unknown: "may do anything",
};

const SAYS: Record<HookWord, string> = {
  none: "nothing",
  allow: "allow",
  ask: "ask",
  deny: "deny",
  rewrite: "another input",
  "failed, continue": "failed, `onError: continue`",
  "failed, ask": "failed, `onError: ask`",
  "failed, block": "failed, `onError: block`",
};

const rows = decisionTable();

function outcome(wanted: Partial<DecisionRow>, among: readonly DecisionRow[] = rows): string {
  const row = among.find((one) =>
    Object.entries({ answering: "somebody", ...wanted }).every(([key, value]) =>
      Object.entries(one).some(([k, v]) => k === key && v === value),
    ),
  );
  return row?.decision ?? "";
}

/** What a mode does when neither hook nor rule has spoken. */
export function modeTable(): string {
  return table(
    ["A call that", ...PERMISSION_MODES.map((mode) => `\`${mode}\``)],
    DOINGS.map((doing) => [
      DOING[doing],
      ...PERMISSION_MODES.map((mode) => outcome({ hook: "none", rule: "none", mode, doing })),
    ]),
  );
}

/** Files that are asked about in every mode. */
export function protectedTable(): string {
  return table(
    ["Of", "Names", "Because"],
    PROTECTED.map(({ group, names, why }) => [group, names.map(code).join(", "), why]),
  );
}

/** Hook against rule, for a command: the columns are the modes. */
export const decisionMatrix = (): string => matrixOf(rows);

/** The same for a command that a person typed. */
export const typedMatrix = (): string => matrixOf(decisionTable("person"));

/** Hooks that come to the same share their rows, and so do rules. */
function matrixOf(among: readonly DecisionRow[]): string {
  const columnsOf = (hook: HookWord, rule: Opinion) =>
    PERMISSION_MODES.map((mode) => outcome({ hook, rule, mode, doing: "run" }, among));
  const rulesOf = (hook: HookWord) => grouped(OPINIONS, (rule) => columnsOf(hook, rule).join());
  const hooks = grouped(HOOK_WORDS, (hook) => OPINIONS.map((rule) => columnsOf(hook, rule).join()).join());
  return table(
    ["Hook says", "Rule says", ...PERMISSION_MODES.map((mode) => `\`${mode}\``)],
    hooks.flatMap((same) =>
      rulesOf(same[0]).map((rules) => [
        same.map((hook) => SAYS[hook]).join("; "),
        rules.length === OPINIONS.length ? "anything" : rules.map((rule) => RULE_SAYS[rule]).join(", "),
        ...columnsOf(same[0], rules[0]),
      ]),
    ),
  );
}

const RULE_SAYS: Record<Opinion, string> = { none: "nothing", allow: "allow", ask: "ask", deny: "deny" };

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}

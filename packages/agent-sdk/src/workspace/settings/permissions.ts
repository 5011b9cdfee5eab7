import { isOfProject, type SettingsScope } from "../../hooks/definition.ts";
import { permissionsSchema } from "./schema.ts";
import { RULE_BEHAVIORS, type RulePlace } from "../../permissions/matchRules.ts";
import type { PermissionMode } from "../../permissions/modes.ts";
import { understandRule } from "../../permissions/understandRule.ts";
import { isTypoOf, lettersOf, nearestName } from "../../utils/nearestName.ts";
import { quoted } from "../../utils/quoted.ts";
import { guardMisspelt } from "./keys.ts";
import { fieldOf, fieldsOf, kindOf, plainValue, type SettingsNode, type SettingsObject } from "./node.ts";
import { whyWrong, type Report } from "./problem.ts";
import { PROJECT_MODES } from "./projectLimits.ts";
import { once } from "../../utils/once.ts";

export interface PermissionsPlace {
  scope: SettingsScope;
  file: string;
  projectDir: string;
  knownTools: readonly string[];
}

export interface PermissionRuleSource {
  rule: string;
  behavior: "allow" | "ask" | "deny";
  scope: SettingsScope;
  file: string | undefined;
  line: number | undefined;
  /** What a relative path in the rule is relative to. */
  base: string;
  /** What is written there, when it cannot be read and `rule` holds in its place. */
  unread?: string;
}

/** Where a person would change it; undefined for one that a program or a flag gave. */
export const placeOfRule = ({
  scope,
  file,
}: Pick<PermissionRuleSource, "scope" | "file">): RulePlace | undefined =>
  file === undefined ? undefined : { scope, file };

export interface FilePermissions {
  rules: PermissionRuleSource[];
  defaultMode: PermissionMode | undefined;
  modeLine: number | undefined;
}

const NO_PERMISSIONS: FilePermissions = { rules: [], defaultMode: undefined, modeLine: undefined };

export function readPermissions(
  root: SettingsObject,
  place: PermissionsPlace,
  report: Report,
): FilePermissions {
  const read = fieldsOf(root, "permissions").map((node) => readOne(node, place, report));
  const modes = read.flatMap((one) => (one.modeLine === undefined ? [] : [one]));
  const last = modes.at(-1);
  if (modes.length > 1)
    report(
      "warning",
      { path: "permissions.defaultMode", line: last?.modeLine },
      'there is more than one "permissions" with a defaultMode; only the last one counts',
    );
  return { ...NO_PERMISSIONS, ...last, rules: read.flatMap(({ rules }) => rules) };
}

function readOne(permissions: SettingsNode, place: PermissionsPlace, report: Report): FilePermissions {
  if (permissions.type !== "object") {
    // Like `hooks`: what should have been denied is unknown, so going on would be going on unguarded.
    report(
      "fatal",
      permissions,
      `permissions must be an object with allow, ask and deny, not ${kindOf(permissions)}`,
    );
    return NO_PERMISSIONS;
  }
  for (const { key, node } of permissions.entries) reportUnknownKey(key, node, report);
  const rules = RULE_BEHAVIORS.flatMap((behavior) =>
    fieldsOf(permissions, behavior).flatMap((list) => readRules(list, behavior, place, report)),
  );
  const mode = fieldOf(permissions, "defaultMode");
  return { rules, defaultMode: readMode(mode, place.scope, report), modeLine: mode?.line };
}

const keys = once(() => Object.keys(permissionsSchema().shape));

/** The lists that hold back, and what people call them that is no typing mistake. */
const GUARDS: readonly [name: "deny" | "ask", others: readonly string[]][] = [
  ["deny", ["denied", "denies", "denylist", "disallow", "disallowed"]],
  ["ask", ["asked", "asklist"]],
];

function reportUnknownKey(key: string, node: SettingsNode, report: Report): void {
  if (keys().includes(key)) return;
  const what = "a setting of permissions";
  const guard = GUARDS.find(([name, others]) => isTypoOf(key, name) || others.includes(lettersOf(key)))?.[0];
  if (guard !== undefined) {
    report("fatal", node, guardMisspelt(key, what, guard));
    return;
  }
  const nearest = nearestName(key, keys());
  const hint = nearest === undefined ? "" : `; did you mean ${quoted(nearest)}?`;
  report("warning", node, `${quoted(key)} is not ${what} and is not used${hint}`);
}

function readRules(
  list: SettingsNode,
  behavior: PermissionRuleSource["behavior"],
  { scope, file, projectDir, knownTools }: PermissionsPlace,
  report: Report,
): PermissionRuleSource[] {
  return rulesIn(list, behavior, report).flatMap((node) => {
    if (node.type !== "value" || typeof node.value !== "string" || node.value.trim() === "") {
      const must = `a rule must be a text such as "Bash(git status:*)", not ${kindOf(node)}`;
      if (behavior === "allow") {
        report("error", node, must);
        return [];
      }
      // Not even its tool can be told, so it may have been about any.
      report("error", node, `${must}; until you fix it, Wave asks before every call`);
      const all = { rule: "*", behavior: "ask", unread: kindOf(node) } as const;
      return [{ ...all, scope, file, line: node.line, base: projectDir }];
    }
    const { rule, said } = understandRule(node.value, behavior, knownTools);
    if (said !== undefined) report(said.severity, node, said.message);
    // Also a rule of a user's own file speaks of the project that Wave runs in.
    return rule === undefined ? [] : [{ ...rule, scope, file, line: node.line, base: projectDir }];
  });
}

function rulesIn(
  list: SettingsNode,
  behavior: PermissionRuleSource["behavior"],
  report: Report,
): SettingsNode[] {
  if (list.type === "list") return list.items;
  if (list.type === "value" && typeof list.value === "string") {
    report(
      "warning",
      list,
      `${behavior} must be a list of rules; this text is read as its only rule, write [ ] around it`,
    );
    return [list];
  }
  const severity = behavior === "allow" ? "error" : "fatal";
  report(severity, list, `${behavior} must be a list of rules, not ${kindOf(list)}`);
  return [];
}

function readMode(
  field: SettingsNode | undefined,
  scope: SettingsScope,
  report: Report,
): PermissionMode | undefined {
  if (field === undefined) return undefined;
  const { success, data: mode, error } = permissionsSchema().shape.defaultMode.safeParse(plainValue(field));
  if (!success) {
    report("error", field, whyWrong("defaultMode", error, field));
    return undefined;
  }
  if (mode !== undefined && isOfProject(scope) && !PROJECT_MODES.includes(mode)) {
    const may = PROJECT_MODES.map(quoted).join(" or ");
    report(
      "warning",
      field,
      `a project's file may set defaultMode only to ${may}; ${quoted(mode)} is not used`,
    );
    return undefined;
  }
  return mode;
}

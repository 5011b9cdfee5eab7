import { isOfProject, type SettingsScope } from "../../hooks/definition.ts";
import { permissionsSchema } from "../../hooks/settingsSchema.ts";
import type { PermissionMode } from "../../permissions/modes.ts";
import { parseRule } from "../../permissions/rules.ts";
import { nearestName } from "../../utils/nearestName.ts";
import { quoted } from "../../utils/quoted.ts";
import type { PermissionRuleSource } from "../settings.ts";
import { fieldOf, kindOf, plainValue, type SettingsNode, type SettingsObject } from "./node.ts";
import { whyWrong, type Report } from "./problem.ts";
import { PROJECT_MODES } from "./projectLimits.ts";

export interface PermissionsPlace {
  scope: SettingsScope;
  file: string;
  projectDir: string;
}

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
  const permissions = fieldOf(root, "permissions");
  if (permissions === undefined) return NO_PERMISSIONS;
  if (permissions.type !== "object") {
    // Like `hooks`: what should have been denied is unknown, so going on would be going on unguarded.
    report(
      "fatal",
      permissions,
      `permissions must be an object with allow, ask and deny, not ${kindOf(permissions)}`,
    );
    return NO_PERMISSIONS;
  }
  const known = Object.keys(permissionsSchema.shape);
  for (const { key, node } of permissions.entries) {
    if (known.includes(key)) continue;
    const nearest = nearestName(key, known);
    const hint = nearest === undefined ? "" : `; did you mean ${quoted(nearest)}?`;
    report("warning", node, `${quoted(key)} is not a setting of permissions and is not used${hint}`);
  }
  const rules = (["allow", "ask", "deny"] as const).flatMap((behavior) =>
    readRules(fieldOf(permissions, behavior), behavior, place, report),
  );
  const mode = fieldOf(permissions, "defaultMode");
  return { rules, defaultMode: readMode(mode, place.scope, report), modeLine: mode?.line };
}

function readRules(
  list: SettingsNode | undefined,
  behavior: PermissionRuleSource["behavior"],
  { scope, file, projectDir }: PermissionsPlace,
  report: Report,
): PermissionRuleSource[] {
  if (list === undefined) return [];
  return rulesIn(list, behavior, report).flatMap((node) => {
    if (node.type !== "value" || typeof node.value !== "string" || node.value.trim() === "") {
      report("error", node, `a rule must be a text such as "Bash(git status:*)", not ${kindOf(node)}`);
      return [];
    }
    const rule = parseRule(node.value);
    if ("problem" in rule) {
      // An allow rule that is missing costs a question; a deny or ask rule that is missing lets something through.
      const severity = behavior === "allow" ? "warning" : "error";
      report(severity, node, `${rule.problem.replace(/\.$/, "")}; it ${NOT_IN_FORCE[behavior]}`);
      return [];
    }
    // Also a rule of a user's own file speaks of the project that Wave runs in.
    return [{ rule: node.value, behavior, scope, file, line: node.line, base: projectDir }];
  });
}

const NOT_IN_FORCE = {
  allow: "allows nothing until it is mended",
  ask: "asks about nothing until it is mended",
  deny: "denies nothing until it is mended",
};

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
  const { success, data: mode, error } = permissionsSchema.shape.defaultMode.safeParse(plainValue(field));
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

import { quoted } from "../../utils/quoted.ts";
import type { NodePlace, SettingsNode, SettingsObject } from "./node.ts";
import type { Report } from "./problem.ts";

/** What an object of the settings is, as far as names in it may be repeated. */
type Role = "root" | "hooks" | "event" | "permissions" | "other";

/** Where a name that is there twice counts twice: of what guards nothing is lost to a second line. */
const ADD_UP: Record<Role, (key: string) => boolean> = {
  root: (key) => key === "hooks" || key === "permissions" || key === "hookDefaults",
  hooks: () => true,
  event: (key) => key === "hooks",
  permissions: (key) => key === "allow" || key === "ask" || key === "deny",
  other: () => false,
};

function roleBelow(role: Role, key: string): Role {
  if (role === "root") return key === "hooks" || key === "permissions" ? key : "other";
  return role === "hooks" ? "event" : "other";
}

/** JSON lets a name appear twice and drops the first one without a word. Wave says so. */
export function reportRepeatedNames(root: SettingsObject, report: Report): void {
  reportIn(root, "root", report);
}

function reportIn(node: SettingsNode, role: Role, report: Report): void {
  if (node.type === "value") return;
  if (node.type === "list") {
    // The list of an event holds groups, which share its role.
    for (const item of node.items) reportIn(item, role, report);
    return;
  }
  const seen = new Map<string, NodePlace>();
  for (const { key, node: field } of node.entries) {
    reportIn(field, roleBelow(role, key), report);
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, field);
      continue;
    }
    const meaning = ADD_UP[role](key) ? "both count" : "only the last one counts";
    report(
      "warning",
      field,
      `${quoted(key)} is here a second time after line ${first.line ?? "?"}; ${meaning}`,
    );
  }
}

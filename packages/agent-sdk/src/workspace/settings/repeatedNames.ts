import { RULE_BEHAVIORS } from "../../permissions/matchRules.ts";
import { quoted } from "../../utils/quoted.ts";
import type { NodePlace, SettingsNode, SettingsObject } from "./node.ts";
import type { Report } from "./problem.ts";

/** What an object of the settings is, as far as names in it may be repeated. */
type Role = "root" | "hooks" | "event" | "entry" | "onError" | "permissions" | "other";

type Meaning = "both count" | "the stricter one counts" | "only the last one counts";

/** What becomes of a name that is there twice: of what guards nothing is lost to a second line. */
const MEANINGS: Record<Role, (key: string) => Meaning> = {
  root: addUp((key) => key === "hooks" || key === "permissions" || key === "hookDefaults"),
  hooks: addUp(() => true),
  event: addUp((key) => key === "hooks"),
  entry: (key) => (key === "onError" ? "the stricter one counts" : "only the last one counts"),
  onError: () => "the stricter one counts",
  permissions: addUp((key) => RULE_BEHAVIORS.some((behavior) => behavior === key)),
  other: addUp(() => false),
};

function addUp(does: (key: string) => boolean): (key: string) => Meaning {
  return (key) => (does(key) ? "both count" : "only the last one counts");
}

function roleBelow(role: Role, key: string): Role {
  if (role === "root" && key === "hookDefaults") return "entry";
  if (role === "root") return key === "hooks" || key === "permissions" ? key : "other";
  if (role === "event" && key === "hooks") return "entry";
  if (role === "entry" && key === "onError") return "onError";
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
    report(
      "warning",
      field,
      `${quoted(key)} is here a second time after line ${first.line ?? "?"}; ${MEANINGS[role](key)}`,
    );
  }
}

import { quoted } from "../../utils/quoted.ts";
import type { NodePlace, SettingsNode } from "./node.ts";
import type { Report } from "./problem.ts";

/** JSON lets a name appear twice and drops the first one without a word. Wave says so. */
export function reportRepeatedNames(node: SettingsNode, report: Report): void {
  const children =
    node.type === "object" ? node.entries.map((entry) => entry.node) : node.type === "list" ? node.items : [];
  for (const child of children) reportRepeatedNames(child, report);
  if (node.type !== "object") return;

  const seen = new Map<string, NodePlace>();
  for (const { key, node: field } of node.entries) {
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, field);
      continue;
    }
    const isAdded = key === "hooks" ? node.path === "" : node.path === "hooks";
    const meaning = isAdded ? "both count" : "only the last one counts";
    report(
      "warning",
      field,
      `${quoted(key)} is here a second time after line ${first.line ?? "?"}; ${meaning}`,
    );
  }
}

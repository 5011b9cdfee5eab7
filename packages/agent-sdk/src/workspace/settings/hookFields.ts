import { nearestName } from "../../utils/nearestName.ts";
import { quoted } from "../../utils/quoted.ts";
import type { SettingsObject } from "./node.ts";
import { isMeantAsOnError } from "./onErrorSetting.ts";
import type { Report } from "./problem.ts";

/** Handler types that exist elsewhere and that existing settings may name. */
export const HANDLER_TYPES: ReadonlySet<string> = new Set(["mcp_tool", "agent", "function"]);

export function reportUnknownFields(node: SettingsObject, known: readonly string[], report: Report): void {
  for (const { key, node: field } of node.entries) {
    if (known.includes(key) || isMeantAsOnError(key)) continue;
    const nearest = nearestName(key, known);
    const meant =
      nearest === undefined ? `known are ${known.join(", ")}` : `did you mean ${quoted(nearest)}?`;
    report("warning", field, `${quoted(key)} is not a field of a hook and is not used; ${meant}`);
  }
}

import { isOfProject } from "../../hooks/definition.ts";
import { listedRule, type ListedRule } from "../../permissions/ruleList.ts";
import { placeOfRule } from "../settings/permissions.ts";
import type { Settings } from "../settings/settings.ts";
import { ownSettingsFiles, settingsFilesOf, type SettingsFolders } from "../settings/sources.ts";
import { readProjectTrust } from "./trust.ts";

/** Every rule of the settings files, as a session would have them that began now. */
export function listRules(
  { hooks, permissions, ofProject }: Settings,
  folders: Omit<SettingsFolders, "managedFile"> & { managedFile?: string },
): ListedRule[] {
  const { managedFile = "", ...places } = folders;
  const { rules } = permissions;
  const { items } = readProjectTrust({ ...places, hooks, rules, ofProject });
  const open = new Set(
    items.flatMap(({ item, state }) =>
      item.kind === "allow-rule" && state !== "reviewed" ? [item.rule] : [],
    ),
  );
  const own = ownSettingsFiles(settingsFilesOf({ ...places, managedFile }));
  const listed = rules.map((one) => {
    const waits = one.behavior === "allow" && isOfProject(one.scope) && open.has(one.rule);
    const state = waits ? "not approved" : one.unread === undefined ? "active" : "unreadable";
    return listedRule(
      { rule: one.unread ?? one.rule, behavior: one.behavior, place: placeOfRule(one), state },
      own,
    );
  });
  return listed.toSorted((one, other) => Number(isManaged(other)) - Number(isManaged(one)));
}

const isManaged = ({ scope }: ListedRule) => scope === "managed";

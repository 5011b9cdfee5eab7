import type { SettingsObject } from "../node.ts";
import type { Report } from "../problem.ts";
import type { SettingsDialect } from "./dialect.ts";

/** `hooks/hooks.json` of a plugin, or the manifest that has its hooks in it: of both, only the hooks are settings. */
export const PLUGIN: SettingsDialect = {
  id: "claude-plugin",
  agent: "Claude Code",
  hookDialect: "claude-code",
  isOwn: false,
  translate,
};

function translate(root: SettingsObject, report: Report): SettingsObject {
  const modules = root.entries.find(({ key }) => key === "modules");
  if (modules)
    report(
      "warning",
      modules.node,
      "modules are code that would run inside of the agent, and Wave runs none; hooks that are programs run",
    );
  return { ...root, entries: root.entries.filter(({ key }) => key === "hooks") };
}

import { join } from "node:path";
import type { SettingsDialect } from "@/workspace/settings/dialects/dialect.ts";
import type { SettingsSource } from "@/workspace/settings/sources.ts";

/** `{"before": …}` is `{"hooks": {"PreToolUse": …}}`; what Wave knows by its own name stays, and `color` has no counterpart. */
export const TINY: SettingsDialect = {
  id: "tiny",
  agent: "Tiny",
  isOwn: true,
  translate: (root, report) => ({
    ...root,
    entries: root.entries.flatMap(({ key, node }) => {
      if (key === "color") report("warning", node, "color has no counterpart in Wave");
      if (key === "color") return [];
      if (key !== "before") return [{ key, node }];
      const { path, line } = node;
      return [{ key: "hooks", node: { path, line, type: "object", entries: [{ key: "PreToolUse", node }] } }];
    }),
  }),
};

/** The smallest second source there can be, of the project's voice. All of it stands in this file. */
export const TINY_SOURCE: SettingsSource = {
  id: "tiny",
  scope: "project",
  dialect: TINY,
  isRead: "always",
  variables: () => ({}),
  fileIn: ({ projectDir }) => join(projectDir, ".tiny.json"),
};

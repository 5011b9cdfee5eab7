import type { SettingsDialect } from "./dialect.ts";

/** Factory's droid as of 0.215: its hooks are written, read and answered as Claude Code's. */
export const DROID: SettingsDialect = {
  id: "droid",
  agent: "Factory droid",
  hookDialect: "claude-code",
  isOwn: false,
  translate: (root) => ({ ...root, entries: root.entries.filter(({ key }) => key === "hooks") }),
};

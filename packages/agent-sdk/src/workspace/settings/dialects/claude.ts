import type { SettingsObject } from "../node.ts";
import type { Report } from "../problem.ts";
import type { SettingsDialect } from "./dialect.ts";

/** Claude Code's settings as of 2.1.325: its hooks have the format that Wave has, and more events. */
export const CLAUDE: SettingsDialect = {
  id: "claude-code",
  agent: "Claude Code",
  hookDialect: "claude-code",
  isOwn: false,
  translate,
};

/** Of `permissions`: what holds back. What lets pass was said to another program. */
const HOLDING = ["deny", "ask"];

function translate(root: SettingsObject, report: Report): SettingsObject {
  const used: SettingsObject["entries"] = [];
  const unused: string[] = [];
  for (const { key, node } of root.entries) {
    if (key === "hooks") used.push({ key, node });
    else if (key === "permissions" && node.type === "object") {
      const entries = node.entries.filter((entry) => HOLDING.includes(entry.key));
      used.push({ key, node: { ...node, entries } });
      unused.push(
        ...node.entries.filter((entry) => !entries.includes(entry)).map((one) => `${key}.${one.key}`),
      );
    } else if (key !== "$schema") unused.push(key);
  }
  const says = used.some(({ node }) => node.type !== "object" || node.entries.length > 0);
  if (says && unused.length > 0)
    report("warning", { path: "", line: undefined }, `${USED} Not used: ${unused.join(", ")}`);
  return { ...root, entries: used };
}

const USED = "of settings for Claude Code, Wave uses hooks, and the deny and ask rules of permissions.";

import { join } from "node:path";
import type { SettingsProblem } from "./problem.ts";
import { fieldsOf, type SettingsNode } from "./node.ts";
import { readSettingsFile } from "./readFile.ts";

/** Settings files of another agent whose hooks Wave does not run: who expects a guard must hear that it is not there. */
const FILES = [
  { agent: "Claude Code", below: "project", path: [".claude", "settings.json"] },
  { agent: "Claude Code", below: "project", path: [".claude", "settings.local.json"] },
  { agent: "Claude Code", below: "home", path: [".claude", "settings.json"] },
] as const;

const OWN_FILE = { project: ".wave/settings.json", home: "~/.wave/settings.json" } as const;

/** One line for each such file that has hooks: how many, where, and what to do. */
export function hooksOfOtherAgents(folders: {
  project: string;
  /** The person's home folder; absent where nobody knows it. */
  home: string | undefined;
}): SettingsProblem[] {
  const seen = new Set<string>();
  return FILES.flatMap(({ agent, below, path }): SettingsProblem[] => {
    const folder = folders[below];
    if (folder === undefined) return [];
    const file = join(folder, ...path);
    const read = readSettingsFile(below === "home" ? "user" : "project", file);
    if (read.found === "nothing") return [];
    const warning = { severity: "warning", file, line: undefined, path: undefined } as const;
    if (read.found === "problem")
      return [
        { ...warning, message: `hooks of ${agent} may be in here, but Wave cannot read it to count them` },
      ];
    // In the home folder the project's file and the person's are one.
    if (seen.has(read.real)) return [];
    seen.add(read.real);
    const [hooks] = fieldsOf(read.root, "hooks");
    const count = fieldsOf(read.root, "hooks").reduce((sum, node) => sum + hooksIn(node), 0);
    if (count === 0) return [];
    const [what, them] = count === 1 ? ["1 hook", "it"] : [`${count} hooks`, "them"];
    return [
      {
        ...warning,
        line: hooks?.line,
        path: "hooks",
        message: `Wave does not run the ${what} for ${agent} in this file; to use ${them}, copy "hooks" to ${OWN_FILE[below]} (same format)`,
      },
    ];
  });
}

/** `{"hooks": {<event>: [{"matcher": …, "hooks": [<hook>, …]}]}}`. Something else that stands there may be meant as a hook, too. */
function hooksIn(hooks: SettingsNode): number {
  if (hooks.type !== "object") return 1;
  const groups = hooks.entries.flatMap(({ node }) => (node.type === "list" ? node.items : [node]));
  return groups.reduce((sum, group) => {
    const [inner] = group.type === "object" ? fieldsOf(group, "hooks") : [];
    return sum + (inner?.type === "list" ? inner.items.length : 1);
  }, 0);
}

import { hooksIn } from "./countHooks.ts";
import type { SettingsFile } from "./readFile.ts";
import { fieldsOf } from "./node.ts";
import type { SettingsProblem } from "./problem.ts";
import type { SourceFile } from "./sources.ts";

/** One line on a file with hooks for another agent that nobody wanted to run so far: how many, where, and what to do. */
export function hooksNotWanted(
  { source, file }: SourceFile,
  read: Exclude<SettingsFile, { found: "nothing" }>,
  userFile: string,
): SettingsProblem[] {
  const { agent, id } = source.dialect;
  const warning = { severity: "warning", file, line: undefined, path: undefined } as const;
  if (read.found === "problem")
    return [
      { ...warning, message: `hooks of ${agent} may be in here, but Wave cannot read it to count them` },
    ];
  // In Wave's words: agents write them in different shapes.
  const all = fieldsOf(
    source.dialect.translate(read.root, () => undefined),
    "hooks",
  );
  const count = all.reduce((sum, node) => sum + hooksIn(node), 0);
  if (count === 0) return [];
  const [what, them] = count === 1 ? ["1 hook", "it"] : [`${count} hooks`, "them"];
  const message = `Wave does not run the ${what} for ${agent} in this file; to run ${them} in all your projects, write "hooksFrom": ["${id}"] into ${userFile}, to hear no more of this "hooksFrom": []`;
  return [{ ...warning, line: all[0]?.line, path: "hooks", message }];
}

#!/usr/bin/env node
// PreToolUse, all tools: nothing is changed in the guarded folders, by whichever tool or command.
import { readFileSync } from "node:fs";
import { join, sep } from "node:path";

const GUARDED = ["migrations", "generated"];

const { affected_paths, analysis, tool_name } = JSON.parse(readFileSync(0, "utf8"));
const guarded = GUARDED.map((folder) => join(process.env.WAVE_PROJECT_DIR, folder));

const isIn = (folder, path) => path === folder || path.startsWith(folder + sep);

/** A link leads where it leads; and whoever changes a folder as a whole changes what is in it. */
function reaches({ path, real_path = path, below }, folder) {
  return [path, real_path].some((name) => isIn(folder, name) || (below && isIn(name, folder)));
}

for (const touched of affected_paths) {
  const folder = touched.access === "read" ? undefined : guarded.find((one) => reaches(touched, one));
  if (folder === undefined) continue;
  console.error(
    `${touched.path} is guarded: nothing in ${folder} is changed by hand. Change what makes it instead.`,
  );
  process.exit(2);
}

// Wave could not tell every file that the command touches: a person looks.
if (tool_name === "Bash" && analysis === "incomplete") {
  const hookSpecificOutput = {
    hookEventName: "PreToolUse",
    permissionDecision: "ask",
    permissionDecisionReason: `This command may change files in ${GUARDED.join(" or ")}.`,
  };
  console.log(JSON.stringify({ hookSpecificOutput }));
}

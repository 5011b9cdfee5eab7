import { applyEdits, type TextEdit } from "./edits.ts";
import { cannotRun } from "./outcome.ts";
import { missing } from "./paths.ts";
import { makeChange, openForChange, type PlannedChange, type WriteContext } from "./plannedChange.ts";
import { changedLines } from "./snippet.ts";
import { structuredPatch } from "./structuredPatch.ts";
import type { TextFile } from "./textFiles.ts";
import type { CannotRun, ToolOutcome } from "./tool.ts";

interface PlannedEdit extends PlannedChange {
  before: TextFile;
  replacements: number;
}

/** What Edit and MultiEdit would write. */
export async function planEdit(
  path: string,
  edits: readonly TextEdit[],
  context: WriteContext,
): Promise<CannotRun | PlannedEdit> {
  const opened = await openForChange(path, context);
  if ("problem" in opened) return opened;
  const { before, realPath } = opened;
  if (!before) return missing(path);
  const edited = applyEdits(before.text, edits);
  if ("problem" in edited) return { problem: `${path} was not changed. ${edited.problem}` };
  return { path, realPath, before, ...edited };
}

/** What Edit and MultiEdit do: all edits reach the disk in one write, or none does. */
export async function editFile(
  path: string,
  edits: readonly TextEdit[],
  { toolId, ...context }: WriteContext & { toolId: string },
): Promise<ToolOutcome> {
  const plan = await planEdit(path, edits, context);
  if ("problem" in plan) return cannotRun(plan);
  const failed = await makeChange(context.session, toolId, plan);
  if (failed) return cannotRun(failed);
  const { text, before, replacements } = plan;
  const times = replacements === 1 ? "1 place" : `${replacements} places`;
  return {
    success: true,
    result: `Changed ${times} in ${path}:\n${changedLines(before.text, text)}`,
    response: {
      filePath: path,
      ...asClaudeNames(edits),
      originalFile: before.text,
      structuredPatch: structuredPatch(before.text, text),
      userModified: false,
      success: true,
      replacements,
    },
  };
}

/** One edit as Edit was asked for it, several as MultiEdit was. */
function asClaudeNames(edits: readonly TextEdit[]): object {
  const [edit] = edits;
  if (edit && edits.length === 1) {
    const { old_string: oldString, new_string: newString, replace_all: replaceAll = false } = edit;
    return { oldString, newString, replaceAll };
  }
  return { edits };
}

import { changeFile } from "./changeFile.ts";
import { applyEdits, type TextEdit } from "./edits.ts";
import { explainFailure, refusal } from "./outcome.ts";
import { explainMissing } from "./paths.ts";
import { changedLines } from "./snippet.ts";
import { openTextFile } from "./textFiles.ts";
import type { ToolOutcome, ToolSession } from "./tool.ts";

/** What a tool that writes is given besides its input. */
export interface WriteContext {
  session: ToolSession;
  toolId: string;
  judgedFiles: readonly string[] | undefined;
}

/** What Edit and MultiEdit do: all edits reach the disk in one write, or none does. */
export async function editFile(
  path: string,
  edits: readonly TextEdit[],
  { session, toolId, judgedFiles }: WriteContext,
): Promise<ToolOutcome> {
  const opened = await openTextFile(path, judgedFiles);
  if (opened.found === "problem") return refusal(opened.sentence);
  if (opened.found === "nothing") return refusal(explainMissing(path));
  const before = opened.file;
  const objection = session.files.objection(path, before);
  if (objection !== undefined) return refusal(objection);

  const edited = applyEdits(before.text, edits);
  if ("problem" in edited) return refusal(`${path} was not changed. ${edited.problem}`);
  try {
    await changeFile(session, { toolId, realPath: before.realPath, text: edited.text, before });
  } catch (error) {
    return refusal(explainFailure("write", path, error));
  }
  const { text, replacements } = edited;
  const times = replacements === 1 ? "1 place" : `${replacements} places`;
  return {
    success: true,
    result: `Changed ${times} in ${path}:\n${changedLines(before.text, text)}`,
    response: { filePath: path, success: true, replacements },
  };
}

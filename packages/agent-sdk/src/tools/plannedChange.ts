import { changeFile } from "./changeFile.ts";
import { explainFailure } from "./explainFailure.ts";
import { openTextFile, type TextFile } from "./textFiles.ts";
import type { CannotRun, Preflight, ShownFile, ToolCallContext, ToolSession } from "./tool.ts";

/** What a tool that writes is given besides its input. */
export type WriteContext = Pick<ToolCallContext, "session" | "judgedFiles" | "shownFile">;

/** A change of a file that can be made, and is not made yet. */
export interface PlannedChange {
  path: string;
  realPath: string;
  /** What is replaced. */
  before: TextFile | undefined;
  text: string;
}

/** The file that is to be changed, or why it must not be. `before` is undefined when there is none yet. */
export async function openForChange(
  path: string,
  { session, judgedFiles, shownFile }: WriteContext,
): Promise<CannotRun | { realPath: string; before: TextFile | undefined }> {
  const opened = await openTextFile(path, judgedFiles);
  if (opened.found === "problem") return { problem: opened.sentence };
  const before = opened.found === "text" ? opened.file : undefined;
  const objection = before && session.files.objection(path, before);
  if (objection !== undefined) return { problem: objection };
  if (shownFile && shownFile.hash !== before?.hash) return { problem: whyNotShown(path, before, shownFile) };
  return { realPath: opened.found === "text" ? opened.file.realPath : opened.realPath, before };
}

function whyNotShown(path: string, now: TextFile | undefined, shown: ShownFile): string {
  const became = now ? (shown.hash === undefined ? "there is a file now" : "it has changed") : "it is gone";
  return `${path} is not what it was when this change was allowed: ${became}. Nothing was written. Look at it again first.`;
}

/** For whoever decides about the change: exactly what would be written in place of what. */
export function preflightOf(plan: CannotRun | PlannedChange): Preflight {
  if ("problem" in plan) return plan;
  const { path, before, text } = plan;
  return { change: { path, before: before?.text, after: text, hash: before?.hash } };
}

/** Resolves to why it could not be made. */
export async function makeChange(
  session: ToolSession,
  toolId: string,
  { path, ...change }: PlannedChange,
): Promise<CannotRun | undefined> {
  try {
    await changeFile(session, { toolId, ...change });
    return undefined;
  } catch (error) {
    return { problem: explainFailure("write", path, error) };
  }
}

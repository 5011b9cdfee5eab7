import { z } from "zod";
import { changeFile } from "./changeFile.ts";
import type { WriteContext } from "./editFile.ts";
import { GatePass } from "./gatePass.ts";
import { explainFailure, refusal } from "./outcome.ts";
import { absolutePath } from "./paths.ts";
import { changedLines } from "./snippet.ts";
import { lineEnding, openTextFile, withLineEnding } from "./textFiles.ts";
import { defineTool, type ToolOutcome } from "./tool.ts";

const description =
  "Writes a whole file, with the folders it needs. A file that exists must have been read before; prefer Edit for changes.";

const input = z.strictObject({
  file_path: z.string().min(1).describe("Absolute path"),
  content: z.string().describe("The whole content"),
});

export const writeTool = defineTool<z.infer<typeof input>>({
  name: "Write",
  description,
  input,
  parallel: false,
  pathFields: ["file_path"],
  effect: (asked, session) => ({ does: "edit", paths: [absolutePath(asked.file_path, session)] }),
  async run(pass, { session, judgedFiles }) {
    const { file_path, content } = GatePass.open(pass);
    const context = { session, toolId: pass.toolUseId, judgedFiles };
    return writeFile(absolutePath(file_path, session), content, context);
  },
});

async function writeFile(
  path: string,
  content: string,
  { session, toolId, judgedFiles }: WriteContext,
): Promise<ToolOutcome> {
  const opened = await openTextFile(path, judgedFiles);
  if (opened.found === "problem") return refusal(opened.sentence);
  const before = opened.found === "text" ? opened.file : undefined;
  const objection = before && session.files.objection(path, before);
  if (objection !== undefined) return refusal(objection);

  const realPath = opened.found === "text" ? opened.file.realPath : opened.realPath;
  // A byte order mark that the model wrote itself would stand there twice.
  const plain = before?.bom && content.startsWith("\uFEFF") ? content.slice(1) : content;
  const text = before ? withLineEnding(plain, lineEnding(before.text)) : content;
  try {
    await changeFile(session, { toolId, realPath, text, before });
  } catch (error) {
    return refusal(explainFailure("write", path, error));
  }
  const bytes = Buffer.byteLength(text);
  return {
    success: true,
    result: before ? describeUpdate(path, before.text, text) : `Created ${path} (${bytes} bytes).`,
    response: { type: before ? "update" : "create", filePath: path, success: true, bytes },
  };
}

function describeUpdate(path: string, before: string, after: string): string {
  if (before === after) return `${path} already had exactly this content.`;
  return `Replaced the content of ${path}:\n${changedLines(before, after)}`;
}

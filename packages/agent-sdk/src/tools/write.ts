import { z } from "zod";
import { lineHunks } from "../utils/lineHunks.ts";
import { GatePass } from "./gatePass.ts";
import { cannotRun } from "./outcome.ts";
import { absolutePath } from "./paths.ts";
import {
  makeChange,
  openForChange,
  preflightOf,
  type PlannedChange,
  type WriteContext,
} from "./plannedChange.ts";
import { changedLines } from "./snippet.ts";
import { structuredPatch } from "./structuredPatch.ts";
import { lineEnding, withLineEnding } from "./textFiles.ts";
import { defineTool, type CannotRun, type ToolOutcome } from "./tool.ts";

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
  preflight: async (asked, context) => preflightOf(await planWrite(asked, context)),
  async run(pass, context) {
    const plan = await planWrite(GatePass.open(pass), context);
    if ("problem" in plan) return cannotRun(plan);
    const failed = await makeChange(context.session, pass.toolUseId, plan);
    return failed ? cannotRun(failed) : describeWrite(plan);
  },
});

async function planWrite(
  { file_path, content }: z.infer<typeof input>,
  context: WriteContext,
): Promise<CannotRun | PlannedChange> {
  const path = absolutePath(file_path, context.session);
  const opened = await openForChange(path, context);
  if ("problem" in opened) return opened;
  const { before, realPath } = opened;
  // A byte order mark that the model wrote itself would stand there twice.
  const plain = before?.bom && content.startsWith("\uFEFF") ? content.slice(1) : content;
  const text = before ? withLineEnding(plain, lineEnding(before.text)) : content;
  return { path, realPath, before, text };
}

function describeWrite({ path, before, text }: PlannedChange): ToolOutcome {
  const bytes = Buffer.byteLength(text);
  return {
    success: true,
    result: before ? describeUpdate(path, before.text, text) : `Created ${path} (${bytes} bytes).`,
    response: {
      type: before ? "update" : "create",
      filePath: path,
      content: text,
      structuredPatch: before ? structuredPatch(before.text, text) : [],
      originalFile: before?.text ?? null,
      userModified: false,
      success: true,
    },
    ...(before ? wayBack(text, before.text) : {}),
  };
}

/** What is replaced would otherwise be nowhere in the conversation. Above this, it is in the copies that a rewind uses. */
const MOST_REPLACED = 256 * 1024;

function wayBack(content: string, before: string): Pick<ToolOutcome, "replaced"> {
  const hunks = lineHunks(content.split(/\r?\n/), before.split(/\r?\n/));
  const replaced = hunks.map((hunk) => ({ ...hunk, lines: [...hunk.lines] }));
  const size = replaced.reduce((sum, { lines }) => sum + lines.join("\n").length, 0);
  return size > MOST_REPLACED ? {} : { replaced };
}

function describeUpdate(path: string, before: string, after: string): string {
  if (before === after) return `${path} already had exactly this content.`;
  return `Replaced the content of ${path}:\n${changedLines(before, after)}`;
}

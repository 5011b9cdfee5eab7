import { z } from "zod";
import { editFile, planEdit } from "./editFile.ts";
import { GatePass } from "./gatePass.ts";
import { absolutePath } from "./paths.ts";
import { preflightOf } from "./plannedChange.ts";
import { defineTool } from "./tool.ts";

const description =
  "Replaces text in a file that was read before. old_string must match exactly (without the line numbers of Read) and occur once, unless replace_all is set.";

const input = z.strictObject({
  file_path: z.string().min(1).describe("Absolute path"),
  old_string: z.string().min(1).describe("Text to replace"),
  new_string: z.string().describe("Text to put there"),
  replace_all: z.boolean().optional().describe("Replace every occurrence"),
});

export const editTool = defineTool<z.infer<typeof input>>({
  name: "Edit",
  description,
  input,
  parallel: false,
  pathFields: ["file_path"],
  effect: (asked, session) => ({ does: "edit", paths: [absolutePath(asked.file_path, session)] }),
  preflight: async ({ file_path, ...edit }, context) =>
    preflightOf(await planEdit(absolutePath(file_path, context.session), [edit], context)),
  async run(pass, context) {
    const { file_path, ...edit } = GatePass.open(pass);
    return editFile(absolutePath(file_path, context.session), [edit], { ...context, toolId: pass.toolUseId });
  },
});

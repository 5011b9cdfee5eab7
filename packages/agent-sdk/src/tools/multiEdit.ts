import { z } from "zod";
import { editFile, planEdit } from "./editFile.ts";
import { GatePass } from "./gatePass.ts";
import { absolutePath } from "./paths.ts";
import { preflightOf } from "./plannedChange.ts";
import { defineTool } from "./tool.ts";

const description =
  "Makes several edits to one file, in order, each as with Edit on the result of the one before. All are made, or none.";

const input = z.strictObject({
  file_path: z.string().min(1).describe("Absolute path"),
  edits: z
    .array(
      z.strictObject({
        old_string: z.string().min(1),
        new_string: z.string(),
        replace_all: z.boolean().optional(),
      }),
    )
    .min(1),
});

export const multiEditTool = defineTool<z.infer<typeof input>>({
  name: "MultiEdit",
  description,
  input,
  parallel: false,
  pathFields: ["file_path"],
  effect: (asked, session) => ({ does: "edit", paths: [absolutePath(asked.file_path, session)] }),
  preflight: async ({ file_path, edits }, context) =>
    preflightOf(await planEdit(absolutePath(file_path, context.session), edits, context)),
  async run(pass, context) {
    const { file_path, edits } = GatePass.open(pass);
    return editFile(absolutePath(file_path, context.session), edits, { ...context, toolId: pass.toolUseId });
  },
});

import { join } from "node:path";
import type { HookPipeline } from "../session/hookPipeline.ts";
import { INSTRUCTIONS_FILE } from "../workspace/instructions.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Tells hooks which instructions the model reads from the beginning. */
export function tellOfInstructions(
  hooks: Pick<HookPipeline, "performAside">,
  { guard, projectDir }: Pick<Workspace, "guard" | "projectDir">,
): void {
  if (guard.instructions === "") return;
  hooks.performAside("InstructionsLoaded", {
    file_path: join(projectDir, INSTRUCTIONS_FILE),
    memory_type: "Project",
    load_reason: "session_start",
  });
}

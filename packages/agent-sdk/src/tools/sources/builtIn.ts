import type { AgentDefinition } from "../../workspace/agents/definition.ts";
import { askUserQuestionTool } from "../askUserQuestion.ts";
import { builtInTools } from "../index.ts";
import { fixedSource, type ToolSource } from "./toolSource.ts";

/** `canAsk`: where nobody can answer, the model is not told that it may ask. */
export const builtInSource = (
  agents?: readonly AgentDefinition[],
  { canAsk = false }: { canAsk?: boolean } = {},
): ToolSource => fixedSource("built-in", [...builtInTools(agents), ...(canAsk ? [askUserQuestionTool] : [])]);

import type { AgentDefinition } from "../../workspace/agents/definition.ts";
import { builtInTools } from "../index.ts";
import { fixedSource, type ToolSource } from "./toolSource.ts";

export const builtInSource = (agents?: readonly AgentDefinition[]): ToolSource =>
  fixedSource("built-in", builtInTools(agents));

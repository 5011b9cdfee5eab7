import { BUILT_IN_AGENTS, type AgentDefinition } from "../workspace/agents/definition.ts";
import { agentTool } from "./agent.ts";
import { askUserQuestionTool } from "./askUserQuestion.ts";
import { bashTool } from "./bash.ts";
import { bashOutputTool } from "./bashOutput.ts";
import { editTool } from "./edit.ts";
import { exitPlanModeTool } from "./exitPlanMode.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { killShellTool } from "./killShell.ts";
import { lsTool } from "./ls.ts";
import { multiEditTool } from "./multiEdit.ts";
import { readTool } from "./read.ts";
import { todoWriteTool } from "./todoWrite.ts";
import type { Tool } from "./tool.ts";
import { webFetchTool } from "./webFetch.ts";
import { writeTool } from "./write.ts";

/** The tools every session has, in the order the model sees them. */
export function builtInTools(agents: readonly AgentDefinition[] = BUILT_IN_AGENTS): Tool[] {
  return [
    bashTool,
    bashOutputTool,
    killShellTool,
    readTool,
    writeTool,
    editTool,
    multiEditTool,
    globTool,
    grepTool,
    lsTool,
    webFetchTool,
    todoWriteTool,
    exitPlanModeTool,
    agentTool(agents),
  ];
}

/** Also the one that a session has only where somebody can answer. */
export function builtInToolNames(): string[] {
  return [...builtInTools(), askUserQuestionTool].map((tool) => tool.name);
}

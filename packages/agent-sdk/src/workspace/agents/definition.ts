import type { PermissionMode } from "../../permissions/modes.ts";

/** What a kind of sub-agent is. */
export interface AgentDefinition {
  name: string;
  /** For the model that chooses one. */
  description: string;
  /** What the sub-agent is told beside the system prompt that everybody gets. */
  prompt: string;
  /** Of the tools of whoever starts it. Absent: all of them. */
  tools?: readonly string[] | undefined;
  /** Never these. */
  disallowedTools?: readonly string[] | undefined;
  /** A model of its own. Absent: that of the session. */
  model?: string | undefined;
  /** Its own mode, which only ever adds to what is held back. Absent: that of whoever starts it. */
  permissionMode?: PermissionMode | undefined;
}

/** Those that every session has. The last one is taken when the model names none. */
export const BUILT_IN_AGENTS: readonly [AgentDefinition, AgentDefinition] = [
  {
    name: "explore",
    description: "searches and reads",
    prompt:
      "You look for something in this project and change nothing. Search widely first, then read what matters. Answer with what was asked for: facts with path:line, short quotes where the exact words count, and what you looked for without finding it.",
    tools: ["Read", "Glob", "Grep", "LS"],
  },
  {
    name: "general",
    description: "all tools",
    prompt:
      "Do the task from its beginning to its end and check the result. Answer with what you did and found, with paths, and with what is left or uncertain.",
  },
];

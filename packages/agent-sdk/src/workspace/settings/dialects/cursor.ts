import type { SettingsDialect } from "./dialect.ts";
import { translateHooks, withFields, type EventTable } from "./eventTable.ts";

const TABLE: EventTable = {
  agent: "Cursor",
  shape: "flat",
  events: {
    preToolUse: { event: "PreToolUse" },
    beforeShellExecution: { event: "PreToolUse", matcher: "Shell" },
    beforeMCPExecution: { event: "PreToolUse", matcher: "mcp__.*" },
    beforeReadFile: { event: "PreToolUse", matcher: "Read" },
    postToolUse: { event: "PostToolUse" },
    afterShellExecution: { event: "PostToolUse", matcher: "Shell" },
    afterMCPExecution: { event: "PostToolUse", matcher: "mcp__.*" },
    afterFileEdit: { event: "PostToolUse", matcher: "Write|Edit" },
    postToolUseFailure: { event: "PostToolUseFailure" },
    beforeSubmitPrompt: { event: "UserPromptSubmit" },
    stop: { event: "Stop" },
    subagentStart: { event: "SubagentStart" },
    subagentStop: { event: "SubagentStop" },
    sessionStart: { event: "SessionStart" },
    sessionEnd: { event: "SessionEnd" },
    preCompact: { event: "PreCompact" },
  },
  absent: {
    beforeTabFileRead: "there is no completion while somebody types code",
    afterTabFileEdit: "there is no completion while somebody types code",
    workspaceOpen: "sessionStart is the first moment",
    afterAgentResponse: "stop has the answer",
    afterAgentThought: "what a model thinks is not shown to hooks",
  },
  entry: (entry) =>
    withFields(entry, (key, node) => (key === "loop_limit" ? undefined : { key, node }), { type: "command" }),
};

/** `.cursor/hooks.json` as of 3.18. */
export const CURSOR: SettingsDialect = {
  id: "cursor",
  agent: "Cursor",
  hookDialect: "cursor",
  isOwn: false,
  translate: (root, report) => translateHooks(root, TABLE, report),
};

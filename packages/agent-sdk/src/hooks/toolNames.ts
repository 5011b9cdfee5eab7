/** Names that one tool has, or had, here and in Claude Code: a matcher that has one of them means the tool by any. */
const SAME_TOOL: readonly (readonly string[])[] = [
  ["Agent", "Task"],
  ["TodoWrite", "TaskCreate", "TaskUpdate"],
  ["BashOutput", "TaskOutput"],
  ["KillShell", "KillBash", "TaskStop"],
];

/** The name itself first. */
export const namesOfTool = (name: string): readonly string[] => [
  name,
  ...(SAME_TOOL.find((names) => names.includes(name)) ?? []).filter((other) => other !== name),
];

/** Tools of Claude Code that hooks are written for: no misspelling of a tool of Wave's. */
const OF_CLAUDE_CODE: ReadonlySet<string> = new Set([
  ...SAME_TOOL.flat(),
  ...`AskUserQuestion EnterPlanMode EnterWorktree ExitPlanMode ExitWorktree ListAgents ListMcpResourcesTool Monitor
  NotebookEdit NotebookRead ReadMcpResourceTool ReportFindings ScheduleWakeup SendMessage Skill SlashCommand TaskGet TaskList
  TodoRead ToolSearch WebSearch Workflow`.split(/\s+/),
]);

export const isToolOfClaudeCode = (name: string): boolean => OF_CLAUDE_CODE.has(name);

import type { HookAction, HookDefinition } from "../../src/hooks/definition.ts";
import type { HookEvent } from "../../src/hooks/events.ts";
import type { HookRunContext } from "../../src/services/hook.ts";
import { HookRunners } from "../../src/hooks/kinds/runners.ts";
import { commandAction } from "./actions.ts";

/** A hook as the settings would give it, with only what a test cares about. */
export function hookOf(action: HookAction, more: Partial<HookDefinition> = {}): HookDefinition {
  return {
    event: "PreToolUse",
    matcher: undefined,
    name: "guard",
    source: {
      scope: "project",
      file: "/project/.wave/settings.json",
      line: 3,
      path: "hooks.PreToolUse[0].hooks[0]",
    },
    action,
    timeoutMs: 30_000,
    onError: "continue",
    passEnv: [],
    ...more,
  };
}

export const commandHook = (command: string, more?: Partial<HookDefinition>) =>
  hookOf(commandAction(command), more);

/** What the session knows when an event comes. */
export function hookContext(projectDir: string, more: Partial<HookRunContext> = {}): HookRunContext {
  return {
    input: {
      session_id: "session-1",
      transcript_path: "/tmp/transcript.jsonl",
      cwd: projectDir,
      permission_mode: "default",
      interactive: false,
      entrypoint: "sdk",
      ...FACTS.PreToolUse,
    },
    projectDir,
    sessionId: "session-1",
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: process.env["HOME"] ?? "/" },
    withheld: {},
    runners: new HookRunners(),
    ...more,
  };
}

/** What each event brings with it, besides the common fields. */
export const FACTS = {
  PreToolUse: {
    tool_name: "Bash",
    tool_input: { command: "ls" },
    tool_use_id: "call_1",
    affected_paths: [],
    analysis: "complete",
    pass: 1,
  },
  PostToolUse: {
    tool_name: "Bash",
    tool_input: { command: "ls" },
    tool_use_id: "call_1",
    affected_paths: [],
    analysis: "complete",
    tool_success: true,
    tool_response: { stdout: "a\n" },
    result_text: "a",
    duration_ms: 5,
  },
  PostToolUseFailure: {
    tool_name: "Bash",
    tool_input: { command: "ls" },
    tool_use_id: "call_1",
    affected_paths: [],
    analysis: "complete",
    error: "Exit code 1",
    is_interrupt: false,
    duration_ms: 5,
  },
  PermissionRequest: {
    tool_name: "Bash",
    tool_input: { command: "ls" },
    tool_use_id: "call_1",
    reason: "the mode asks",
  },
  PermissionDenied: {
    tool_name: "Bash",
    tool_input: { command: "ls" },
    tool_use_id: "call_1",
    reason: "no",
    denied_by: "person",
  },
  PostToolBatch: {
    tool_calls: [{ tool_name: "Bash", tool_input: {}, tool_use_id: "call_1", tool_response: "a" }],
  },
  StopFailure: { error: "rate_limit", error_details: "later", last_assistant_message: "" },
  Interrupt: { last_assistant_message: "" },
  Notification: { message: "m", title: "t", notification_type: "idle_prompt" },
  PreCompact: { trigger: "manual", custom_instructions: null },
  PostCompact: { trigger: "auto", compact_summary: "so far" },
  InstructionsLoaded: {
    file_path: "/project/AGENTS.md",
    memory_type: "Project",
    load_reason: "session_start",
  },
  TaskCreated: { task_id: "1", task_subject: "tests" },
  TaskCompleted: { task_id: "1", task_subject: "tests" },
  CwdChanged: { old_cwd: "/project", new_cwd: "/project/sub" },
  UserPromptExpansion: {
    expansion_type: "slash_command",
    command_name: "review",
    command_args: "a.ts",
    command_source: "/project/.wave/commands/review.md",
    prompt: "Review a.ts",
  },
  PreModelRequest: { model: "m" },
  PostModelRequest: { model: "m", status: "success", error: null, token_usage: null, duration_ms: 5 },
  PostModelSwitch: {
    from_model: "a",
    to_model: "b",
    requested_model: "b",
    source: "sdk",
    context_tokens: null,
  },
  Elicitation: { mcp_server_name: "notes", message: "Which folder?", mode: "form" },
  ElicitationResult: { mcp_server_name: "notes", message: "Which folder?", mode: "form", action: "accept" },
  UserPromptSubmit: { prompt: "do it", prompt_source: "sdk" },
  Stop: { stop_hook_active: false, last_assistant_message: "done", stop_block_count: 0, stop_block_limit: 8 },
  SubagentStart: { agent_id: "agent_1", agent_type: "explore" },
  SubagentStop: {
    agent_id: "agent_1",
    agent_type: "explore",
    agent_transcript_path: "/home/agent_1.jsonl",
    stop_hook_active: false,
    last_assistant_message: "done",
    stop_block_count: 0,
    stop_block_limit: 8,
  },
  SessionStart: { source: "startup" },
  SessionEnd: { reason: "other" },
  ConfigChange: {
    source: "project_settings",
    file_path: "/project/.wave/settings.json",
    change: "changed",
    difference: "+ new",
    moment: "noticed",
  },
} satisfies Record<HookEvent, Record<string, unknown>>;

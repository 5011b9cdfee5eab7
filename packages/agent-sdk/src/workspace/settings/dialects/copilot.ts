import type { SettingsDialect } from "./dialect.ts";
import { translateHooks, withFields, type EventHere, type EventTable } from "./eventTable.ts";

/** By the name with a small letter; with a capital one its hooks read other field names. */
const EVENTS: Readonly<Record<string, EventHere>> = {
  preToolUse: { event: "PreToolUse" },
  preMcpToolCall: { event: "PreToolUse", matcher: "mcp__.*" },
  postToolUse: { event: "PostToolUse" },
  postToolUseFailure: { event: "PostToolUseFailure" },
  permissionRequest: { event: "PermissionRequest" },
  userPromptSubmitted: { event: "UserPromptSubmit" },
  userPromptSubmit: { event: "UserPromptSubmit" },
  agentStop: { event: "Stop" },
  stop: { event: "Stop" },
  subagentStart: { event: "SubagentStart" },
  subagentStop: { event: "SubagentStop" },
  sessionStart: { event: "SessionStart" },
  sessionEnd: { event: "SessionEnd" },
  preCompact: { event: "PreCompact" },
  notification: { event: "Notification" },
  errorOccurred: { event: "StopFailure" },
};

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

const TABLE: EventTable = {
  agent: "Copilot CLI",
  shape: "flat",
  events: {
    ...EVENTS,
    ...Object.fromEntries(Object.entries(EVENTS).map(([name, here]) => [capital(name), here])),
  },
  absent: { userPromptTransformed: "what the model is told of a prompt is what the person wrote" },
  entry: (entry, event) =>
    withFields(
      entry,
      (key, node) => {
        if (key === "powershell") return undefined;
        if (key === "bash") return { key: "command", node };
        return { key: key === "timeoutSec" ? "timeout" : key, node };
      },
      // There, a hook that crashes before a call denies it; and half a minute is the default.
      { type: "command", timeout: 30, ...(event === "PreToolUse" && { onError: "block" }) },
    ),
};

/** `.github/hooks/*.json` of Copilot CLI as of 1.0.102. */
export const COPILOT: SettingsDialect = {
  id: "copilot",
  agent: "Copilot CLI",
  hookDialect: "copilot",
  isOwn: false,
  translate: (root, report) => translateHooks(root, TABLE, report),
};

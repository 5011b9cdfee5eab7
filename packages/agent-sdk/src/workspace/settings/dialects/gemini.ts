import type { SettingsDialect } from "./dialect.ts";
import { inSeconds, translateHooks, withFields, type EventTable } from "./eventTable.ts";

const TABLE: EventTable = {
  agent: "Gemini CLI",
  shape: "groups",
  events: {
    BeforeTool: { event: "PreToolUse" },
    AfterTool: { event: "PostToolUse" },
    BeforeAgent: { event: "UserPromptSubmit" },
    AfterAgent: { event: "Stop" },
    SessionStart: { event: "SessionStart" },
    SessionEnd: { event: "SessionEnd" },
    PreCompress: { event: "PreCompact" },
    Notification: { event: "Notification" },
  },
  absent: {
    BeforeModel: "hooks do not change requests to the model",
    AfterModel: "hooks do not change answers of the model",
    BeforeToolSelection: "rules say which tools there are",
  },
  entry: (entry) =>
    withFields(
      entry,
      (key, node) => ({ key, node: key === "timeout" ? inSeconds(node) : node }),
      // Its default is a minute.
      { timeout: 60 },
    ),
};

/** Gemini CLI's settings as of 0.61: of them, the hooks. */
export const GEMINI: SettingsDialect = {
  id: "gemini",
  agent: "Gemini CLI",
  hookDialect: "gemini",
  isOwn: false,
  translate: (root, report) => translateHooks(root, TABLE, report),
};

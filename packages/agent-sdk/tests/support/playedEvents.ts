import { HOOK_EVENT_NAMES, type HookEvent } from "@/hooks/events.ts";

/**
 * Each way a hook of these can end, and each field it can print, is played in a session of its own: between them they have every
 * value of every column of the table of events. The others are played together, in tests/table/otherEvents.test.ts.
 */
export const PLAYED_EVENTS = [
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "Stop",
  "SubagentStart",
  "SubagentStop",
  "SessionStart",
  "SessionEnd",
  "ConfigChange",
] as const satisfies readonly HookEvent[];

export type PlayedEvent = (typeof PLAYED_EVENTS)[number];

export const OTHER_EVENTS = HOOK_EVENT_NAMES.filter(
  (event): event is Exclude<HookEvent, PlayedEvent> => !PLAYED_EVENTS.some((played) => played === event),
);

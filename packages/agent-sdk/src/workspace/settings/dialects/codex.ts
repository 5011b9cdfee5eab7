import { HOOK_EVENT_NAMES } from "../../../hooks/events.ts";
import type { SettingsDialect } from "./dialect.ts";
import { translateHooks, withFields, type EventHere, type EventTable } from "./eventTable.ts";

const TABLE: EventTable = {
  agent: "Codex",
  shape: "groups",
  // It has Claude Code's events, under the same names.
  events: Object.fromEntries(HOOK_EVENT_NAMES.map((event): [string, EventHere] => [event, { event }])),
  absent: {},
  entry: (entry) =>
    withFields(entry, (key, node) => {
      if (key === "commandWindows" || key === "additionalContextLimit") return undefined;
      return { key: key === "timeoutSec" ? "timeout" : key, node };
    }),
};

/** `hooks.json` of Codex as of 0.166. */
export const CODEX: SettingsDialect = {
  id: "codex",
  agent: "Codex",
  hookDialect: "codex",
  isOwn: false,
  translate: (root, report) => translateHooks(root, TABLE, report),
};

#!/usr/bin/env node
// PreToolUse and PostToolUse, all tools: one line per event in .wave/audit.jsonl.
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";

const event = JSON.parse(readFileSync(0, "utf8"));

const line = {
  at: new Date().toISOString(),
  session: event.session_id,
  event: event.hook_event_name,
  call: event.tool_use_id,
  tool: event.tool_name,
  // Asked a second time, because a hook rewrote the input.
  ...(event.pass === 2 ? { pass: 2 } : {}),
  input: shorten(event.tool_input),
  ...(event.hook_event_name === "PostToolUse"
    ? { ms: event.duration_ms, result: shorten(event.result_text) }
    : {}),
};

// One write to a file that is opened for appending: lines of calls that run at the same time do not mix.
const file = join(process.env.WAVE_PROJECT_DIR, ".wave", "audit.jsonl");
appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });

/** Who did what, not whole files. A cut says how much is gone. */
function shorten(value) {
  if (typeof value === "string" && value.length > 500)
    return `${value.slice(0, 500)}… (${value.length} characters)`;
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shorten(field)]));
}

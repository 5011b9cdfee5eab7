import type { HookEvent, HookInput } from "../hooks/events.ts";
import { serveHook, type HookScript } from "./serveHook.ts";

/**
 * A script that is a hook of one event, typed by it. Where Wave runs the file, it reads its input and answers; where something else
 * imports it, such as a test, nothing happens, and the function can be called.
 */
export function defineHook<E extends HookEvent>(event: E, decide: HookScript<E>): HookScript<E> {
  const asked = process.env["WAVE_HOOK_EVENT"];
  if (asked === undefined) return decide;
  serveHook<E>((input) => {
    // Half understood it would decide about something else.
    if (asked !== event) throw new Error(`this hook is for ${event}, and its settings run it at ${asked}`);
    return decide(input);
  });
  return decide;
}

/** What only a session knows. */
const SESSION = {
  session_id: "session",
  transcript_path: "/dev/null",
  cwd: "/project",
  permission_mode: "default",
  interactive: true,
  entrypoint: "terminal",
} as const;

type Common = typeof SESSION & { hook_event_name: string };

/** The input of an event for a test: what is about the event has to be said, what is about the session may be. */
export function hookInput<E extends HookEvent>(
  event: E,
  facts: Omit<HookInput<E>, keyof Common> & Partial<HookInput<E>>,
): HookInput<E> {
  // The fields of the session and of the event together are all that there are.
  return { ...SESSION, hook_event_name: event, ...facts } as unknown as HookInput<E>;
}

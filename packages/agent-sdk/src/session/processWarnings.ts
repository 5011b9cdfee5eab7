import type { AgentEvent } from "../events.ts";
import { maskSecrets } from "../utils/maskSecrets.ts";

/** What Wave tells a program through `process.emitWarning`, by the code of the warning. */
export const WARNINGS = {
  WAVE_NOTICE:
    "Something the user should know about settings, hooks or the session, and no `onEvent` heard it.",
  WAVE_PROJECT_HOOKS: "The same about the project's own hooks.",
  WAVE_SETTINGS_CHANGE: "The same about a file that changed; `reviewSettings` shows it.",
  WAVE_LISTENER: "A listener of the program (`onEvent`, or one of `callbacks`) failed.",
} as const;

export type WarningCode = keyof typeof WARNINGS;

/** A server that creates an agent for each request says the same thing once. */
const told = new Set<string>();
const REMEMBERED = 500;

export function warn(code: WarningCode, text: string): void {
  const key = `${code} ${text}`;
  if (told.has(key)) return;
  if (told.size >= REMEMBERED) told.clear();
  told.add(key);
  process.emitWarning(maskSecrets(text), { type: "WaveWarning", code });
}

type Notice = Extract<AgentEvent, { type: "notice" }>;

/** A notice that nobody listens to. What is only for information needs no warning. */
export function warningOf({ level, about, text }: Notice): { code: WarningCode; text: string } | undefined {
  if (level === "info") return undefined;
  const codes = { "project-hooks": "WAVE_PROJECT_HOOKS", "settings-change": "WAVE_SETTINGS_CHANGE" } as const;
  return { code: about === undefined ? "WAVE_NOTICE" : codes[about], text };
}

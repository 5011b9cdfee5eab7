/**
 * Agents whose hooks run as they are; what each of them reads and prints is in `dialects/`. Claude Code's read and print what
 * Wave's own do, except for the shape of the transcript, and which events a failing tool is.
 */
export const HOOK_DIALECTS = ["claude-code", "cursor", "copilot", "codex", "gemini"] as const;
export type HookDialect = (typeof HOOK_DIALECTS)[number];

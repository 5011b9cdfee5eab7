/**
 * Agents whose hooks run as they are. Wave's own hooks read and print the same, except for what another agent does otherwise: the
 * shape of the transcript, and which events a failing tool is.
 */
export const HOOK_DIALECTS = ["claude-code"] as const;
export type HookDialect = (typeof HOOK_DIALECTS)[number];

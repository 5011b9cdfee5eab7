/**
 * Who wants a call to run. Everyone passes the same gate, the same hooks and the same rules; what differs is whether a mode
 * still has to ask for a yes (see `decide.ts`).
 */
export const CALL_ORIGINS = ["model", "person"] as const;
export type CallOrigin = (typeof CALL_ORIGINS)[number];

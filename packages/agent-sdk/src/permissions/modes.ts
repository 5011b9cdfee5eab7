/** Modes change who is asked, never whether hooks run. */
export const PERMISSION_MODES = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const;

export type PermissionMode = (typeof PERMISSION_MODES)[number];

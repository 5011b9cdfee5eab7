/**
 * From loose to strict. "reading": only commands that nobody said yes to, where it can be had. "auto": all of them, where it can
 * be had. "required": nothing runs without it.
 */
export const SANDBOX_MODES = ["off", "reading", "auto", "required"] as const;
export type SandboxMode = (typeof SANDBOX_MODES)[number];

/** What holds where nobody says anything. */
export const DEFAULT_SANDBOX: SandboxMode = "reading";

/** Somebody wrote a hook down, so "reading" is not about it. */
export const HOOK_SANDBOX_MODES = ["off", "auto", "required"] as const satisfies readonly SandboxMode[];
export type HookSandboxMode = (typeof HOOK_SANDBOX_MODES)[number];

export const isLooser = (a: SandboxMode, b: SandboxMode): boolean =>
  SANDBOX_MODES.indexOf(a) < SANDBOX_MODES.indexOf(b);

export const stricterMode = <Mode extends SandboxMode>(a: Mode, b: Mode): Mode => (isLooser(a, b) ? b : a);

/** What of a mode is about hooks, and about commands that somebody said yes to. */
export const modeForApproved = (mode: SandboxMode): HookSandboxMode => (mode === "reading" ? "off" : mode);

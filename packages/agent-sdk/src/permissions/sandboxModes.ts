/** From loose to strict. "auto": where it can be had. "required": nothing runs without it. */
export const SANDBOX_MODES = ["off", "auto", "required"] as const;
export type SandboxMode = (typeof SANDBOX_MODES)[number];

export const isLooser = (a: SandboxMode, b: SandboxMode): boolean =>
  SANDBOX_MODES.indexOf(a) < SANDBOX_MODES.indexOf(b);

export const stricterMode = (a: SandboxMode, b: SandboxMode): SandboxMode => (isLooser(a, b) ? b : a);

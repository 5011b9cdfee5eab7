/** Somebody has to say yes or no before a call runs (PD-1). */
export interface PendingPermission {
  id: string;
  /** The tool, or "prompt" when a hook asks about the user's own prompt. */
  toolName: string;
  toolUseId: string | undefined;
  /** Exactly what will run if the answer is allow. */
  input: Record<string, unknown>;
  /** The model's own input, when hooks changed it. */
  originalInput: Record<string, unknown> | undefined;
  reason: string;
  /** "hook no-force-push (…/settings.json)", "rule Bash(git push:*)", "mode default". */
  askedBy: string[];
  cwd: string;
  /** Milliseconds since the epoch. */
  since: number;
}

/** The answer (PD-2). */
export interface PermissionDecision {
  decision: "allow" | "deny";
  toolName: string;
  /** Words typed with a deny go in as the user's next message. */
  reason?: string;
  timestamp: number;
  /** true for allow, false for deny: a deny ends the turn. */
  shouldContinueRecursion: boolean;
}

/** What a callback returns; the rest of the decision is filled in. */
export interface PermissionAnswer {
  decision: "allow" | "deny";
  reason?: string;
}

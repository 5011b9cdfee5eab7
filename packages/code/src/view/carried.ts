import type { PermissionMode } from "wave-agent-sdk";

/** What a person had set in the session they left for another one. */
export interface Carried {
  to: "new-session" | "session";
  mode: PermissionMode;
  /** Only a new session keeps it: any other has its own. */
  model: string | undefined;
  /** Names of the hooks that were switched off for the session they left. */
  switchedOff: readonly string[];
}

/** What became of it: a line across the screen, and a sentence where something is not as it was. */
export function carriedWords({ to, mode, model, switchedOff }: Carried): {
  mark: string;
  notice: string | undefined;
} {
  const kept = to === "new-session" && model !== undefined ? `mode ${mode}, model ${model}` : `mode ${mode}`;
  return {
    mark: `${to === "new-session" ? "new session" : "another session"}, still with ${kept}`,
    notice:
      switchedOff.length === 0
        ? undefined
        : `hooks are switched off for one session only; on again: ${switchedOff.join(", ")}`,
  };
}

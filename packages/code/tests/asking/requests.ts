import type { PendingPermission, RuleOffer } from "wave-agent-sdk";
import type { View } from "../../src/asking/shown.ts";
import type { Typed } from "../../src/asking/typed.ts";

export const PUSH_RULE: Extract<RuleOffer, { offered: true }> = {
  offered: true,
  choices: [{ rules: ["Bash(git push:*)"] }],
  file: "/home/me/project/.wave/settings.local.json",
};
const NO_RULE: RuleOffer = { offered: false, why: "a hook asked, and no rule can skip a hook" };

/** A request as the agent sends it, with everything but the interesting part filled in. */
export function pending(changes: Partial<PendingPermission> = {}): PendingPermission {
  return {
    id: "r1",
    toolName: "Bash",
    toolUseId: "call_1",
    origin: changes.toolName === "prompt" ? "person" : "model",
    input: { command: "git push origin main" },
    originalInput: undefined,
    reason: "Mode default asks before running a command.",
    askedBy: ["mode default"],
    rule: changes.askedBy?.some((asker) => asker.startsWith("hook ")) ? NO_RULE : PUSH_RULE,
    cwd: "/home/me/project",
    since: 0,
    ...changes,
  };
}

export const bash = (command: string, changes: Partial<PendingPermission> = {}) =>
  pending({ input: { command }, ...changes });

/** What a person sees of a request: all of it, unless it says otherwise. */
export const view = (changes: Partial<View> = {}): View => ({
  top: 0,
  page: 5,
  lastTop: 0,
  mustSee: 0,
  width: 80,
  ...changes,
});

/** Keys as Ink hands them over. */
export const key = (input: string): Typed => ({ by: "key", input, key: {} });
export const ENTER: Typed = { by: "key", input: "", key: { return: true } };
export const ESC: Typed = { by: "key", input: "", key: { escape: true } };
export const ESC_ESC: Typed = { by: "key", input: "", key: { escape: true, meta: true } };
export const UP: Typed = { by: "key", input: "", key: { upArrow: true } };
export const DOWN: Typed = { by: "key", input: "", key: { downArrow: true } };
export const SHIFT_TAB: Typed = { by: "key", input: "", key: { tab: true, shift: true } };
export const PAGE_DOWN: Typed = { by: "key", input: "", key: { pageDown: true } };
export const BACKSPACE: Typed = { by: "key", input: "", key: { backspace: true } };
export const paste = (text: string): Typed => ({ by: "paste", text });

import { brief } from "./brief.ts";
import type { PermissionMode } from "./modes.ts";

/** What a call does, as far as modes care. */
export const DOINGS = [
  "nothing",
  "read-inside",
  "read-outside",
  "edit-inside",
  "edit-outside",
  "run",
  "reach",
  "leave-plan",
  "ask-person",
  "unknown",
] as const;
export type Doing = (typeof DOINGS)[number];

/** `never` is a deny that comes before every allow, and says why. */
type Habit = "allow" | "ask" | { never: (unproven: string | undefined) => string };

const NEVER_EDIT: Habit = {
  never: (unproven) =>
    unproven === undefined
      ? "Plan mode changes nothing, so it does not edit files; leave plan mode to do so."
      : `Plan mode changes nothing, and this command would: ${brief(unproven)}; leave plan mode to run it.`,
};
const NEVER_RUN: Habit = {
  never: (unproven = "it is not known to") =>
    `Plan mode changes nothing, and only commands that are known to only read run in it. This one is not (${brief(unproven)}); leave plan mode to run it.`,
};

const NEVER_UNKNOWN: Habit = {
  never: () =>
    "Plan mode changes nothing, and Wave cannot tell what this tool changes; leave plan mode to use it.",
};

/** What each mode does with a call about which neither hook nor rule has spoken. */
export const MODE_TABLE: Record<PermissionMode, Record<Doing, Habit>> = {
  default: habits({ "read-inside": "allow" }),
  acceptEdits: habits({ "read-inside": "allow", "edit-inside": "allow" }),
  plan: habits({
    "read-inside": "allow",
    "edit-inside": NEVER_EDIT,
    "edit-outside": NEVER_EDIT,
    run: NEVER_RUN,
    "leave-plan": "ask",
    unknown: NEVER_UNKNOWN,
  }),
  dontAsk: habits({ "read-inside": "allow" }),
  bypassPermissions: habits({
    "read-inside": "allow",
    "read-outside": "allow",
    "edit-inside": "allow",
    "edit-outside": "allow",
    run: "allow",
    reach: "allow",
    unknown: "allow",
  }),
};

function habits(differing: Partial<Record<Doing, Habit>>): Record<Doing, Habit> {
  return {
    nothing: "allow",
    "read-inside": "ask",
    "read-outside": "ask",
    "edit-inside": "ask",
    "edit-outside": "ask",
    run: "ask",
    reach: "ask",
    "leave-plan": "allow",
    // Not even a mode that asks for nothing can answer for a person.
    "ask-person": "ask",
    unknown: "ask",
    ...differing,
  };
}

export const DOING: Record<Doing, string> = {
  nothing: "a tool that touches no file and runs nothing",
  "read-inside": "reading in the project",
  "read-outside": "reading outside the project",
  "edit-inside": "editing in the project",
  "edit-outside": "editing outside the project",
  run: "running a command",
  reach: "a tool that talks to other machines",
  "leave-plan": "the plan is carried out",
  "ask-person": "a question to you",
  unknown: "a tool that may do anything",
};

import type { HookState } from "wave-agent-sdk";
import { plural } from "./hookWords.ts";

/** What waits for a person, in one line; undefined when nothing does. */
export function waitingWords(given: {
  hooks: readonly HookState[];
  changedFiles: readonly string[];
  instructionsOut: boolean;
}): string | undefined {
  const open = given.hooks.filter(({ off }) => off?.why === "unreviewed").length;
  const changed = given.changedFiles.length;
  const words = [
    ...(open === 0 ? [] : [`${plural(open, "hook")} ${open === 1 ? "waits" : "wait"} for an approval`]),
    ...(given.instructionsOut ? ["AGENTS.md waits for an approval"] : []),
    ...(changed === 0
      ? []
      : [
          `${changed === 1 ? "1 changed file waits" : `${changed} changed files wait`} for review; the old version stays active`,
        ]),
  ];
  return words.length === 0 ? undefined : words.join("; ");
}

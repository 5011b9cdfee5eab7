import type { HookDefinition } from "../../hooks/definition.ts";
import type { OnError } from "../../hooks/failurePolicy.ts";

/** A hook of the settings, and whether anything comes of it. Of one that is left out the report has said why. */
export interface ReadHook {
  is: "used" | "left-out";
  hook: HookDefinition;
}

/** What becomes of a hook whose own entry is wrong. */
export function consequenceOf(onError: OnError): string {
  return onError === "continue"
    ? "it is skipped and guards nothing until you fix it"
    : `until you fix it, it counts as a failed hook, and onError says ${onError}`;
}

/** The same for hooks that share a mistake that is not their own. */
export function fateOf(read: readonly ReadHook[]): string {
  const left = read.filter(({ is }) => is === "left-out").length;
  const kept = read.length - left;
  const all = "its hooks cannot run";
  if (read.length === 0) return all;
  const leftOut = `${left} skipped and guarding nothing`;
  const counted = `${kept} counted as not able to decide, under onError`;
  const parts = [...(kept > 0 ? [counted] : []), ...(left > 0 ? [leftOut] : [])];
  return `${all} until you fix it: ${parts.join(", ")}`;
}

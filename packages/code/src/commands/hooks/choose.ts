import { HOOK_EVENT_NAMES, nearestName, type TimedDecision } from "wave-agent-sdk";
import type { NumberedDecision } from "./story.ts";

export type Chosen =
  | { chosen: "some"; decisions: NumberedDecision[] }
  | { chosen: "all" }
  | { chosen: "none"; problem: string };

/**
 * Which decisions of a session are meant: "last" (the last call, with everything about it), "all", a number of the list,
 * an event, or a call by its id or the beginning of it.
 */
export function chooseDecisions(decisions: readonly NumberedDecision[], wanted: string): Chosen {
  const some = (found: NumberedDecision[], problem: string): Chosen =>
    found.length > 0 ? { chosen: "some", decisions: found } : { chosen: "none", problem };
  if (wanted === "all") return { chosen: "all" };
  if (wanted === "last") return { chosen: "some", decisions: lastStory(decisions) };
  const exact = decisions.filter(({ toolUseId }) => toolUseId === wanted);
  if (exact.length > 0) return { chosen: "some", decisions: exact };
  if (/^\d+$/.test(wanted)) {
    const found = decisions.filter(({ number }) => number === Number(wanted));
    return some(found, `has no decision ${wanted}: there are ${decisions.length}.`);
  }
  const event = HOOK_EVENT_NAMES.find((name) => name.toLowerCase() === wanted.toLowerCase());
  if (event) {
    const found = decisions.filter((decision) => decision.event === event);
    return some(found, `has no decision of ${event}: no hook of it ran.`);
  }
  const calls = decisions.filter(({ toolUseId }) => toolUseId?.startsWith(wanted));
  const near = nearestName(wanted, HOOK_EVENT_NAMES);
  const hint = near ? `Did you mean ${near}?` : callsOf(decisions);
  return some(calls, `has no call ${JSON.stringify(wanted)}. ${hint}`);
}

/** Everything about the last tool call; without one, the last event. */
export function lastStory<D extends TimedDecision>(decisions: readonly D[]): D[] {
  const id = decisions.findLast(({ toolUseId }) => toolUseId !== undefined)?.toolUseId;
  return id === undefined ? decisions.slice(-1) : decisions.filter(({ toolUseId }) => toolUseId === id);
}

function callsOf(decisions: readonly NumberedDecision[]): string {
  const names = new Map(
    decisions.flatMap((one) => (one.toolUseId ? [[one.toolUseId, one.toolName ?? "?"] as const] : [])),
  );
  if (names.size === 0) return "It called no tool.";
  const shown = [...names].slice(-5).map(([id, name]) => `${id} (${name})`);
  return `Its ${names.size > 5 ? "last " : ""}calls: ${shown.join(", ")}.`;
}

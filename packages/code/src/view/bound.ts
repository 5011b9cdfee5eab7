import { span, type Line } from "./span.ts";

/** Where the rest is when something stays too long even when opened. */
export const IN_SESSION = "all of it is in the session file";

/** At most `max` lines and a last one that says how many are missing and how to see them. */
export function boundLines(lines: readonly Line[], max: number, how = "Ctrl-O"): Line[] {
  if (lines.length <= max) return [...lines];
  const left = lines.length - max;
  return [...lines.slice(0, max), [span(`… ${countOf(left, "more line")} (${how})`, { tone: "dim" })]];
}

/** The last `max` lines, below one that says how many stand above them. */
export function tailLines(lines: readonly Line[], max: number): Line[] {
  if (lines.length <= max) return [...lines];
  const kept = Math.max(1, max - 1);
  const left = lines.length - kept;
  return [[span(`… ${countOf(left, "line")} above`, { tone: "dim" })], ...lines.slice(-kept)];
}

export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

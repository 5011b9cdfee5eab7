import { keyFor } from "../input/keys.ts";
import { span, type Line } from "./span.ts";

/** What is folded names the key that opens it, as the table of keys has it. */
export const OPENS = keyFor("expand");

/** At most `max` lines and a last one that says how many are missing and how to see them. */
export function boundLines(lines: readonly Line[], max: number): Line[] {
  if (lines.length <= max) return [...lines];
  const left = lines.length - max;
  return [...lines.slice(0, max), [span(`… ${countOf(left, "more line")} (${OPENS})`, { tone: "dim" })]];
}

/** Above what is shown of something that grows. `key`: what opens it; an answer is printed in full when it is there. */
export const linesAbove = (count: number, key?: string): Line => [
  span(`… ${countOf(count, "line")} above${key === undefined ? "" : ` (${key})`}`, { tone: "dim" }),
];

/** The last `max` lines, below one that says how many stand above them. */
export function tailLines(lines: readonly Line[], max: number, key?: string): Line[] {
  if (lines.length <= max) return [...lines];
  const kept = Math.max(1, max - 1);
  return [linesAbove(lines.length - kept, key), ...lines.slice(-kept)];
}

export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

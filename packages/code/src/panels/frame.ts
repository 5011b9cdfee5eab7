import { fitLine, lineWidth, type Line } from "../view/span.ts";
import { say } from "./lines.ts";

/** A key of a panel and what it does, as the foot of the panel prints it. */
export interface PanelKey {
  keys: string;
  does: string;
}

/** The rule over a panel: its title, and at the right what there is to know at a glance. */
export function headLine(title: string, summary: string, columns: number): Line {
  const left: Line = [say("dim", "─ "), say("strong", title), say("plain", " ")];
  const right: Line = summary === "" ? [] : [say("plain", " "), say("dim", `${summary} ─`)];
  const room = columns - lineWidth(left) - lineWidth(right);
  // Too narrow for both: the title stays.
  if (room < 1) return fitLine([...left, say("dim", "─".repeat(columns))], columns);
  return [...left, say("dim", "─".repeat(room)), ...right];
}

/** The same without the rule, which a screen reader would spell out. */
export function plainHead(title: string, summary: string, columns: number): Line {
  const glance = summary === "" ? [] : [say("dim", `, ${summary}`)];
  return fitLine([say("strong", title), ...glance], columns);
}

/** The keys of a panel, in as many lines as they need; a key stays beside what it does. */
export function footLines(keys: readonly PanelKey[], columns: number): Line[] {
  const lines: Line[] = [];
  let line: Line = [];
  for (const { keys: key, does } of keys) {
    const entry: Line = [say("accent", key), say("dim", ` ${does}`)];
    const longer: Line = [...line, say("plain", "  "), ...entry];
    if (line.length > 0 && lineWidth(longer) <= columns) {
      line = longer;
      continue;
    }
    if (line.length > 0) lines.push(line);
    line = fitLine(entry, columns);
  }
  return [...lines, line];
}

/** Lines between head and foot, without the empty line under the body. At least three, whatever the terminal says. */
export function bodyHeight(options: { rows: number; columns: number; keys: readonly PanelKey[] }): number {
  return Math.max(3, options.rows - 2 - footLines(options.keys, options.columns).length);
}

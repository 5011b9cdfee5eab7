import { countOf, type CheckResult, type Finding } from "../doctor/finding.ts";
import type { Line } from "../view/span.ts";
import { hanging, pad, say, type Meaning } from "./lines.ts";

const LOOKS: Record<CheckResult, { sign: string; meaning: Meaning }> = {
  ok: { sign: "✓", meaning: "good" },
  warning: { sign: "!", meaning: "warn" },
  problem: { sign: "✗", meaning: "bad" },
};

/** Every finding with its sign and name; what to do stands below it. Fits any width. */
export function doctorLines(findings: readonly Finding[], columns: number): Line[] {
  const nameWidth = Math.max(...findings.map(({ check }) => check.length));
  const indent = nameWidth + 4;
  return findings.flatMap(({ check, result, says, next }, index) => {
    const { sign, meaning } = LOOKS[result];
    // The name once for all that one check found.
    const name = findings[index - 1]?.check === check ? "" : check;
    const [first = [], ...rest] = hanging(
      say("plain", " ".repeat(indent)),
      [say(TEXT[result], says)],
      columns,
    );
    const label: Line = [say(meaning, `${sign} `), say("strong", pad(name, nameWidth)), say("plain", "  ")];
    const advice =
      next === undefined ? [] : hanging(say("dim", `${" ".repeat(indent)}→ `), [say("dim", next)], columns);
    return [[...label, ...first.slice(1)], ...rest, ...advice];
  });
}

const TEXT: Record<CheckResult, Meaning> = { ok: "plain", warning: "plain", problem: "strong" };

/** "2 problems, 1 warning" */
export function doctorSummary(findings: readonly Finding[]): string {
  const parts = (["problem", "warning"] as const).flatMap((result) => {
    const count = countOf(findings, result);
    return count === 0 ? [] : [`${count} ${result}${count === 1 ? "" : "s"}`];
  });
  return parts.length === 0 ? "all is well" : parts.join(", ");
}

import type { SettingsProblem } from "./problem.ts";
import { describeProblem } from "./problem.ts";

const SEVERITIES: readonly SettingsProblem["severity"][] = ["fatal", "error", "warning"];

/** What matters most first, then file by file in declared order, then down the lines. */
export function sortProblems(problems: readonly SettingsProblem[]): SettingsProblem[] {
  const files = [...new Set(problems.map(({ file }) => file))];
  return problems.toSorted(
    (a, b) =>
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      files.indexOf(a.file) - files.indexOf(b.file) ||
      (a.line ?? 0) - (b.line ?? 0),
  );
}

/** Enough to see what they have in common. */
const SHOWN_OF_A_KIND = 3;

/**
 * For the start of a session: sorted, and of more than three of a kind in one file the first three and how many more there
 * are. What is fatal is told in full, and so is what came from Agent.create, which no command can show.
 */
export function foldProblems(
  problems: readonly SettingsProblem[],
): { severity: SettingsProblem["severity"]; text: string }[] {
  const sorted = sortProblems(problems);
  const kinds = Map.groupBy(sorted, kindOf);
  return sorted.flatMap((problem) => {
    const { severity, file } = problem;
    const alike = kinds.get(kindOf(problem)) ?? [];
    const at = alike.indexOf(problem);
    const line = { severity, text: describeProblem(problem) };
    if (alike.length <= SHOWN_OF_A_KIND || severity === "fatal" || file === undefined) return [line];
    if (at > SHOWN_OF_A_KIND) return [];
    if (at < SHOWN_OF_A_KIND) return [line];
    const more = alike.length - SHOWN_OF_A_KIND;
    return [{ severity, text: `${file}: and ${more} more like these: wave doctor shows all` }];
  });
}

/** The same sentence about other names, numbers or paths. */
function kindOf({ severity, file, message }: SettingsProblem): string {
  const sentence = message.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').replaceAll(/\S*[/.\d]\S*/g, "…");
  return JSON.stringify([severity, file, sentence]);
}

export type CheckResult = "ok" | "warning" | "problem";

/** What one check found: one sentence, and what to do about it. */
export interface Finding {
  check: string;
  result: CheckResult;
  says: string;
  next?: string;
}

export const countOf = (findings: readonly Finding[], result: CheckResult): number =>
  findings.filter((finding) => finding.result === result).length;

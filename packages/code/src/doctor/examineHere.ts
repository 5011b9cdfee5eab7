import { projectDir } from "../modes/places.ts";
import { shortenPaths } from "../utils/shortPath.ts";
import { examine } from "./checks.ts";
import type { Finding } from "./finding.ts";
import { gatherFacts, type DoctorCase, type Patient } from "./gather.ts";

/** All checks, for this folder and these settings. */
export async function examineHere(around: Patient, given: DoctorCase): Promise<Finding[]> {
  return examine(await gatherFacts(around, given));
}

/** For people: paths as they would say them. */
export function forPeople(findings: readonly Finding[], around: Patient): Finding[] {
  const short = (text: string) => shortenPaths(text, projectDir(around));
  return findings.map(({ says, next, ...finding }) => ({
    ...finding,
    says: short(says),
    ...(next === undefined ? {} : { next: short(next) }),
  }));
}

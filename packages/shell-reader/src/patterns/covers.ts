import { readWithinSteps } from "../grammar/limits.ts";
import type { RulePlace } from "../programs/escapes.ts";
import type { Need, Reading } from "../reading.ts";
import { whyAbout, whyPerhaps } from "./maybe.ts";
import { patternOf, type Pattern } from "./pattern.ts";
import { surelyCovers } from "./surely.ts";

/** What a pattern has to say about a line. */
export interface Covering {
  /** It is about every command there is, also about what nobody understands. */
  everything: boolean;
  /** What it covers of `reading.needs`, for a rule that lets through: any doubt is against it. */
  surely(): readonly Need[];
  /** Why it is about the line or may be, for a rule that holds back: any doubt is on its side. Undefined: it is not. */
  maybe(): string | undefined;
  /** Why a program that nobody knows may run what it is about, where `maybe` has nothing to say. */
  perhaps(): string | undefined;
}

/**
 * Compares a line with a pattern: `git status:*` (these words, then anything), `npm test` (these words and no others), `git * main`
 * (the command as text) or `*`. A pattern has to be one plain command; otherwise the answer says what is wrong with it.
 */
export function covers(
  pattern: string,
  reading: Reading,
  place: RulePlace = {},
): Covering | { problem: string } {
  const read = patternOf(pattern);
  return "problem" in read ? read : coveringOf(read, reading, place);
}

const coveringOf = (pattern: Pattern, reading: Reading, place: RulePlace): Covering => ({
  everything: pattern.covers === "everything",
  surely() {
    const found = readWithinSteps(() => reading.needs.filter((need) => surelyCovers(pattern, need, place)));
    return "value" in found ? found.value : [];
  },
  maybe() {
    const found = readWithinSteps(() => whyAbout(pattern, reading));
    return "value" in found ? found.value : `comparing it with this rule does not end: ${found.why}`;
  },
  perhaps() {
    const found = readWithinSteps(() => whyPerhaps(pattern, reading));
    return "value" in found ? found.value : `comparing it with this rule does not end: ${found.why}`;
  },
});

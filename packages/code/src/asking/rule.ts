import stringWidth from "string-width";
import type { PendingPermission, RuleOffer } from "wave-agent-sdk";
import { visibleText } from "./visibleText.ts";

/** Shown whole beside its key, on the smallest screen there is; a longer one would be agreed to unread. */
export const LONGEST_RULE = 85;

/** Two rules need room for both: at 40 columns the narrow one in two rows and the wider one in one. */
const LONGEST_OF_TWO = { narrow: 51, wider: 28 };

/** The rules that the dialog offers to keep: the agent's offer, as far as a person can see all of it. */
export function offerToShow(
  { rule: offer }: Pick<PendingPermission, "rule">,
  hiddenInInput: number,
): RuleOffer {
  if (!offer.offered) return offer;
  const { rule, wider, file } = offer;
  if (hiddenInInput > 0 || visibleText(rule).hidden > 0) return no("it has hidden characters");
  const columns = stringWidth(rule);
  const widerFits = wider !== undefined && stringWidth(wider) <= LONGEST_OF_TWO.wider;
  if (columns > LONGEST_RULE) {
    if (widerFits) return { offered: true, rule: wider, file };
    return no(`it would be ${columns} characters long, too long to read here`);
  }
  return wider === undefined || (widerFits && columns <= LONGEST_OF_TWO.narrow)
    ? offer
    : { offered: true, rule, file };
}

const no = (why: string): RuleOffer => ({ offered: false, why });

import stringWidth from "string-width";
import type { PendingPermission, RuleOffer } from "wave-agent-sdk";
import { visibleText } from "./visibleText.ts";

/** Shown whole beside its key, on the smallest screen there is; a longer one would be agreed to unread. */
export const LONGEST_RULE = 85;

/** The rule that the dialog offers to keep: the agent's offer, as far as a person can see all of it. */
export function offerToShow({ rule }: Pick<PendingPermission, "rule">, hiddenInInput: number): RuleOffer {
  if (!rule.offered) return rule;
  if (hiddenInInput > 0 || visibleText(rule.rule).hidden > 0) return no("it has hidden characters");
  const columns = stringWidth(rule.rule);
  return columns > LONGEST_RULE ? no(`it would be ${columns} characters long, too long to read here`) : rule;
}

const no = (why: string): RuleOffer => ({ offered: false, why });

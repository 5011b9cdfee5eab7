import stringWidth from "string-width";
import type { PendingPermission, RuleOffer } from "wave-agent-sdk";
import { rulesShown } from "./choices.ts";
import { visibleText } from "./visibleText.ts";

/** Shown whole beside its key, on the smallest screen there is; a longer one would be agreed to unread. */
export const LONGEST_RULE = 85;

/** Where there are several to choose from, each has two rows at 40 columns. */
const LONGEST_OF_SEVERAL = 51;

/** The rules that the dialog offers to keep: the agent's offer, as far as a person can see all of it. */
export function offerToShow(
  { rule: offer }: Pick<PendingPermission, "rule">,
  hiddenInInput: number,
): RuleOffer {
  if (!offer.offered) return offer;
  const texts = offer.choices.map(({ rules }) => rulesShown(rules));
  if (hiddenInInput > 0 || texts.some((text) => visibleText(text).hidden > 0))
    return no("it has hidden characters");
  const fitting = (longest: number) =>
    offer.choices.filter((_, at) => stringWidth(texts[at] ?? "") <= longest);
  const several = fitting(LONGEST_OF_SEVERAL);
  const choices = several.length > 0 ? several : fitting(LONGEST_RULE).slice(0, 1);
  if (choices.length === 0)
    return {
      ...no(`it would be ${stringWidth(texts.at(-1) ?? "")} characters long, too long to read here`),
      // That is a short word, whatever the rule.
      ...(offer.mode && { mode: offer.mode }),
    };
  return choices.length === offer.choices.length ? offer : { ...offer, choices };
}

const no = (why: string): RuleOffer => ({ offered: false, why });

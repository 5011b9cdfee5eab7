import { describe, expect, it } from "vitest";
import type { RuleOffer } from "wave-agent-sdk";
import { choicesFor } from "../../src/asking/choices.ts";
import { LONGEST_RULE, offerToShow } from "../../src/asking/rule.ts";

const file = "/home/me/project/.wave/settings.local.json";
const offer = (rule: string): Extract<RuleOffer, { offered: true }> => ({ offered: true, rule, file });
const cwd = "/home/me/project";

describe("the offer of a rule", () => {
  it.each<[string, RuleOffer, number, RegExp]>([
    ["a rule with characters that cannot be seen", offer("Bash(echo a\u200bb)"), 0, /hidden characters/],
    ["an input with characters that cannot be seen", offer("Bash(echo)"), 1, /hidden characters/],
    ["a rule too long to be seen whole", offer(`Bash(${"x".repeat(LONGEST_RULE)})`), 0, /91 characters long/],
    ["a rule that is that wide", offer(`Bash(${"漢".repeat(41)})`), 0, /88 characters long/],
    ["what no rule covers", { offered: false, why: "a hook asked" }, 0, /^a hook asked$/],
  ])("is not made for %s, and says why (T80, G36)", (_what, rule, hidden, why) => {
    expect(offerToShow({ rule }, hidden)).toEqual({ offered: false, why: expect.stringMatching(why) });
  });

  it("shows the exact rule and the file it goes to, as the person would say it (T80)", () => {
    const rule = offer("Bash(git status:*)");
    expect(offerToShow({ rule }, 0)).toBe(rule);
    const labels = (where: string) =>
      choicesFor({ origin: "model", rule, cwd: where }).map(({ key, label }) => `${key} ${label}`);
    expect(labels(cwd)).toEqual([
      "y allow once",
      "s allow Bash(git status:*) this session",
      "p keep in .wave/settings.local.json",
      "n deny",
      "d deny, and say what to do instead",
    ]);
    expect(labels(`${cwd}/src`)).toContain(`p keep in ${file}`);
  });

  it("lets a person look at the wider rule before it can be kept, and go back (T80)", () => {
    const rule: RuleOffer = { ...offer("Bash(npm run build --watch)"), wider: "Bash(npm run build:*)" };
    const labels = (offers: "narrow" | "wider") =>
      choicesFor({ origin: "model", rule, offers, cwd }).map(({ key, label }) => `${key} ${label}`);
    expect(labels("narrow").slice(1, 4)).toEqual([
      "s allow Bash(npm run build --watch) this session",
      "p keep in .wave/settings.local.json",
      "w wider: Bash(npm run build:*)",
    ]);
    expect(labels("wider").slice(1, 4)).toEqual([
      "s allow Bash(npm run build:*) this session",
      "p keep in .wave/settings.local.json",
      "w narrower: this call and no other",
    ]);
  });

  it.each<[string, number, number, string[]]>([
    ["both fit", 51, 28, ["narrow", "wider"]],
    ["there is no room for both", 52, 28, ["narrow"]],
    ["the wider one does not fit", 20, 29, ["narrow"]],
    ["the narrow one is too long to read", LONGEST_RULE + 1, 28, ["wider"]],
  ])("is of what can be seen whole on the smallest screen: %s (T80)", (_what, narrow, wide, expected) => {
    const rules = { narrow: `Bash(${"n".repeat(narrow - 6)})`, wider: `Bash(${"w".repeat(wide - 6)})` };
    const shown = offerToShow({ rule: { ...offer(rules.narrow), wider: rules.wider } }, 0);
    const texts = shown.offered ? [shown.rule, shown.wider] : [];
    expect(
      texts.flatMap((text) => (text === undefined ? [] : text[5] === "n" ? ["narrow"] : ["wider"])),
    ).toEqual(expected);
  });

  it("is not among the choices when there is none", () => {
    const rule: RuleOffer = { offered: false, why: "a hook asked" };
    expect(choicesFor({ origin: "person", rule, cwd }).map(({ key }) => key)).toEqual(["y", "n"]);
  });
});

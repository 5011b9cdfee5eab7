import { describe, expect, it } from "vitest";
import type { RuleOffer } from "wave-agent-sdk";
import { choicesFor } from "../../src/asking/choices.ts";
import { LONGEST_RULE, offerToShow } from "../../src/asking/rule.ts";

const file = "/home/me/project/.wave/settings.local.json";
const offer = (rule: string): Extract<RuleOffer, { offered: true }> => ({
  offered: true,
  choices: [{ rules: [rule] }],
  file,
});

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

  it("shows the exact rule, and for how long it holds (T80)", () => {
    const rule = offer("Bash(git status:*)");
    expect(offerToShow({ rule }, 0)).toBe(rule);
    expect(choicesFor({ origin: "model", rule }).map(({ key, label }) => `${key} ${label}`)).toEqual([
      "y allow once",
      "s always allow Bash(git status:*) this session",
      "p always in this project",
      "n deny",
      "d deny, and say what to do instead",
    ]);
  });

  it("lets a person look at the wider rule before it can be kept, and go back (T80)", () => {
    const choices = ["Bash(npm run build --watch)", "Bash(npm run build:*)"].map((one) => ({ rules: [one] }));
    const rule: RuleOffer = { offered: true, choices, file };
    const labels = (offers: number) =>
      choicesFor({ origin: "model", rule, offers }).map(({ key, label }) => `${key} ${label}`);
    expect(labels(0).slice(1, 4)).toEqual([
      "s always allow Bash(npm run build --watch) this session",
      "p always in this project",
      "w offer Bash(npm run build:*) instead",
    ]);
    expect(labels(1).slice(1, 4)).toEqual([
      "s always allow Bash(npm run build:*) this session",
      "p always in this project",
      "w offer this call alone instead",
    ]);
  });

  it("names all rules of a line that needs several, and keeps them together (T80)", () => {
    const rule: RuleOffer = {
      offered: true,
      choices: [{ rules: ["Bash(git add:*)", "Bash(git commit:*)"] }],
      file,
    };
    expect(choicesFor({ origin: "model", rule })[1]?.label).toBe(
      "always allow Bash(git add:*) and Bash(git commit:*) this session",
    );
  });

  it.each<[string, number, number, string[]]>([
    ["both fit", 51, 51, ["n", "w"]],
    ["the narrow one has no room beside the other", 52, 28, ["w"]],
    ["the wider one does not fit", 20, 52, ["n"]],
    ["each fits only alone", LONGEST_RULE, LONGEST_RULE, ["n"]],
    ["the narrow one is too long to read", LONGEST_RULE + 1, LONGEST_RULE, ["w"]],
  ])("is of what can be seen whole on the smallest screen: %s (T80)", (_what, narrow, wide, expected) => {
    const choices = [`Bash(${"n".repeat(narrow - 6)})`, `Bash(${"w".repeat(wide - 6)})`].map((one) => ({
      rules: [one],
    }));
    const shown = offerToShow({ rule: { offered: true, choices, file } }, 0);
    expect(shown.offered ? shown.choices.map(({ rules }) => rules[0]?.[5]) : []).toEqual(expected);
  });

  it("is not among the choices when there is none", () => {
    const rule: RuleOffer = { offered: false, why: "a hook asked" };
    expect(choicesFor({ origin: "person", rule }).map(({ key }) => key)).toEqual(["y", "n"]);
  });
});

import { describe, expect, it } from "vitest";
import type { RuleOffer } from "wave-agent-sdk";
import { choicesFor } from "../../src/asking/choices.ts";
import { LONGEST_RULE, offerToShow } from "../../src/asking/rule.ts";

const file = "/home/me/project/.wave/settings.local.json";
const offer = (rule: string): RuleOffer => ({ offered: true, rule, file });
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
      choicesFor({ toolName: "Bash", rule, cwd: where }).map(({ key, label }) => `${key} ${label}`);
    expect(labels(cwd)).toEqual([
      "y allow once",
      "s allow Bash(git status:*) this session",
      "p keep in .wave/settings.local.json",
      "n deny",
      "d deny, and say what to do instead",
    ]);
    expect(labels(`${cwd}/src`)).toContain(`p keep in ${file}`);
  });

  it("is not among the choices when there is none", () => {
    const rule: RuleOffer = { offered: false, why: "a hook asked" };
    expect(choicesFor({ toolName: "prompt", rule, cwd }).map(({ key }) => key)).toEqual(["y", "n"]);
  });
});

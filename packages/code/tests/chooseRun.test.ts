import { describe, expect, it } from "vitest";
import { whyNoPrompt } from "../src/cli/notAPrompt.ts";
import { chooseRun, type WithoutPrint } from "../src/cli/chooseRun.ts";

describe("wave without -p", () => {
  const rows: [what: string, facts: WithoutPrint, run: string, word: string][] = [
    [
      "on a terminal without a model says what to set and what there is without one",
      { prompt: undefined, words: [], onTerminal: true, piped: undefined, model: "no-key" },
      "first-start",
      "",
    ],
    [
      "on a terminal with a model opens the screen",
      { prompt: undefined, words: [], onTerminal: true, piped: undefined, model: "configured" },
      "screen",
      "",
    ],
    [
      "on a terminal with a model and a prompt opens the screen with it",
      { prompt: "fix it", words: ["fix", "it"], onTerminal: true, piped: undefined, model: "configured" },
      "screen",
      "",
    ],
    [
      "on a terminal with a prompt and no model does the same, and keeps the prompt",
      { prompt: "fix it", words: ["fix", "it"], onTerminal: true, piped: undefined, model: "no-key" },
      "first-start",
      "",
    ],
    [
      "on a terminal with a model that cannot work says why",
      { prompt: undefined, words: [], onTerminal: true, piped: undefined, model: "unusable" },
      "first-start",
      "",
    ],
    [
      "knows a mistyped doctor",
      { prompt: "docter", words: ["docter"], onTerminal: true, piped: undefined, model: "no-key" },
      "wrong-usage",
      "Did you mean wave doctor?",
    ],
    [
      "with nothing at all and a model that cannot work asks for a prompt",
      { prompt: undefined, words: [], onTerminal: false, piped: "", model: "unusable" },
      "wrong-usage",
      "There is no prompt",
    ],
    [
      "knows a mistyped command",
      { prompt: "dmeo", words: ["dmeo"], onTerminal: true, piped: undefined, model: "configured" },
      "wrong-usage",
      "Did you mean wave demo?",
    ],
    [
      "sends no mistyped command to a model",
      { prompt: "sesions", words: ["sesions"], onTerminal: false, piped: "", model: "configured" },
      "wrong-usage",
      "Did you mean wave sessions?",
    ],
    [
      "takes the name of a command behind -- for a prompt",
      { prompt: "demo", words: [], onTerminal: false, piped: "", model: "configured" },
      "print",
      "",
    ],
    [
      "with piped text acts like print mode",
      { prompt: undefined, words: [], onTerminal: false, piped: "x", model: "no-key" },
      "print",
      "",
    ],
    [
      "with a prompt and no terminal acts like print mode",
      { prompt: "fix it", words: ["fix", "it"], onTerminal: false, piped: "", model: "configured" },
      "print",
      "",
    ],
    [
      "with nothing at all and no model plays the demo",
      { prompt: undefined, words: [], onTerminal: false, piped: "", model: "no-key" },
      "demo",
      "",
    ],
    [
      "with nothing at all and a model asks for a prompt",
      { prompt: undefined, words: [], onTerminal: false, piped: " \n", model: "configured" },
      "wrong-usage",
      "There is no prompt (the piped input, 2 bytes, is nothing but blanks)",
    ],
  ];

  it.each<[words: string[], isPiped: boolean, says: string | undefined]>([
    [["login"], false, "Wave has no accounts"],
    [["config", "set", "model"], false, "wave doctor says which files"],
    [["resume"], false, "wave --continue"],
    [["hello"], false, "There are: acp, demo, doctor, hooks, init, mcp, permissions, plugin, sessions"],
    [["sesions"], true, "Did you mean wave sessions?"],
    [["review"], true, undefined],
    [["login", "page", "is", "broken"], false, undefined],
    [["run the tests"], false, undefined],
    [["fix", "it"], false, undefined],
    [["修复登录"], false, undefined],
    [[], false, undefined],
  ])("and %j, piped %s, is a prompt only if a person would call it one", (words, isPiped, says) => {
    const why = whyNoPrompt(words, { isPiped });
    if (says === undefined) expect(why).toBeUndefined();
    else expect(why).toContain(says);
  });

  it.each(rows)("%s", (_what, facts, run, word) => {
    const choice = chooseRun(facts);
    expect(choice.run).toBe(run);
    expect("problem" in choice ? choice.problem : "").toContain(word);
  });
});

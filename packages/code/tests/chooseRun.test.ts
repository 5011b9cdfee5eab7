import { describe, expect, it } from "vitest";
import { chooseRun, type WithoutPrint } from "../src/cli/chooseRun.ts";

describe("wave without -p", () => {
  const rows: [what: string, facts: WithoutPrint, run: string, word: string][] = [
    [
      "on a terminal without a model says what to set and what there is without one",
      { prompt: undefined, onTerminal: true, piped: undefined, model: "no-key" },
      "first-start",
      "",
    ],
    [
      "on a terminal with a model opens the screen",
      { prompt: undefined, onTerminal: true, piped: undefined, model: "configured" },
      "screen",
      "",
    ],
    [
      "on a terminal with a model and a prompt opens the screen with it",
      { prompt: "fix it", onTerminal: true, piped: undefined, model: "configured" },
      "screen",
      "",
    ],
    [
      "on a terminal with a prompt and no model does the same, and keeps the prompt",
      { prompt: "fix it", onTerminal: true, piped: undefined, model: "no-key" },
      "first-start",
      "",
    ],
    [
      "on a terminal with a model that cannot work says why",
      { prompt: undefined, onTerminal: true, piped: undefined, model: "unusable" },
      "first-start",
      "",
    ],
    [
      "knows a mistyped doctor",
      { prompt: "docter", onTerminal: true, piped: undefined, model: "no-key" },
      "wrong-usage",
      "Did you mean wave doctor?",
    ],
    [
      "with nothing at all and a model that cannot work asks for a prompt",
      { prompt: undefined, onTerminal: false, piped: "", model: "unusable" },
      "wrong-usage",
      "There is no prompt",
    ],
    [
      "knows a mistyped command",
      { prompt: "dmeo", onTerminal: true, piped: undefined, model: "configured" },
      "wrong-usage",
      "Did you mean wave demo?",
    ],
    [
      "sends no mistyped command to a model",
      { prompt: "sesions", onTerminal: false, piped: "", model: "configured" },
      "wrong-usage",
      "Did you mean wave sessions?",
    ],
    [
      "takes the name of a command behind -- for a prompt",
      { prompt: "demo", onTerminal: false, piped: "", model: "configured" },
      "print",
      "",
    ],
    [
      "with piped text acts like print mode",
      { prompt: undefined, onTerminal: false, piped: "x", model: "no-key" },
      "print",
      "",
    ],
    [
      "with a prompt and no terminal acts like print mode",
      { prompt: "x", onTerminal: false, piped: "", model: "configured" },
      "print",
      "",
    ],
    [
      "with nothing at all and no model plays the demo",
      { prompt: undefined, onTerminal: false, piped: "", model: "no-key" },
      "demo",
      "",
    ],
    [
      "with nothing at all and a model asks for a prompt",
      { prompt: undefined, onTerminal: false, piped: " \n", model: "configured" },
      "wrong-usage",
      "There is no prompt (the piped input, 2 bytes, is nothing but blanks)",
    ],
  ];

  it.each(rows)("%s", (_what, facts, run, word) => {
    const choice = chooseRun(facts);
    expect(choice.run).toBe(run);
    expect("problem" in choice ? choice.problem : "").toContain(word);
  });
});

import { describe, expect, it } from "vitest";
import { chooseRun, type WithoutPrint } from "../src/cli/chooseRun.ts";

describe("wave without -p", () => {
  const rows: [what: string, facts: WithoutPrint, run: string, word: string][] = [
    [
      "on a terminal without a model plays the demo",
      { prompt: undefined, onTerminal: true, piped: undefined, hasModel: false },
      "demo",
      "",
    ],
    [
      "on a terminal with a model opens the screen",
      { prompt: undefined, onTerminal: true, piped: undefined, hasModel: true },
      "screen",
      "",
    ],
    [
      "on a terminal with a model and a prompt opens the screen with it",
      { prompt: "fix it", onTerminal: true, piped: undefined, hasModel: true },
      "screen",
      "",
    ],
    [
      "on a terminal with a prompt and no model acts like print mode, which says what to set",
      { prompt: "fix it", onTerminal: true, piped: undefined, hasModel: false },
      "print",
      "",
    ],
    [
      "knows a mistyped command",
      { prompt: "dmeo", onTerminal: true, piped: undefined, hasModel: true },
      "wrong-usage",
      "Did you mean wave demo?",
    ],
    [
      "sends no mistyped command to a model",
      { prompt: "sesions", onTerminal: false, piped: "", hasModel: true },
      "wrong-usage",
      "Did you mean wave sessions?",
    ],
    [
      "takes the name of a command behind -- for a prompt",
      { prompt: "demo", onTerminal: false, piped: "", hasModel: true },
      "print",
      "",
    ],
    [
      "with piped text acts like print mode",
      { prompt: undefined, onTerminal: false, piped: "x", hasModel: false },
      "print",
      "",
    ],
    [
      "with a prompt and no terminal acts like print mode",
      { prompt: "x", onTerminal: false, piped: "", hasModel: true },
      "print",
      "",
    ],
    [
      "with nothing at all and no model plays the demo",
      { prompt: undefined, onTerminal: false, piped: "", hasModel: false },
      "demo",
      "",
    ],
    [
      "with nothing at all and a model asks for a prompt",
      { prompt: undefined, onTerminal: false, piped: " \n", hasModel: true },
      "wrong-usage",
      "There is no prompt",
    ],
  ];

  it.each(rows)("%s", (_what, facts, run, word) => {
    const choice = chooseRun(facts);
    expect(choice.run).toBe(run);
    expect("problem" in choice ? choice.problem : "").toContain(word);
  });
});

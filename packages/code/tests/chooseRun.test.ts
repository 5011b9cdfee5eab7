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
      "on a terminal with a model says what to use",
      { prompt: undefined, onTerminal: true, piped: undefined, hasModel: true },
      "wrong-usage",
      "The terminal UI comes with a later version",
    ],
    [
      "on a terminal with a prompt acts like print mode, as in a pipe",
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

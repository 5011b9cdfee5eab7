import { describe, expect, it } from "vitest";
import { firstStartLines, offerLines, offersFor, type FirstStartFacts } from "../../src/panels/firstStart.ts";
import { lineWidth, textOf, widthOf } from "../../src/view/span.ts";
import { welcomeLines, type WelcomeFacts } from "../../src/view/welcome.ts";

const NOTHING: FirstStartFacts = { version: "1.2.3", problem: undefined, local: undefined };
const LOCAL: FirstStartFacts = {
  ...NOTHING,
  local: { server: "Ollama", model: "qwen3-coder:30b", address: "127.0.0.1:11434" },
};

describe("the first screen", () => {
  it("offers a model server of this machine first, by name and model, when one answers", () => {
    expect(offersFor(NOTHING).map(({ choice }) => choice)).toEqual(["demo", "leave"]);
    expect(offersFor(LOCAL)[0]).toEqual({
      choice: "local",
      does: "Use qwen3-coder:30b",
      about: "Ollama on this machine, 127.0.0.1:11434",
    });
  });

  it.each([40, 57, 80, 200])("fits %i columns, whatever it has to say", (columns) => {
    const problem =
      "The base URL from WAVE_BASE_URL is not an address; set it to one like https://models.example/v1.";
    for (const facts of [NOTHING, LOCAL, { ...LOCAL, problem }]) {
      const offers = offersFor(facts);
      const widest = Math.max(...offers.map(({ does }) => widthOf(does)));
      const lines = [
        ...firstStartLines(facts, columns),
        ...offers.flatMap((offer) => offerLines(offer, { columns, widest, marked: true })),
      ];
      for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(columns);
      const text = lines.map(textOf).join("\n");
      for (const name of ["WAVE_API_KEY", "WAVE_BASE_URL", "WAVE_MODEL"]) expect(text).toContain(name);
    }
  });
});

describe("the header of a session", () => {
  const FACTS: WelcomeFacts = {
    version: "1.2.3",
    model: "big-1",
    folder: "~/code/garden",
    hooks: [
      { scope: "user", count: 1 },
      { scope: "project", count: 2 },
    ],
    hooksOff: 1,
  };
  const shown = (facts: WelcomeFacts, width: number) =>
    welcomeLines(facts, width).map((line) => textOf(line).trimEnd());

  it("says all of it", () => {
    expect(shown(FACTS, 80)).toEqual([
      "≋ Wave 1.2.3  big-1 · ~/code/garden",
      "  3 hooks active: 1 user, 2 project · 1 off",
      "  /help lists keys and commands · ! runs a command · # keeps a note",
    ]);
    expect(shown({ ...FACTS, model: undefined, hooks: [], hooksOff: 0 }, 40)).toEqual([
      "≋ Wave 1.2.3",
      "  the model of the server · …code/garden",
      "  no hooks here yet",
      "  /help lists keys and commands",
    ]);
  });

  it.each([40, 50, 80, 200])("has at most four lines of %i columns, however long names are", (width) => {
    const long: WelcomeFacts = {
      ...FACTS,
      model: "organisation/a-model-with-a-very-long-name-indeed:latest",
      folder: `~/${"a-deep-folder/".repeat(12)}漢字`,
      hooks: ["managed", "user", "project", "local", "flag", "sdk"].map((scope) => ({ scope, count: 1234 })),
    };
    for (const facts of [FACTS, long, { ...long, model: "\u001b[2J" }]) {
      const lines = welcomeLines(facts, width);
      expect(lines.length).toBeLessThanOrEqual(4);
      for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(width);
      expect(lines.map(textOf).join("")).not.toContain("\u001b");
    }
  });
});

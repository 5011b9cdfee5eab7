import { describe, expect, it } from "vitest";
import { readSteps, stepLines, stepsIn } from "../../src/view/steps.ts";
import { textOf } from "../../src/view/span.ts";
import type { Message, ToolBlock } from "wave-agent-sdk";

const todo = (content: string, status: string, activeForm?: string) => ({
  content,
  status,
  ...(activeForm === undefined ? {} : { activeForm }),
});

const LIST = [
  todo("Read the code", "completed"),
  todo("Run the tests", "in_progress", "Running the tests"),
  todo("Write the docs", "pending"),
];
const LONG = Array.from({ length: 12 }, (_, index) =>
  todo(`Step ${index + 1}`, index < 5 ? "completed" : index === 5 ? "in_progress" : "pending"),
);

const drawn = (todos: unknown, look: { width?: number; rows?: number; form?: "list" | "line" } = {}) =>
  stepLines(readSteps({ todos }) ?? [], { width: 40, rows: 9, form: "list", ...look }).map(textOf);

describe("the steps of the model's work", () => {
  it("are drawn with a sign each, and what is being done in its own words", () => {
    expect(drawn(LIST)).toEqual([
      "1 of 3 steps done",
      "✓ Read the code",
      "→ Running the tests",
      "○ Write the docs",
    ]);
  });

  it("are one line while nobody works on them, or where there is no room", () => {
    const line = ["1 of 3 steps done; now: Running the tests"];
    expect(drawn(LIST, { form: "line", width: 60 })).toEqual(line);
    expect(drawn(LIST, { rows: 2, width: 60 })).toEqual(line);
  });

  it("are drawn around the one that is being done where they are too many, and say so", () => {
    expect(drawn(LONG, { rows: 6 })).toEqual([
      "5 of 12 steps done",
      "✓ Step 5",
      "→ Step 6",
      "○ Step 7",
      "○ Step 8",
      "… 4 above, 4 below",
    ]);
  });

  it("are not drawn any more when all of them are done", () => {
    expect(drawn([todo("Read the code", "completed")])).toEqual([]);
    expect(drawn([])).toEqual([]);
  });

  it("are cut to the width, and their text cannot draw (G46)", () => {
    const [, step] = drawn([todo(`\u001b[2J${"long ".repeat(20)}`, "pending")], { width: 20 });
    expect(step).toBe("○ \\x1b[2Jlong long …");
  });

  it("are those of the newest call that succeeded", () => {
    const call = (todos: unknown[], success: boolean): Message => {
      const block: ToolBlock = {
        type: "tool",
        id: "c",
        name: "TodoWrite",
        parameters: JSON.stringify({ todos }),
        stage: "ended",
        success,
        result: "",
      };
      return { id: "m", role: "assistant", blocks: [block] };
    };
    const messages = [call(LONG, true), call(LIST, true), call([], false)];
    expect(stepsIn(messages)).toHaveLength(3);
    expect(stepsIn([...messages, call([], true)])).toEqual([]);
    expect(stepsIn([])).toBeUndefined();
  });
});

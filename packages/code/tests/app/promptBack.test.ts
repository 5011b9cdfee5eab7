import { expect, it } from "vitest";
import { backWords } from "../../src/app/promptBack.ts";

const rows: [Parameters<typeof backWords>[0], string][] = [
  [{ because: "model-error", modelCalls: 1 }, "not answered: your prompt is back in the input"],
  [{ because: "context-full", modelCalls: 0 }, "not answered: your prompt is back in the input"],
  [{ because: "prompt-blocked", modelCalls: 0 }, "not sent: your prompt is back in the input"],
  [{ because: "halted", modelCalls: 0 }, "not sent: your prompt is back in the input"],
  [{ because: "halted", modelCalls: 1 }, "not answered: your prompt is back in the input"],
  [{ because: "aborted", modelCalls: 0 }, "interrupted: your prompt is back in the input"],
];
it.each(rows)(
  "a prompt that comes back says what became of it, and not why once more: %j (T162, T163)",
  (end, said) => {
    expect(backWords(end)).toBe(said);
  },
);

import { describe, expect, it } from "vitest";
import { z } from "zod";
import { builtInTools } from "@/tools/index.ts";
import { describeMisfit } from "@/utils/describeMisfit.ts";

const schema = z.strictObject({
  command: z.string().min(1),
  count: z.int().min(1).max(5).optional(),
  mode: z.enum(["content", "files", "count"]).optional(),
  kind: z.literal("command").optional(),
  edits: z
    .array(z.strictObject({ old: z.string() }))
    .min(1)
    .max(2)
    .optional(),
  either: z.union([z.string(), z.number()]).optional(),
  fast: z.boolean().optional(),
  ratio: z.number().positive().optional(),
});

function misfit(input: unknown): string {
  return describeMisfit({
    name: "Bash",
    schema,
    input,
    issues: schema.safeParse(input).error?.issues ?? [],
  });
}

describe("an input that does not fit", () => {
  const fields = "(fields: command, count, mode, kind, edits, either, fast, ratio)";
  const old = { old: "a" };
  const cases: [input: unknown, words: string][] = [
    [{}, "command is missing"],
    [{ cmd: "ls" }, `command is missing; cmd is not a field of Bash ${fields}`],
    [{ command: "x", a: 1, "b c": 2 }, `a, "b c" are not fields of Bash ${fields}`],
    [{ command: "" }, "command must not be empty"],
    [{ command: 5 }, "command must be a text, not 5"],
    [{ command: null }, "command must be a text, not null"],
    [{ command: { a: 1 } }, "command must be a text, not an object"],
    [{ command: "x", count: 1.5 }, "count must be a whole number, not 1.5"],
    [{ command: "x", count: "1" }, 'count must be a number, not "1"'],
    [{ command: "x", count: 0 }, "count must be at least 1, not 0"],
    [{ command: "x", count: 9 }, "count must be at most 5, not 9"],
    [{ command: "x", ratio: 0 }, "ratio must be more than 0, not 0"],
    [{ command: "x", mode: "lines" }, 'mode must be "content", "files" or "count", not "lines"'],
    [{ command: "x", kind: "http" }, 'kind must be "command", not "http"'],
    [{ command: "x", fast: "true" }, 'fast must be true or false, not "true"'],
    [{ command: "x", edits: "a" }, 'edits must be a list, not "a"'],
    [{ command: "x", edits: [] }, "edits must not be empty"],
    [{ command: "x", edits: [old, old, old] }, "edits must have at most 2 items"],
    [
      { command: "x", edits: [{}, { old: 1, new: 2 }] },
      "edits[0].old is missing; edits[1].old must be a text, not 1; new is not a field of edits[1]",
    ],
    [{ command: "x", either: true }, "either does not fit: invalid input"],
    ["ls", 'the input must be an object, not "ls"'],
  ];
  it.each(cases)("%j is explained in plain words", (input, words) => {
    expect(misfit(input)).toBe(words);
  });

  it.each(builtInTools().map((tool) => [tool.name, tool] as const))(
    "%s never shows the words of the schema library",
    (name, tool) => {
      const wrong = [{ surprise: 1 }, Object.fromEntries(fieldsOf(tool.input).map((key) => [key, [null]]))];
      for (const input of wrong) {
        const words = describeMisfit({
          name,
          schema: tool.input,
          input,
          issues: tool.input.safeParse(input).error?.issues ?? [],
        });
        expect(words).not.toMatch(/Invalid|expected|received|Unrecognized|Too (small|big)/i);
        expect(words).not.toBe("");
      }
    },
  );
});

function fieldsOf(input: z.ZodType): string[] {
  return input instanceof z.ZodObject ? Object.keys(input.shape) : [];
}

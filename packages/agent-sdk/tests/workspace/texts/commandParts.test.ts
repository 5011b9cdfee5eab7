import { describe, expect, it } from "vitest";
import { readFrontMatter } from "@/utils/frontMatter.ts";
import { commandParts, type CommandPart } from "@/workspace/texts/commandParts.ts";

describe("the text of a command in a file", () => {
  it.each<[body: string, typed: string, parts: CommandPart[]]>([
    ["Deploy it.", "", [{ say: "Deploy it." }]],
    ["Deploy it.", "to staging", [{ say: "Deploy it.\n\nto staging" }]],
    ["Deploy $ARGUMENTS now.", "to staging", [{ say: "Deploy to staging now." }]],
    ["$2 before $1, not $3.", `one "two words"`, [{ say: "two words before one, not ." }]],
    ["Costs $10 and $ARGUMENTSX.", "a", [{ say: "Costs $10 and $ARGUMENTSX.\n\na" }]],
    ["$1", "$ARGUMENTS", [{ say: "$ARGUMENTS" }]],
    [
      "Look: !`git log -$1` and !`ls`.",
      "5",
      [{ say: "Look: " }, { run: "git log -5" }, { say: " and " }, { run: "ls" }, { say: "." }],
    ],
    ["No `code` runs, nor !`` nothing.", "", [{ say: "No `code` runs, nor !`` nothing." }]],
    // What was typed is no text of the file: a command line in it is just words.
    ["Say $ARGUMENTS", "!`rm x`", [{ say: "Say !`rm x`" }]],
  ])("%j with %j", (body, typed, parts) => {
    expect(commandParts(body, typed)).toEqual(parts);
  });
});

describe("what stands before the text", () => {
  it.each([
    [
      "---\ndescription: Ship it\nargument-hint: [env]\n---\nText",
      { description: "Ship it", "argument-hint": ["env"] },
      "Text",
    ],
    [
      "---\r\nname: 'a: b'\r\ntools: Read, Grep\r\n---\r\nText\r\n",
      { name: "a: b", tools: "Read, Grep" },
      "Text",
    ],
    [
      "---\ntools:\n  - Read\n  - Bash\nx: >\n  one\n  two\n---\n",
      { tools: ["Read", "Bash"], x: "one two" },
      "",
    ],
    ["---\nno end\nText", {}, "---\nno end\nText"],
    ["# Title\n---\na: b\n---\n", {}, "# Title\n---\na: b\n---"],
    ["---\n__proto__: x\nconstructor: y\n---\nText", { constructor: "y" }, "Text"],
  ])("is read from %j", (text, fields, body) => {
    const read = readFrontMatter(text);
    expect({ fields: { ...read.fields }, body: read.body }).toEqual({ fields, body });
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHighlight } from "../../src/view/highlight.ts";
import { renderMarkdown } from "../../src/view/markdown.ts";
import { lineWidth, textOf, type Line } from "../../src/view/span.ts";
import { ACTS, ESCAPES } from "../support/escapes.ts";

const rows = (lines: readonly Line[]) => lines.map((line) => textOf(line).trimEnd());
const shown = (source: string, width = 80) => rows(renderMarkdown(source, { width }));

describe("markdown shows", () => {
  const table: [string, string, string[]][] = [
    ["headings", "# One\n## Two\ntext", ["One", "", "Two", "", "text"]],
    ["emphasis as what it means", "*a* **b** ~~c~~ `d` \\*e\\*", ["a b c d *e*"]],
    ["line breaks where they were written", "a\nb<br>c", ["a", "b", "c"]],
    ["bullets and nested numbers", "- a\n  1. b\n  2. c\n- d", ["• a", "  1. b", "  2. c", "• d"]],
    ["numbers as long as each other", "9. a\n10. b", [" 9. a", "10. b"]],
    ["tasks", "- [x] a\n- [ ] b", ["• [x] a", "• [ ] b"]],
    ["loose lists with air", "- a\n\n- b", ["• a", "", "• b"]],
    ["paragraphs of an item below each other", "- a\n\n  b", ["• a", "", "  b"]],
    ["quotes behind a bar", "> a\n> > b", ["│ a", "│", "│ │ b"]],
    ["links with their address", "[here](https://x.example/y)", ["here (https://x.example/y)"]],
    [
      "an address that is its own text once",
      "<https://x.example> a@b.example",
      ["https://x.example a@b.example"],
    ],
    [
      "where a deceiving link leads",
      "[https://good.example](https://evil.example)",
      ["https://good.example (https://evil.example)"],
    ],
    ["images by name", "![a cat](cat.png)", ["[image: a cat] (cat.png)"]],
    [
      "code indented, as it is",
      "```js\nif (a) {\n\treturn *b*;\n}\n```",
      ["  if (a) {", "      return *b*;", "  }"],
    ],
    ["tags as they are", "a <b>c</b>\n\n<div>x</div>", ["a <b>c</b>", "", "<div>x</div>"]],
    ["entities as characters", "&lt;a&gt; &amp; &#65;", ["<a> & A"]],
    ["link definitions, too", "[a]: https://x.example", ["[a]: https://x.example"]],
    ["rules", "a\n\n---\n\nb", ["a", "", "─".repeat(40), "", "b"]],
    ["nothing for nothing", "", []],
  ];
  it.each(table)("%s", (_what, source, expected) => {
    expect(shown(source)).toEqual(expected);
  });

  it("every way of looking different", () => {
    const [line] = renderMarkdown("*a* **b** ~~c~~ `d` [e](f)", { width: 80 });
    expect(line?.filter(({ text }) => text.trim() !== "")).toEqual([
      { text: "a", italic: true },
      { text: "b", bold: true },
      { text: "c", strikethrough: true },
      { text: "d", tone: "accent" },
      { text: "e", underline: true },
      { text: " (f)", tone: "dim" },
    ]);
  });
});

describe("a table", () => {
  const source = [
    "| Name | Meaning | Count |",
    "|:--|:-:|--:|",
    "| alpha | the first letter of the alphabet | 1 |",
    "| beta | 日本 | 22 |",
  ].join("\n");

  it("is as wide as it needs", () => {
    expect(shown(source, 120)).toEqual([
      "Name  │             Meaning              │ Count",
      "──────┼──────────────────────────────────┼──────",
      "alpha │ the first letter of the alphabet │     1",
      "beta  │               日本               │    22",
    ]);
  });

  it("shrinks its widest column and wraps in it", () => {
    expect(shown(source, 41)).toEqual([
      "Name  │          Meaning          │ Count",
      "──────┼───────────────────────────┼──────",
      "alpha │  the first letter of the  │     1",
      "      │         alphabet          │",
      "beta  │           日本            │    22",
    ]);
  });

  it("becomes a list where it would have to be squeezed into 40 columns", () => {
    expect(shown(source, 40)).toEqual([
      "Name: alpha",
      "Meaning: the first letter of the",
      "  alphabet",
      "Count: 1",
      "",
      "Name: beta",
      "Meaning: 日本",
      "Count: 22",
    ]);
  });

  it("that fits into 40 columns stays a table there", () => {
    expect(shown("|a|b|\n|-|-|\n|1|2|", 40)).toEqual(["a │ b", "──┼──", "1 │ 2"]);
  });
});

describe("while it streams", () => {
  const rendered = (source: string) => rows(renderMarkdown(source, { width: 40, streaming: true }));
  const table: [string, string, string[]][] = [
    ["an open fence is code", "```ts\nconst a", ["  const a"]],
    ["half a fence is text", "a\n\n``", ["a", "", "``"]],
    ["the header of a table is text", "| a | b |", ["| a | b |"]],
    ["half a rule below a header changes nothing", "| a | b |\n|--", ["| a | b |"]],
    ["half a row is a row", "| a | b |\n|---|---|\n| 1", ["a │ b", "──┼──", "1 │"]],
    ["a dash does not make a heading of the line before", "text\n-", ["text"]],
    ["an open emphasis is text", "some **bo", ["some **bo"]],
    ["an open link is text", "see [here](http", ["see [here](http"]],
  ];
  it.each(table)("%s", (_what, source, expected) => {
    expect(rendered(source)).toEqual(expected);
  });

  it("every prefix of a text gives rows that fit", () => {
    const whole =
      "# T\n\n- a **b**\n  - [x] c\n\n| a | b |\n|---|--:|\n| 1 | `2` |\n\n```py\ndef f():\n  pass\n```\n> q [l](http://x)\n\n![i](p)";
    for (let length = 0; length <= whole.length; length++) {
      const lines = renderMarkdown(whole.slice(0, length), { width: 40, streaming: true });
      for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(40);
    }
  });
});

describe("whatever a model writes", () => {
  it.each([40, 80, 120])("fits into %i columns", (width) => {
    const word = fc.constantFrom(
      "a",
      "long-word-that-goes-on-and-on-and-on-and-on-and-on",
      "日本語",
      "👩‍👩‍👧",
      "**",
      "`",
      "|",
      "\n",
      "\n\n",
      "- ",
      "> ",
      "# ",
      "1. ",
      "```\n",
      "\t",
      "[x](y)",
      "|-|-|",
      " ",
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        for (const line of renderMarkdown(words.join(""), { width })) {
          // Deep nesting keeps 16 columns for its text, whatever is left.
          const nested = Math.max(
            0,
            words.filter((one) => one === "> " || one === "- " || one === "1. ").length * 4,
          );
          expect(lineWidth(line)).toBeLessThanOrEqual(width + nested);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["stars", `${"*".repeat(60_000)}!`],
    ["underscores", `${"_".repeat(60_000)}!`],
    ["tabs", `a${"\t".repeat(60_000)}!`],
    ["emphasis", "_a_".repeat(30_000)],
    ["marks of images", "!".repeat(60_000)],
    ["one word of code", `\`\`\`ts\n${"a".repeat(39_000)}\n\`\`\``],
  ])(
    "is shown in time although it is made to hang: %s (G36)",
    (_what, source) => {
      const highlight = createHighlight();
      const streamed = [0.5, 0.75, 1].map((part) => source.slice(0, source.length * part));
      for (const text of streamed) renderMarkdown(text, { width: 80, streaming: true, highlight });
      const letters = rows(renderMarkdown(source, { width: 80, highlight })).join("").length;
      expect(letters).toBeGreaterThan(1);
    },
    // Each took minutes; a busy machine may take some seconds.
    20_000,
  );

  it("is shown as text when it is nested deeper than anything can be drawn", () => {
    const source = "> ".repeat(6_000) + "x";
    expect(shown(source).join("").replaceAll(/\s/g, "")).toBe(source.replaceAll(/\s/g, ""));
  });

  it.each(ESCAPES)("cannot act on the terminal with %s (G46)", (_what, bytes) => {
    const places = [
      bytes,
      `# ${bytes}`,
      `- ${bytes}\n  1. ${bytes}`,
      `> ${bytes}`,
      `\`${bytes}\``,
      `\`\`\`sh\n${bytes}\n\`\`\``,
      `\`\`\`${bytes}\nx\n\`\`\``,
      `[${bytes}](http://a/${bytes})`,
      `![${bytes}](${bytes})`,
      `|${bytes}|b|\n|-|-|\n|1|${bytes}|`,
      `<div>${bytes}</div>`,
      `[a]: http://x/${bytes}`,
    ];
    const highlight = createHighlight();
    for (const place of places) {
      for (const width of [20, 80]) {
        const text = renderMarkdown(place, { width, highlight }).map(textOf).join("\n");
        expect(ACTS.exec(text)).toBeNull();
      }
    }
  });
});

describe("code", () => {
  const highlight = createHighlight();

  it("is coloured by its language", () => {
    const [line] = renderMarkdown("```ts\nconst a = 'x'; // why\n```", { width: 80, highlight });
    expect(line?.filter(({ tone }) => tone !== undefined)).toEqual([
      { text: "const", tone: "keyword" },
      { text: "'x'", tone: "literal" },
      { text: "// why", tone: "comment", italic: true },
    ]);
  });

  it.each(["klingon", "", "ts{1,3}", "Rust ignore"])("in %j keeps its text", (language) => {
    const source = `\`\`\`${language}\nfn a() {\n  "b"\n}\n\`\`\``;
    expect(rows(renderMarkdown(source, { width: 80, highlight }))).toEqual(["  fn a() {", '    "b"', "  }"]);
  });
});

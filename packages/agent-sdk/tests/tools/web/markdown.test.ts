import { describe, expect, it } from "vitest";
import { toMarkdown } from "@/tools/web/markdown.ts";

const BASE = "https://example.com/docs/start";
const read = (html: string) => toMarkdown(html, BASE).markdown;

describe("a page as Markdown", () => {
  it.each([
    ["headings and paragraphs", "<h1>One</h1><p>two\n  three</p><p>four", "# One\n\ntwo three\n\nfour"],
    [
      "a link, completed",
      'see <a href="../a?b=1&amp;c=2">this page</a>.',
      "see [this page](https://example.com/a?b=1&c=2).",
    ],
    [
      "a link of the page itself as its words",
      '<a href="#x">top</a> <a href="javascript:alert(1)">no</a>',
      "top no",
    ],
    [
      "marks, also with blanks before their end",
      "a <b>bold </b>and <em>other</em> word",
      "a **bold** and *other* word",
    ],
    ["code in a line", "run <code>npm &lt;x&gt;</code> now", "run `npm <x>` now"],
    [
      "code in a block, as it is written",
      "<pre><code>if (a) {\n  b();\n}\n</code></pre>after",
      "```\nif (a) {\n  b();\n}\n```\n\nafter",
    ],
    [
      "lists inside of lists",
      "<ul><li>one<ul><li>deep</li></ul></li><li><p>two</p></li></ul>",
      "- one\n  - deep\n- two",
    ],
    ["lists with numbers", "<ol><li>one</li><li>two</li></ol>", "1. one\n2. two"],
    ["a quotation", "<blockquote><p>said</p></blockquote>by", "> said\n>\nby"],
    [
      "a table",
      "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><p>2</p><p>3|4</p></td></tr></table>",
      "| a | b |\n| --- | --- |\n| 1 | 2 3\\|4 |",
    ],
    [
      "a table inside of a cell, with nothing lost",
      "<table><tr><td>out<table><tr><td>in</td></tr></table></td></tr></table>",
      "| out |\n| --- |\n| in |",
    ],
    [
      "a picture that has words",
      '<img alt="a cat" src="/cat.png"><img src="/x.gif">',
      "![a cat](https://example.com/cat.png)",
    ],
    [
      "nothing of scripts, styles and drawings",
      "a<script>if (1 < 2) { '</p>' }</script><style>p{}</style><svg><path/><svg></svg></svg>b<!-- c -->d",
      "abd",
    ],
    [
      "signs that are written as names and numbers",
      "&auml;&#228;&#xe4;&nbsp;&unknown;&toString;&#xd800;&#0;",
      "äää &unknown;&toString;\u{fffd}\u{fffd}",
    ],
    ["a < that begins no tag", "1 < 2 <3", "1 < 2 <3"],
    ["lines between <br>", "a<br>b<br/>c", "a\nb\nc"],
  ])("has %s", (_what, html, expected) => {
    expect(read(html)).toBe(expected);
  });

  it("names the page by its title", () => {
    const html = "<head><title>A &amp; B\n</title><script>x</script></head><body>text</body>";
    expect(toMarkdown(html, BASE)).toEqual({ title: "A & B", markdown: "text" });
  });

  it.each([
    ["<div>".repeat(1), "open elements"],
    ["<blockquote>", "quotations"],
    ["<b>x</b>", "marks"],
    ["<a href=x>y", "links that do not end"],
    ["<ul><li>", "lists"],
    ["<a ='", "quotes that do not end"],
    ["<!--", "comments"],
    ["<table><tr><td>", "tables"],
    ["&#x26;", "entities"],
    ["</", "ends of nothing"],
    ["<script ", "scripts"],
  ])("takes time in proportion to a page of nothing but %s (%s)", (piece) => {
    // Counted in characters written, not in seconds: what is drawn stays within what was read, times the deepest indentation.
    const once = read(piece.repeat(2_000)).length;
    const twice = read(piece.repeat(4_000)).length;
    expect(twice).toBeLessThanOrEqual(2 * once + 10_000);
  });
});

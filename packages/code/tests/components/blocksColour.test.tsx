import { renderToString } from "ink";
import { describe, expect, it, vi } from "vitest";
import { BlockView } from "../../src/components/BlockView.tsx";
import { CodeBlock, HighlightProvider } from "../../src/components/CodeBlock.tsx";
import { ThemeContext, themeFor } from "../../src/theme.ts";
import { createHighlight } from "../../src/view/highlight.ts";
import type { Item } from "../../src/view/items.ts";

// Read when Ink is loaded: without it a test has no terminal, and so no colours.
vi.hoisted(() => {
  process.env["FORCE_COLOR"] = "1";
});

const edit: Item = {
  id: "1",
  role: "assistant",
  spaced: false,
  block: {
    type: "tool",
    id: "1",
    name: "Edit",
    parameters: JSON.stringify({ file_path: "/a", old_string: "x", new_string: "y" }),
    stage: "ended",
    success: true,
    result: "Changed",
  },
};
const error: Item = { ...edit, block: { type: "error", content: "no" } };

const frame = (item: Item, env: Record<string, string>) =>
  renderToString(
    <ThemeContext value={themeFor(env)}>
      <BlockView item={item} width={40} folder="/proj" />
    </ThemeContext>,
    { columns: 40 },
  );
/** The parameters of every SGR sequence, and everything else that is not text. */
// oxlint-disable-next-line no-control-regex -- escape sequences are what it looks for
const sequences = (text: string) => [...text.matchAll(/\u001b(?:\[([\d;]*)m)?/g)].map((match) => match[1]);
// 30 to 37 and 90 to 97 are the sixteen colours; 40 and more are backgrounds.
const isColour = (code: string | undefined) =>
  code === undefined || /^(?:3[0-8]|4[0-8]|9\d|10\d)\b/.test(code);

describe("colours", () => {
  it("say added, removed and danger", () => {
    expect(frame(edit, {})).toContain("\u001b[31m- ");
    expect(frame(edit, {})).toContain("\u001b[32m+ ");
    expect(frame(error, {})).toContain("\u001b[31m✗ ");
  });

  it("are the sixteen of the terminal, in the foreground, and nothing else acts on it", () => {
    const code = (
      <HighlightProvider highlight={createHighlight()}>
        <CodeBlock code={"const a = 'b'; // c"} language="ts" width={40} />
      </HighlightProvider>
    );
    const all = frame(edit, {}) + frame(error, {}) + renderToString(code, { columns: 40 });
    const codes = new Set(sequences(all));
    expect([...codes].filter((one) => !/^(?:[1-9]|2[1-9]|3[1-7]|39|9[0-7])$/.test(one ?? ""))).toEqual([]);
    expect(codes.size).toBeGreaterThan(4);
  });

  it.each([{ NO_COLOR: "1" }, { TERM: "dumb" }])("are left out with %j, and the signs stay", (env) => {
    const text = frame(edit, env) + frame(error, env);
    expect(sequences(text).filter((code) => isColour(code) && code !== "39")).toEqual([]);
    // oxlint-disable-next-line no-control-regex -- escape sequences are what it removes
    const plain = text.replaceAll(/\u001b\[[\d;]*m/g, "");
    expect(plain).toContain("- x");
    expect(plain).toContain("+ y");
    expect(plain).toContain("✗ error: no");
  });
});

import { renderToString, Text } from "ink";
import { render } from "ink-testing-library";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ToolBlock } from "wave-agent-sdk";
import { BlockView } from "../../src/components/BlockView.tsx";
import { HighlightProvider, useHighlight } from "../../src/components/CodeBlock.tsx";
import { Spinner } from "../../src/components/Spinner.tsx";
import { ToolLine } from "../../src/components/ToolLine.tsx";
import type { Item } from "../../src/view/items.ts";
import { appendOutput, NO_OUTPUT } from "../../src/view/liveOutput.ts";

// Read when Ink is loaded: screens are compared without colours, wherever the tests run.
vi.hoisted(() => {
  process.env["FORCE_COLOR"] = "0";
});

const block: ToolBlock = {
  type: "tool",
  id: "1",
  name: "Bash",
  parameters: '{"command":"npm test"}',
  stage: "running",
};

const mounted: { unmount(): void }[] = [];
afterEach(() => {
  for (const one of mounted.splice(0)) one.unmount();
});

describe("a running command", () => {
  const running = { since: 1_000, output: appendOutput(NO_OUTPUT, "1\n2\n3\n4\n5\n6\n7\n\u001b[2Jev") };

  it("shows the end of its output and how long it runs", () => {
    const line = <ToolLine block={block} width={60} folder="/" running={running} now={() => 13_500} />;
    expect(renderToString(line, { columns: 60 }).split("\n")).toEqual([
      "⠋ Bash npm test — 12 s",
      "  … 3 lines above (Ctrl-O)",
      "  4",
      "  5",
      "  6",
      "  7",
      "  \\x1b[2Jev",
    ]);
  });

  it("stands still in plain mode", () => {
    const line = <ToolLine block={block} width={60} folder="/" running={running} now={() => 13_500} plain />;
    expect(renderToString(line, { columns: 60 }).split("\n")[0]).toBe("… Bash npm test — running");
  });
});

describe("a live answer", () => {
  const item = (content: string): Item => ({
    id: "a:0",
    role: "assistant",
    block: { type: "text", content },
    spaced: false,
  });
  const rows = (content: string, maxRows: number) =>
    renderToString(<BlockView item={item(content)} width={40} folder="/" live maxRows={maxRows} />, {
      columns: 40,
    });

  it("is drawn with as many rows as there are, its end below a word on what stands above", () => {
    expect(rows("1\n2\n3\n4\n5", 3).split("\n")).toEqual(["… 3 lines above", "4", "5"]);
    expect(rows("1\n2\n3", 3).split("\n")).toEqual(["1", "2", "3"]);
  });

  it("grows from frame to frame", () => {
    const screen = render(<BlockView item={item("Look:\n\n```ts\nconst")} width={40} folder="/" live />);
    mounted.push(screen);
    expect(screen.lastFrame()).toBe("Look:\n\n  const");
    screen.rerender(
      <BlockView item={item("Look:\n\n```ts\nconst a = 1;\n```\nDone.")} width={40} folder="/" live />,
    );
    expect(screen.lastFrame()).toBe("Look:\n\n  const a = 1;\n\nDone.");
  });
});

describe("live reasoning", () => {
  it("shows its end", () => {
    const item: Item = {
      id: "a:0",
      role: "assistant",
      block: { type: "reasoning", content: "1\n2\n3\n4\n5\n6" },
      spaced: false,
    };
    const text = renderToString(<BlockView item={item} width={40} folder="/" live />, { columns: 40 });
    expect(text.split("\n")).toEqual(["∴ … 3 lines above (Ctrl-O)", "  4", "  5", "  6"]);
  });
});

describe("the spinner", () => {
  it("turns", async () => {
    const screen = render(<Spinner />);
    mounted.push(screen);
    await vi.waitFor(() => expect(new Set(screen.frames).size).toBeGreaterThan(2), { timeout: 20_000 });
  });

  it("is one sign that never changes in plain mode", async () => {
    const screen = render(<Spinner plain />);
    mounted.push(screen);
    await new Promise((resolve) => setTimeout(resolve, 350));
    expect(new Set(screen.frames.filter((text) => text.trim() !== ""))).toEqual(new Set(["…"]));
  });
});

describe("the grammars", () => {
  function Probe() {
    return <Text>{useHighlight() ? "loaded" : "plain"}</Text>;
  }

  it("are not there in the first frame and come after it", async () => {
    const screen = render(
      <HighlightProvider>
        <Probe />
      </HighlightProvider>,
    );
    mounted.push(screen);
    expect(screen.frames[0]).toBe("plain");
    await vi.waitFor(() => expect(screen.lastFrame()).toBe("loaded"), { timeout: 20_000 });
  });
});

import { PassThrough } from "node:stream";
import { render, Text, useCursor, useWindowSize } from "ink";
import { expect, it } from "vitest";
import { asOneMove, inkTerminal } from "../../src/modes/inkTerminal.ts";

function Size() {
  const { columns, rows } = useWindowSize();
  useCursor().setCursorPosition({ x: 0, y: 0 });
  return <Text>{`${columns}x${rows}`}</Text>;
}

it("a window that becomes smaller gets no frame that was laid out for the larger one, and no frame is erased from the first cell of the screen", async () => {
  const stream = Object.assign(new PassThrough({ encoding: "utf8" }), {
    columns: 100,
    rows: 30,
    isTTY: true,
  });
  let written = "";
  stream.on("data", (text: string) => (written += text));
  const terminal = inkTerminal(stream as unknown as NodeJS.WriteStream);
  const ink = render(<Size />, { stdout: terminal, interactive: true, patchConsole: false });
  await expect.poll(() => written).toContain("100x30");
  const before = written.length;
  Object.assign(stream, { columns: 50, rows: 20 });
  stream.emit("resize");
  await expect.poll(() => written.slice(before)).toContain("50x20");
  expect(written.slice(before)).not.toContain("100x30");

  ink.clear();
  await expect.poll(() => written).toContain("\u001b[1G\u001b[K\u001b[2G\u001b[J\u001b[1G");
  expect(written).not.toContain("\u001b[1G\u001b[J");
  ink.unmount();
  expect(stream.listenerCount("resize")).toBe(0);
});

it.each([
  [
    "a frame of four rows below the cursor",
    "\u001b[?25l\u001b[2B\u001b[1G\u001b[2K\u001b[1A\u001b[2K\u001b[1A\u001b[2K\u001b[1A\u001b[2K\u001b[Gnew",
    "\u001b[?25l\u001b[1A\u001b[1G\u001b[Jnew",
  ],
  [
    "only the cursor",
    "\u001b[?25l\u001b[3B\u001b[1G\u001b[1A\u001b[5G\u001b[?25h",
    "\u001b[?25l\u001b[2B\u001b[5G\u001b[?25h",
  ],
  ["a row", "\u001b[2K\u001b[Gnew", "\u001b[1G\u001b[Jnew"],
  ["text", "new\u001b[1A", "new\u001b[1A"],
])("what draws over %s does not depend on rows below it (T72)", (_, written, expected) => {
  expect(asOneMove(written)).toBe(expected);
});

import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import xterm from "@xterm/headless";
import { Box, render, Text } from "ink";
import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { Keyboard } from "../../src/keyboard/Keyboard.tsx";
import { KeyRouter } from "../../src/keyboard/keyRouter.ts";
import { PromptBox } from "../../src/components/PromptBox.tsx";

/** The limit is only there so that a test that hangs ends. */
const PATIENT = { timeout: 20_000 };

/** Ink drawing on a real screen. */
function onScreen(node: (extra: ReactNode) => ReactNode) {
  const terminal = new xterm.Terminal({ cols: 60, rows: 20, allowProposedApi: true });
  const stdout = Object.assign(new EventEmitter(), {
    columns: 60,
    rows: 20,
    isTTY: true,
    write: (data: string, done?: () => void) => {
      terminal.write(data.replaceAll("\n", "\r\n"), done);
      return true;
    },
  });
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: () => stdin,
    ref: () => stdin,
    unref: () => stdin,
  });
  const keys = new KeyRouter();
  const around = (extra: ReactNode) => <Keyboard router={keys}>{node(extra)}</Keyboard>;
  const app = render(around(null), {
    stdout: stdout as never,
    stdin: stdin as never,
    interactive: true,
    patchConsole: false,
    exitOnCtrlC: false,
  });
  const buffer = () => terminal.buffer.active;
  return {
    press: (keys: string) => void stdin.write(keys),
    draw: (extra: ReactNode) => app.rerender(around(extra)),
    /** The row of the screen that the cursor is in, up to the cursor. */
    beforeCursor: () =>
      buffer()
        .getLine(buffer().baseY + buffer().cursorY)
        ?.translateToString(true, 0, buffer().cursorX) ?? "",
    firstRow: () => buffer().getLine(buffer().baseY)?.translateToString(true) ?? "",
    [Symbol.dispose]: () => {
      app.unmount();
      app.cleanup();
      terminal.dispose();
    },
  };
}

/** One element for all: the prompt itself is not drawn again when its surroundings are. */
const prompt = (
  <PromptBox
    isActive
    width={60}
    queued={[]}
    history={[]}
    commands={[]}
    listFiles={() => Promise.resolve({ names: [] })}
    onSubmit={() => undefined}
    onAction={() => undefined}
  />
);

describe("the terminal's own cursor", () => {
  it("stands at the insertion point, where an input method draws", async () => {
    using screen = onScreen((extra) => (
      <Box flexDirection="column">
        {extra}
        {prompt}
      </Box>
    ));
    await expect.poll(screen.beforeCursor, PATIENT).toBe("│ > ");
    screen.press("ab日本");
    await expect.poll(screen.beforeCursor, PATIENT).toBe("│ > ab日本");
    screen.press("\u001b[D");
    await expect.poll(screen.beforeCursor, PATIENT).toBe("│ > ab日");
    screen.press("\n");
    await expect.poll(screen.beforeCursor, PATIENT).toBe("│   ");
    screen.press("e\u0301");
    await expect.poll(screen.beforeCursor, PATIENT).toBe("│   e\u0301");
  });

  it("goes along when something grows above the prompt", async () => {
    using screen = onScreen((extra) => (
      <Box flexDirection="column">
        <Box flexDirection="column">{extra}</Box>
        <Box>{prompt}</Box>
      </Box>
    ));
    screen.press("here");
    await expect.poll(screen.beforeCursor, PATIENT).toBe("│ > here");
    const both = () => [screen.firstRow(), screen.beforeCursor()];
    screen.draw(<Text>{"one\ntwo\nthree"}</Text>);
    await expect.poll(both, PATIENT).toEqual(["one", "│ > here"]);
    screen.draw(<Text>alone</Text>);
    await expect.poll(both, PATIENT).toEqual(["alone", "│ > here"]);
  });
});

import { cleanup, render } from "ink-testing-library";
import type { ReactElement } from "react";
import { afterEach, expect } from "vitest";
import { TestKeys } from "../support/keyboard.tsx";
import { sequenceOf, type KeyName } from "../terminal/support/keys.ts";

afterEach(() => cleanup());

/** A component on a screen, with keys to press. */
export interface Drawn {
  frame(): string;
  lines(): string[];
  redraw(node: ReactElement): void;
  press(...keys: KeyName[]): void;
  type(text: string): void;
  /** Waits until the screen has this text. After Esc nothing else is pressed before that: it is held back for a moment. */
  see(text: string): Promise<void>;
}

export async function draw(node: ReactElement, keys = new TestKeys()): Promise<Drawn> {
  const { lastFrame, stdin, rerender } = render(keys.around(node));
  const frame = () => lastFrame() ?? "";
  const press = (...names: KeyName[]) => {
    for (const name of names) stdin.write(sequenceOf(name));
  };
  // Keys reach a component once its effects have run.
  await expect.poll(() => stdin.listenerCount("readable")).toBeGreaterThan(0);
  return {
    frame,
    lines: () => frame().split("\n"),
    redraw: (next) => rerender(keys.around(next)),
    press,
    type: (text) => stdin.write(text),
    async see(text) {
      await expect.poll(frame, { timeout: 10_000 }).toContain(text);
    },
  };
}

/** No line is wider than the screen. */
export const widest = (drawn: Drawn): number =>
  Math.max(...drawn.lines().map((line) => Array.from(line).length));

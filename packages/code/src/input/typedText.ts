import type { Typed } from "../asking/typed.ts";
import { newPrompt, replayStep } from "./prompt.ts";
import type { PromptState, PromptSurroundings } from "./promptState.ts";
import { readingsOf } from "./readKey.ts";

/** The text that keys make of an empty prompt, where there is none to type them into. Keys that edit do edit; nothing is sent. */
export function typedText(typed: readonly Typed[]): string {
  const end = typed
    .flatMap(readingsOf)
    .reduce<PromptState>((state, reading) => replayStep(state, reading, NOWHERE).state, newPrompt());
  return end.editor.text;
}

const NOWHERE: PromptSurroundings = {
  width: 80,
  now: 0,
  commands: [],
  history: [],
  waiting: "nothing",
  working: false,
  files: undefined,
};

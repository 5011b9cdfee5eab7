import { widthOf } from "../view/span.ts";
import { keyFor } from "./keys.ts";
import type { PromptKind } from "./promptKind.ts";
import type { Cancelled, Menu, Waiting } from "./promptState.ts";

export interface HintedPrompt {
  kind: PromptKind;
  menu: Menu;
  hasFolds: boolean;
  /** The text in it came back by itself. */
  isBack: boolean;
  /** What an empty prompt can do about what waits. */
  waiting: Waiting;
  /** What Ctrl-C just did. */
  cancelled: Cancelled | undefined;
}

/** What an empty prompt says. */
export const PLACEHOLDER = "Ask, or / for commands";

const BETWEEN = " · ";

/** Keys that are of use right now, the most useful first; what has no room is left out whole. */
export function promptHints(prompt: HintedPrompt, room: number): string {
  return fitting(hintsFor(prompt), room).join(BETWEEN);
}

function hintsFor({ kind, menu, hasFolds, isBack, waiting, cancelled }: HintedPrompt): string[] {
  if (cancelled === "nothing-to-clear") return [`${keyFor("cancel")} again to leave`];
  if (cancelled === "cleared") return [`cleared: ${keyFor("yank")} brings it back`];
  if (menu.show === "candidates") {
    return [`${keyFor("complete")} takes`, "↑↓ choose", `${keyFor("escape")} closes`];
  }
  const enter = keyFor("submit");
  if (isBack) return [`${enter} sends it again`, "← edits it", "typing starts a new one"];
  if (kind === "shell") return [`${enter} runs it in your shell`, `${keyFor("complete")} completes a path`];
  if (kind === "note") return [`${enter} adds it to AGENTS.md`];
  const back = `${keyFor("up")} takes back what waits`;
  if (waiting === "prompt") return [`${enter} again: tell it now`, back];
  if (waiting === "something") return [back];
  const folds = hasFolds ? [`${keyFor("unfold")} opens a paste`] : [];
  const [newline, mode] = [keyFor("newline"), keyFor("cycle-mode")];
  return [
    `${enter} sends`,
    ...folds,
    `${newline} new line`,
    "@ files",
    "/ commands",
    "! shell",
    "# note",
    `${mode} mode`,
  ];
}

function fitting(hints: readonly string[], room: number): string[] {
  const shown: string[] = [];
  for (const hint of hints) {
    if (widthOf([...shown, hint].join(BETWEEN)) <= room) shown.push(hint);
  }
  return shown;
}

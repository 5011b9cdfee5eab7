import type { Candidate, Question, Sources } from "./completion.ts";
import type { EditorState } from "./editorState.ts";

/** What the app is told when a key is not about the text. */
export type PromptAction =
  | "interrupt"
  | "back"
  | "exit"
  | "cycle-mode"
  | "expand"
  | "redraw"
  | "earlier"
  | "paste-picture"
  /** Enter in an empty prompt while something waits: tell it now. */
  | "steer"
  /** Up in an empty prompt while something waits. */
  | "take-back";

export type Menu =
  | { show: "nothing" }
  /** Closed by hand; stays closed while the same word is being typed. */
  | { show: "dismissed"; question: Question }
  | {
      show: "candidates";
      question: Question;
      candidates: readonly Candidate[];
      selected: number;
      /** Whether the person went through the list, and so means the marked one. */
      chosen: boolean;
    };

export interface PromptState {
  readonly editor: EditorState;
  readonly menu: Menu;
  /** While earlier prompts are looked through: which one is shown, and what was there before. */
  readonly browsing: { readonly index: number; readonly draft: string } | undefined;
  readonly searching: boolean;
  readonly escapedAt: number | undefined;
  /** The text came back by itself: typing begins a new one instead of growing together with it. */
  readonly isBack: boolean;
  /** What the last Ctrl-C did, until the next key: the hints say what to press now. */
  readonly cancelled: Cancelled | undefined;
}

/** The text was cut and can be put back; or there was none, and one more Ctrl-C leaves. */
export type Cancelled = "cleared" | "nothing-to-clear";

/** What was typed while the agent works and waits for it: nothing, things that only wait, or a prompt that can be told now. */
export type Waiting = "nothing" | "something" | "prompt";

export interface PromptSurroundings extends Sources {
  /** Columns of the text itself. */
  readonly width: number;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: number;
  readonly waiting: Waiting;
  /** Whether there is work to interrupt. */
  readonly working: boolean;
}

export type PromptEffect =
  | { tell: "submit"; text: string }
  | { tell: "change"; text: string }
  | { tell: "action"; action: PromptAction };

export interface PromptStep {
  readonly state: PromptState;
  readonly effects: readonly PromptEffect[];
}

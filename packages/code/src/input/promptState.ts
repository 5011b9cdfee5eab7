import type { Candidate, Question, Sources } from "./completion.ts";
import type { EditorState } from "./editorState.ts";

/** What the app is told when a key is not about the text. */
export type PromptAction = "interrupt" | "back" | "cancel" | "exit" | "cycle-mode" | "expand" | "redraw";

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
}

export interface PromptSurroundings extends Sources {
  /** Columns of the text itself. */
  readonly width: number;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: number;
}

export type PromptEffect =
  | { tell: "submit"; text: string }
  | { tell: "change"; text: string }
  | { tell: "action"; action: PromptAction };

export interface PromptStep {
  readonly state: PromptState;
  readonly effects: readonly PromptEffect[];
}

import { candidatesFor, pathQuestionAt, questionAt, type Candidate, type Question } from "./completion.ts";
import { edit, hasRow, newEditor, type EditorAction } from "./editor.ts";
import type { KeyAction } from "./keys.ts";
import { pastedPicture } from "./pictures.ts";
import type { Menu, PromptAction, PromptState, PromptStep, PromptSurroundings } from "./promptState.ts";
import type { KeyReading } from "./readKey.ts";

/** Two presses of Esc within this are one "go back". */
const DOUBLE_PRESS_MS = 600;

export function newPrompt(text = ""): PromptState {
  return {
    editor: newEditor(text),
    menu: { show: "nothing" },
    browsing: undefined,
    searching: false,
    escapedAt: undefined,
    isBack: false,
    cancelled: undefined,
  };
}

/** What a key or a paste does to the prompt, and what the app is told about it. */
export function promptStep(state: PromptState, reading: KeyReading, around: PromptSurroundings): PromptStep {
  switch (reading.read) {
    case "nothing":
      return { state, effects: [] };
    case "text":
      return edited(withoutComeback(state), { do: "insert", text: reading.text }, around);
    case "paste":
      return pasted(withoutComeback(state), reading.text, around);
    case "action":
      if (reading.action === "cancel") return cancel(state, around);
      return act(
        { ...state, isBack: false, escapedAt: undefined, cancelled: undefined },
        reading.action,
        around,
        state.escapedAt,
      );
  }
}

/** The path of a picture becomes the picture, unless a command is being written. */
function pasted(state: PromptState, text: string, around: PromptSurroundings): PromptStep {
  const isCommand = /^[!/#]/.test(state.editor.text);
  const picture = isCommand ? undefined : pastedPicture(text);
  const { text: typed, cursor } = state.editor;
  const gap = picture !== undefined && /\S$/.test(typed.slice(0, cursor)) ? " " : "";
  return edited(state, { do: "paste", text: gap + (picture ?? text) }, around);
}

/** Cut, like every other text that is cut: a key brings it back. */
const withoutComeback = (state: PromptState): PromptState =>
  state.isBack ? { ...state, isBack: false, editor: edit(state.editor, { do: "kill-all" }) } : state;

export interface Comeback {
  readonly text: string;
  /** Nobody asked for it, so whoever types next may mean something new. */
  readonly byItself: boolean;
  /** As much of it as goes before a draft, with an empty line between them: they were never one text. */
  readonly beforeDraft: string | undefined;
}

/** Where a text went that came back: into the empty input, above the draft in it, or not there but into the history. */
export type WentBack = "input" | "above-draft" | "history";

/** Puts a text back, for example a prompt that a hook blocked. */
export function restoreText(
  state: PromptState,
  { text, beforeDraft, byItself }: Comeback,
): { state: PromptState; went: WentBack } {
  const typed = state.editor.text;
  const set = (whole: string) => ({ ...newPrompt(), editor: edit(state.editor, { do: "set", text: whole }) });
  if (typed.trim() === "") return { state: { ...set(text), isBack: byItself }, went: "input" };
  if (beforeDraft === undefined) return { state, went: "history" };
  return {
    state: set(`${beforeDraft}\n\n${typed}`),
    went: beforeDraft === text ? "above-draft" : "history",
  };
}

/**
 * Keys that a dialog had no use for, typed as if the prompt had had them. They edit and nothing else: Enter becomes a
 * line break, because nothing may be sent that the person has not seen in the prompt.
 */
export function replayStep(state: PromptState, reading: KeyReading, around: PromptSurroundings): PromptStep {
  // It has stopped the work already: it must not empty the prompt as well.
  if (reading.read === "action" && reading.action === "cancel") return still(state);
  const isEnter = reading.read === "action" && reading.action === "submit";
  // As in the prompt itself: without a text, Enter does nothing.
  if (isEnter && state.editor.text.trim() === "") return still(state);
  const step = promptStep(state, isEnter ? { read: "action", action: "newline" } : reading, around);
  return { ...step, effects: step.effects.filter((effect) => effect.tell === "change") };
}

/** The list of candidates for the text as it is now; asked again when the files are known. */
export function withMenu(state: PromptState, around: PromptSurroundings): PromptState {
  const { text, cursor } = state.editor;
  const question: Question | undefined = state.searching
    ? { asks: "history", start: 0, end: text.length, typed: text }
    : (questionAt(text, cursor) ?? (asksForPath(state.menu) ? pathQuestionAt(text, cursor) : undefined));
  return { ...state, menu: menuFor(question, state.menu, around) };
}

function act(
  state: PromptState,
  action: Exclude<KeyAction, "cancel">,
  around: PromptSurroundings,
  escapedAt: number | undefined,
): PromptStep {
  switch (action) {
    case "submit":
    case "accept":
      return submit(state, around);
    case "complete":
      return complete(state, around);
    case "up":
    case "down":
      return vertical(state, action, around);
    case "home":
    case "end":
      return edited(state, { do: action, width: around.width }, around);
    case "search-history":
      return still(withMenu({ ...state, searching: true }, around));
    case "escape":
      return escape(state, around, escapedAt);
    case "delete-or-exit":
      return state.editor.text === "" ? tell(state, "exit") : edited(state, { do: "delete" }, around);
    case "back":
      return goBack(state);
    case "earlier":
    case "cycle-mode":
    case "expand":
    case "redraw":
    case "paste-picture":
      return tell(state, action);
    case "page-up":
    case "page-down":
    case "close":
      return still(state);
    default:
      return edited(state, { do: action }, around);
  }
}

function edited(state: PromptState, action: EditorAction, around: PromptSurroundings): PromptStep {
  const editor = edit(state.editor, action);
  const changed = editor.text !== state.editor.text;
  const browsing = changed ? undefined : state.browsing;
  const next = withMenu(
    { ...state, editor, browsing, isBack: false, escapedAt: undefined, cancelled: undefined },
    around,
  );
  return { state: next, effects: changed ? [{ tell: "change", text: editor.text }] : [] };
}

function submit(state: PromptState, around: PromptSurroundings): PromptStep {
  const marked = markedForEnter(state.menu);
  if (marked !== undefined) return take(state, marked, around);
  const { text, cursor } = state.editor;
  if (text[cursor - 1] === "\\") {
    return edited(state, { do: "replace", start: cursor - 1, end: cursor, text: "\n" }, around);
  }
  if (text.trim() === "") return around.waiting === "prompt" ? tell(state, "steer") : still(state);
  const { killed } = state.editor;
  return {
    state: { ...newPrompt(), editor: { ...newEditor(), killed } },
    effects: [{ tell: "submit", text }],
  };
}

/**
 * What Enter takes from the list instead of sending. Letters that only come in the right order may be an accident
 * ("thanks @alice"), so such a file is taken only when the person went to it; a name that is already complete is sent.
 */
function markedForEnter(menu: Menu): Candidate | undefined {
  if (menu.show !== "candidates") return undefined;
  const candidate = menu.candidates[menu.selected];
  if (candidate === undefined) return undefined;
  if (menu.chosen || menu.question.asks === "history") return candidate;
  // Enter runs a command that is finished; a path in it is only a help.
  if (menu.question.asks === "path") return undefined;
  if (menu.question.asks === "file" && candidate.match === "subsequence") return undefined;
  return isComplete(menu.question, candidate) ? undefined : candidate;
}

function isComplete({ typed }: Question, { label }: Candidate): boolean {
  return label === typed || label === `/${typed}`;
}

function complete(state: PromptState, around: PromptSurroundings): PromptStep {
  if (state.menu.show === "dismissed") {
    return still(withMenu({ ...state, menu: { show: "nothing" } }, around));
  }
  if (state.menu.show === "nothing") {
    const question = pathQuestionAt(state.editor.text, state.editor.cursor);
    return still({ ...state, menu: menuFor(question, state.menu, around) });
  }
  const candidate = state.menu.candidates[state.menu.selected];
  return candidate === undefined ? still(state) : take(state, candidate, around);
}

function take(state: PromptState, { insert }: Candidate, around: PromptSurroundings): PromptStep {
  if (state.menu.show !== "candidates") return still(state);
  const { asks, start, end } = state.menu.question;
  const action: EditorAction =
    asks === "history" ? { do: "set", text: insert } : { do: "replace", start, end, text: insert };
  return edited({ ...state, searching: false, menu: { show: "nothing" } }, action, around);
}

function escape(state: PromptState, around: PromptSurroundings, escapedAt: number | undefined): PromptStep {
  if (state.searching) return still(withMenu({ ...state, searching: false }, around));
  if (state.menu.show === "candidates") {
    return still({ ...state, menu: { show: "dismissed", question: state.menu.question } });
  }
  const again = escapedAt !== undefined && around.now - escapedAt <= DOUBLE_PRESS_MS;
  if (again) return goBack(state);
  return tell({ ...state, escapedAt: around.now }, "interrupt");
}

/**
 * Ctrl-C: stops the work, or else empties the prompt, or else leaves when it is pressed once more. What was cut goes where
 * every other cut goes, so a key brings it back.
 */
function cancel(state: PromptState, around: PromptSurroundings): PromptStep {
  const before = { ...state, escapedAt: undefined, cancelled: undefined };
  if (around.working) return tell(before, "interrupt");
  if (state.editor.text !== "") {
    const step = edited({ ...before, searching: false }, { do: "kill-all" }, around);
    return { ...step, state: { ...step.state, cancelled: "cleared" } };
  }
  if (state.cancelled === "nothing-to-clear") return tell(before, "exit");
  return still({ ...before, searching: false, menu: { show: "nothing" }, cancelled: "nothing-to-clear" });
}

/** Only from an empty prompt: what was typed would have to make room for the earlier one. */
const goBack = (state: PromptState): PromptStep =>
  tell(state, state.editor.text === "" ? "back" : "interrupt");

function vertical(state: PromptState, key: "up" | "down", around: PromptSurroundings): PromptStep {
  if (state.menu.show === "candidates") return still({ ...state, menu: moveMark(state.menu, key) });
  if (hasRow(state.editor, key === "up" ? "above" : "below", around.width)) {
    return edited(state, { do: key, width: around.width }, around);
  }
  if (key === "up" && state.editor.text === "" && around.waiting !== "nothing")
    return tell(state, "take-back");
  return browse(state, key === "up" ? -1 : 1, around);
}

function moveMark(menu: Extract<Menu, { show: "candidates" }>, key: "up" | "down"): Menu {
  const count = menu.candidates.length;
  if (count === 0) return menu;
  const selected = (menu.selected + (key === "up" ? count - 1 : 1)) % count;
  return { ...menu, selected, chosen: true };
}

function browse(state: PromptState, by: -1 | 1, around: PromptSurroundings): PromptStep {
  const { history } = around;
  const from = state.browsing ?? { index: history.length, draft: state.editor.text };
  const index = from.index + by;
  const text = index === history.length ? from.draft : history[index];
  if (text === undefined) return still(state);
  const step = edited(state, { do: "set", text }, around);
  // At the end of the first row, so that the next press goes on to the prompt before and not up through this one.
  const editor =
    by === -1
      ? edit(edit(step.state.editor, { do: "start-of-text" }), { do: "end", width: around.width })
      : step.state.editor;
  const browsing = index === history.length ? undefined : { index, draft: from.draft };
  return { ...step, state: { ...step.state, editor, browsing, menu: { show: "nothing" } } };
}

function menuFor(question: Question | undefined, before: Menu, around: PromptSurroundings): Menu {
  if (question === undefined) return { show: "nothing" };
  if (before.show === "dismissed" && isSame(before.question, question))
    return { show: "dismissed", question };
  const candidates = candidatesFor(question, around);
  const asksForFiles = question.asks === "file" || question.asks === "path";
  const mayBeMore = asksForFiles && (around.files === undefined || around.filesLack !== undefined);
  if (candidates.length === 0 && question.asks !== "history" && !mayBeMore) return { show: "nothing" };
  return { show: "candidates", question, candidates, selected: 0, chosen: false };
}

/** A list that was asked for with Tab stays open while its word is typed. */
export const asksForPath = (menu: Menu) => menu.show === "candidates" && menu.question.asks === "path";

const isSame = (a: Question, b: Question) => a.asks === b.asks && a.start === b.start;

const still = (state: PromptState): PromptStep => ({ state, effects: [] });

const tell = (state: PromptState, action: PromptAction): PromptStep => ({
  state,
  effects: [{ tell: "action", action }],
});

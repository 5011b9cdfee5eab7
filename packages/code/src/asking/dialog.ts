import { CONFIRM_KEY, type Choice, type OfferedChoice } from "./choices.ts";
import { unseenIn, withView, type Shown, type View } from "./shown.ts";
import { withUnixLines, type Pressed } from "./typed.ts";

/** A choice that closes the dialog, in the end. */
export type Answer = Exclude<Choice, "other-rule">;

/** What the person is doing in the dialog. */
export interface Dialog {
  mode:
    | { is: "choosing" }
    | { is: "confirming"; choice: Answer }
    | { is: "writing" }
    /** A rule is on its way to the disk; the answer follows it. */
    | { is: "keeping" };
  /** Which of the rules is offered now, where there are several. */
  offers: number;
  /** Index of the choice that Enter takes. */
  selected: number;
  /** Words for the refusal; they stay when the person goes back to the choices. */
  words: string;
  /** The first row of the request that is shown. */
  top: number;
  shown: Shown;
  /** How often a key has changed what the next one would answer. */
  round: number;
  /** Why the rule that was chosen is not kept. */
  notKept?: string | undefined;
}

export interface DialogSetting {
  choices: readonly OfferedChoice[];
  /** How many rules there are to choose from, one after the other. */
  ruleChoices: number;
  /** Hidden characters in the input: no single key lets it run (G36). */
  confirms: boolean;
  /** What was on the screen when the key was pressed. */
  view: View;
}

export type DialogStep =
  | { step: "stay"; dialog: Dialog }
  | { step: "choose"; choice: Answer; words: string }
  /** The permission mode is changed, and the question stays. */
  | { step: "next-mode" }
  /** The dialog has no use for this key. */
  | { step: "not-mine" };

export function pressInDialog(before: Dialog, pressed: Pressed, setting: DialogSetting): DialogStep {
  const dialog = { ...before, shown: withView(before.shown, setting.view) };
  if (pressed.is === "key" && pressed.name === "next-mode") return changeMode(dialog, setting);
  switch (dialog.mode.is) {
    case "choosing":
      return pressWhileChoosing(dialog, pressed, setting);
    case "confirming":
      return pressWhileConfirming(dialog, dialog.mode.choice, pressed, setting);
    case "keeping":
      return { step: "not-mine" };
    case "writing":
      return pressWhileWriting(dialog, pressed, setting);
  }
}

/** In a mode that allows it there is nothing to ask: then the same key is a yes, for all edits. */
function changeMode(dialog: Dialog, setting: DialogSetting): DialogStep {
  if (dialog.mode.is === "keeping") return { step: "not-mine" };
  const isOffered = setting.choices.some(({ choice }) => choice === "allow-edits");
  return isOffered && dialog.mode.is !== "writing"
    ? take(dialog, "allow-edits", setting)
    : { step: "next-mode" };
}

function pressWhileChoosing(dialog: Dialog, pressed: Pressed, setting: DialogSetting): DialogStep {
  const { choices } = setting;
  if (pressed.is === "escape") return { step: "choose", choice: "deny", words: "" };
  if (pressed.is === "character") {
    const choice = choices.find(({ key }) => key === pressed.character.toLowerCase())?.choice;
    return choice ? take(dialog, choice, setting) : { step: "not-mine" };
  }
  if (pressed.is !== "key") return { step: "not-mine" };
  switch (pressed.name) {
    case "enter": {
      const choice = choices[dialog.selected]?.choice;
      return choice ? take(dialog, choice, setting) : { step: "not-mine" };
    }
    case "up":
    case "down": {
      const step = pressed.name === "up" ? -1 : 1;
      const selected = (dialog.selected + step + choices.length) % choices.length;
      return { step: "stay", dialog: { ...dialog, selected } };
    }
    default:
      return scroll(dialog, pressed.name, setting);
  }
}

function pressWhileConfirming(
  dialog: Dialog,
  choice: Answer,
  pressed: Pressed,
  setting: DialogSetting,
): DialogStep {
  if (pressed.is === "character" && pressed.character.toLowerCase() === CONFIRM_KEY)
    return { step: "choose", choice, words: "" };
  // Enter and a second `y` are what a hasty hand does next; neither is a confirmation.
  const hasty = (pressed.is === "key" && pressed.name === "enter") || isKeyOf(choice, pressed, setting);
  if (hasty && setting.confirms && dialog.shown === "all") return { step: "stay", dialog };
  if (hasty) return take(dialog, choice, setting);
  return pressWhileChoosing({ ...dialog, mode: { is: "choosing" } }, pressed, setting);
}

function pressWhileWriting(dialog: Dialog, pressed: Pressed, setting: DialogSetting): DialogStep {
  const { words } = dialog;
  switch (pressed.is) {
    case "character":
      return { step: "stay", dialog: { ...dialog, words: words + pressed.character } };
    case "text": {
      // A slow line may deliver the last words and the Enter behind them together.
      const { text } = pressed;
      if (text.endsWith("\r")) return send(words + withUnixLines(text.slice(0, -1)), setting);
      return { step: "stay", dialog: { ...dialog, words: words + withUnixLines(text) } };
    }
    case "escape":
      return { step: "stay", dialog: { ...dialog, mode: { is: "choosing" } } };
    case "key":
      if (pressed.name === "enter") return send(words, setting);
      if (pressed.name === "backspace")
        return { step: "stay", dialog: { ...dialog, words: withoutLast(words) } };
      return scroll(dialog, pressed.name, setting);
    default:
      return { step: "not-mine" };
  }
}

function send(words: string, { choices }: DialogSetting): DialogStep {
  if (choices.some(({ choice }) => choice === "answer")) return { step: "choose", choice: "answer", words };
  if (words.trim() === "") return { step: "choose", choice: "deny", words: "" };
  const answers = choices.some(({ choice }) => choice === "answer-with-words");
  return { step: "choose", choice: answers ? "answer-with-words" : "deny-with-words", words };
}

function take(
  dialog: Dialog,
  choice: Choice,
  { choices, ruleChoices, confirms, view }: DialogSetting,
): DialogStep {
  const selected = choices.findIndex((offered) => offered.choice === choice);
  const anew = { ...dialog, selected, round: dialog.round + 1 };
  if (choice === "other-rule")
    return { step: "stay", dialog: { ...anew, offers: (dialog.offers + 1) % Math.max(1, ruleChoices) } };
  if (choice === "deny-with-words" || choice === "answer-with-words" || choice === "answer")
    return { step: "stay", dialog: { ...dialog, selected, mode: { is: "writing" } } };
  // Asking a hook again runs nothing that was asked about.
  if (choice === "deny" || choice === "retry") return { step: "choose", choice, words: "" };
  const unseen = unseenIn(dialog.shown, view);
  if (!confirms && !unseen) return { step: "choose", choice, words: "" };
  const confirming: Dialog = { ...anew, mode: { is: "confirming", choice } };
  if (!unseen) return { step: "stay", dialog: confirming };
  // A yes is about what was on the screen: first it shows what was not.
  const top = Math.min(unseen.first, view.lastTop);
  const goesOn = unseenIn(dialog.shown, { ...view, top }) !== undefined;
  return { step: "stay", dialog: { ...(goesOn ? confirming : anew), top } };
}

function scroll(dialog: Dialog, by: string, { view: { page, lastTop } }: DialogSetting): DialogStep {
  const wanted = new Map([
    ["page-up", dialog.top - Math.max(1, page - 1)],
    ["page-down", dialog.top + Math.max(1, page - 1)],
    ["home", 0],
    ["end", lastTop],
  ]).get(by);
  if (wanted === undefined) return { step: "not-mine" };
  return { step: "stay", dialog: { ...dialog, top: Math.min(Math.max(0, wanted), lastTop) } };
}

function isKeyOf(choice: Choice, pressed: Pressed, { choices }: DialogSetting): boolean {
  const key = choices.find((offered) => offered.choice === choice)?.key;
  return pressed.is === "character" && pressed.character.toLowerCase() === key;
}

/** One letter as a person counts them: an accent or an emoji goes with one key. */
function withoutLast(words: string): string {
  const letters = [...new Intl.Segmenter().segment(words)];
  return letters
    .slice(0, -1)
    .map(({ segment }) => segment)
    .join("");
}

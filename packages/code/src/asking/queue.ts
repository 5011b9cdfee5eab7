import type { PendingPermission, PermissionAnswer } from "wave-agent-sdk";
import { answer, choose, ruleKept, ruleNotKept } from "./answering.ts";
import { pressInDialog } from "./dialog.ts";
import {
  arrive,
  close,
  isOnScreen,
  offeredChoices,
  openRequests,
  showNext,
  type KeepRule,
  type Queue,
  type Queued,
} from "./openRequests.ts";
import type { View } from "./shown.ts";
import { readKey, textOf, type Typed } from "./typed.ts";

/** A second Esc within this time ends the turn (T75). */
export const SECOND_ESC_MS = 1000;

/** What the person had in front of them when they pressed a key. */
export interface Seen extends View {
  id: string;
  inputHash: string;
}

export type QueueEvent = { at: number } & (
  | { event: "arrived"; request: PendingPermission }
  /** Answered or cancelled somewhere else. */
  | { event: "gone"; id: string }
  /** A key that may answer; the keyboard's guard has let it pass. */
  | { event: "typed"; typed: Typed; seen: Seen | undefined }
  /** A key that came too early. Without an effect it goes to the draft. */
  | { event: "early"; typed: Typed }
  /** An answer that did not come through the dialog. */
  | { event: "answered"; id: string; answer: PermissionAnswer }
  /** How it went with the rule of a `keep-rule`. */
  | { event: "rule-kept"; kept: KeepRule }
  | { event: "rule-not-kept"; kept: KeepRule; why: string }
  | { event: "paused" }
  | { event: "resumed" }
  /** Time passed; see `nextTick`. */
  | { event: "tick" }
);

/** Every key that gets here ends up in exactly one place: it does something in the dialog, or it goes to the draft. */
export function updateQueue(queue: Queue, event: QueueEvent): Queued {
  const { at } = event;
  switch (event.event) {
    case "arrived":
      return arrive(queue, event.request, at);
    case "gone":
      return close(queue, event.id, at);
    case "answered": {
      const open = openRequests(queue).find(({ request }) => request.id === event.id);
      if (!open || queue.paused) return [queue, []];
      return answer(queue, open, event.answer, at);
    }
    case "rule-kept":
      return ruleKept(queue, event.kept, at);
    case "rule-not-kept":
      return ruleNotKept(queue, event.kept, event.why);
    case "paused":
      return [{ ...queue, paused: true }, []];
    case "resumed":
      return [showNext({ ...queue, paused: false }, at), []];
    case "tick":
      return [showNext(queue, at), []];
    case "typed":
      return type(queue, event.typed, event.seen, at);
    case "early":
      return escapeEarly(queue, event.typed, at);
  }
}

function type(queue: Queue, typed: Typed, seen: Seen | undefined, at: number): Queued {
  const pressed = readKey(typed);
  if (pressed.is === "nothing") return [queue, []];
  const { visible } = queue;
  if (pressed.is === "escape" && isSecondEscape(queue, pressed.times, at))
    return [{ ...queue, lastEscape: undefined }, [{ do: "interrupt" }]];

  const remembered = pressed.is === "escape" ? { ...queue, lastEscape: at } : queue;
  const toDraft: Queued = [remembered, [{ do: "to-draft", text: textOf(typed), typed }]];
  if (!visible || !seen || queue.paused || !isOnScreen(visible, seen)) return toDraft;

  const pressedInDialog = pressInDialog(visible.dialog, pressed, {
    ruleChoices: visible.rule.offered ? visible.rule.choices.length : 0,
    choices: offeredChoices(visible),
    confirms: visible.hidden > 0,
    view: seen,
  });
  switch (pressedInDialog.step) {
    case "not-mine":
      return toDraft;
    case "next-mode":
      return [remembered, [{ do: "set-mode", mode: "next" }]];
    case "stay":
      // An Esc that only leaves the line for words is not the first of two.
      return [{ ...queue, visible: { ...visible, dialog: pressedInDialog.dialog } }, []];
    case "choose":
      return choose(remembered, visible, pressedInDialog, at);
  }
}

/** The second of two Escs stops the work, whether or not the question listens: that answers nothing with a yes. */
function escapeEarly(queue: Queue, typed: Typed, at: number): Queued {
  const pressed = readKey(typed);
  if (pressed.is !== "escape") return [queue, []];
  if (isSecondEscape(queue, pressed.times, at))
    return [{ ...queue, lastEscape: undefined }, [{ do: "interrupt" }]];
  return [{ ...queue, lastEscape: at }, []];
}

function isSecondEscape({ lastEscape }: Queue, times: 1 | 2, at: number): boolean {
  return times === 2 || (lastEscape !== undefined && at - lastEscape <= SECOND_ESC_MS);
}

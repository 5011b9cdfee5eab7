import { createHash } from "node:crypto";
import type { PendingPermission, PermissionAnswer, RuleOffer, RuleScope } from "wave-agent-sdk";
import { choicesFor, firstSelected, ruleOf } from "./choices.ts";
import { hiddenIn } from "./describe.ts";
import { pressInDialog, type Answer, type Dialog } from "./dialog.ts";
import { offerToShow } from "./rule.ts";
import { NOTHING_SHOWN, type View } from "./shown.ts";
import { readKey, textOf, type Typed } from "./typed.ts";

/** As many as the agent keeps open (PD-1). */
export const QUEUE_LIMIT = 64;
/** A question that is answered sooner was never worth a flash on the screen (T78). */
export const SHOW_AFTER_MS = 150;
/** A second Esc within this time ends the turn (T75). */
export const SECOND_ESC_MS = 1000;

/** A request as it came, copied, so that nobody can change it between the screen and the answer. */
export interface OpenRequest {
  request: PendingPermission;
  inputHash: string;
  /** On the clock of the queue, not the wall. */
  since: number;
  rule: RuleOffer;
  hidden: number;
}

export interface VisibleRequest extends OpenRequest {
  dialog: Dialog;
}

export interface Queue {
  /** Changes only when it is answered or cancelled (T70). */
  visible: VisibleRequest | undefined;
  /** In the order in which they came. */
  waiting: readonly OpenRequest[];
  /** Answered since the queue was last empty: the "2" in "2 of 3". */
  answered: number;
  lastEscape: number | undefined;
  paused: boolean;
}

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

/** A rule that a person wants to keep, and the request they said so at. */
export interface KeepRule {
  rule: string;
  scope: RuleScope;
  /** Where it goes when its scope is the project. */
  file: string;
  id: string;
  inputHash: string;
}

export type QueueEffect =
  /** The answer waits for `rule-kept`: a rule is in force before the call runs (T80). */
  | { do: "keep-rule"; kept: KeepRule }
  | { do: "answer"; id: string; inputHash: string; answer: PermissionAnswer }
  /** `text` is what it adds; `typed` is the key itself, for a prompt that also knows editing keys. */
  | { do: "to-draft"; text: string; typed: Typed }
  | { do: "interrupt" }
  | { do: "notice"; text: string };

export type Queued = [Queue, QueueEffect[]];

export function emptyQueue(): Queue {
  return { visible: undefined, waiting: [], answered: 0, lastEscape: undefined, paused: false };
}

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

/** When the next `tick` is due, if any. */
export function nextTick({ visible, waiting, paused }: Queue): number | undefined {
  return paused || visible || !waiting[0] ? undefined : waiting[0].since + SHOW_AFTER_MS;
}

/** What is asked, as far as a key can answer it: with every part that changes, the person has to see it again. */
export function asksOf({ visible, paused }: Queue): string | undefined {
  if (!visible) return undefined;
  return [visible.request.id, visible.inputHash, visible.dialog.round, paused ? "paused" : ""].join(" ");
}

export function openRequests({ visible, waiting }: Queue): OpenRequest[] {
  return visible ? [visible, ...waiting] : [...waiting];
}

/** "1 of 3". */
export function countOf(queue: Queue): { at: number; of: number } {
  return { at: queue.answered + 1, of: queue.answered + openRequests(queue).length };
}

export function inputHashOf(input: Record<string, unknown>): string {
  return createHash("sha256").update(JSON.stringify(input)).digest("hex");
}

function arrive(queue: Queue, given: PendingPermission, at: number): Queued {
  const request = structuredClone(given);
  const inputHash = inputHashOf(request.input);
  const known = openRequests(queue).find((open) => open.request.id === request.id);
  if (known?.inputHash === inputHash) return [queue, []];
  if (known) {
    // The same question about something else is another question, and gets no key that was meant for the first.
    const [without, effects] = close(queue, request.id, at);
    const [again, more] = arrive(without, given, at);
    return [again, [...effects, ...more]];
  }
  if (openRequests(queue).length >= QUEUE_LIMIT) {
    const text = `${QUEUE_LIMIT} questions are already waiting for an answer; this one (${request.toolName}) is denied.`;
    // Without words: words of a deny would be sent to the model as if the person had typed them.
    const denied: PermissionAnswer = { decision: "deny" };
    return [
      queue,
      [
        { do: "notice", text },
        { do: "answer", id: request.id, inputHash, answer: denied },
      ],
    ];
  }
  const hidden = hiddenIn(request);
  const open: OpenRequest = { request, inputHash, since: at, rule: offerToShow(request, hidden), hidden };
  return [{ ...queue, waiting: [...queue.waiting, open] }, []];
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
    choices: offeredChoices(visible),
    confirms: visible.hidden > 0,
    view: seen,
  });
  switch (pressedInDialog.step) {
    case "not-mine":
      return toDraft;
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

/** One exhaustive switch from what was chosen to what is answered. */
function choose(
  queue: Queue,
  visible: VisibleRequest,
  { choice, words }: { choice: Answer; words: string },
  at: number,
): Queued {
  switch (choice) {
    case "retry": {
      const [next, effects] = answer(queue, visible, { decision: "retry" }, at);
      const { failedHooks = [] } = visible.request;
      const attempt = 1 + Math.max(...failedHooks.map((hook) => hook.attempt));
      return [next, [{ do: "notice", text: `asking the hooks again: attempt ${attempt}` }, ...effects]];
    }
    case "allow":
      return answer(queue, visible, { decision: "allow", ...withoutHooks(visible.request) }, at);
    case "allow-without-hooks":
      return answer(
        queue,
        visible,
        { decision: "allow", ...withoutHooks(visible.request), forSession: true },
        at,
      );
    case "allow-in-session":
      return keepRule(queue, visible, "session");
    case "allow-in-project":
      return keepRule(queue, visible, "project");
    case "deny":
      return answer(queue, visible, { decision: "deny" }, at);
    case "deny-with-words": {
      const spoken = { ...visible, dialog: { ...visible.dialog, words: "" } };
      return answer({ ...queue, visible: spoken }, spoken, { decision: "deny", reason: words }, at);
    }
  }
}

function keepRule(queue: Queue, visible: VisibleRequest, scope: RuleScope): Queued {
  const { rule: offer, inputHash, request, dialog } = visible;
  const rule = ruleOf(offer, dialog.offers);
  if (!offer.offered || rule === undefined) return [queue, []];
  const keeping: Dialog = { ...dialog, mode: { is: "keeping" }, notKept: undefined };
  const kept = { rule, file: offer.file, scope, id: request.id, inputHash };
  return [{ ...queue, visible: { ...visible, dialog: keeping } }, [{ do: "keep-rule", kept }]];
}

/** The yes that came with the rule is given now. A question that is gone by then has its answer; the rule stays. */
function ruleKept(queue: Queue, kept: KeepRule, at: number): Queued {
  const where = kept.scope === "session" ? "in this session" : `by ${kept.file}`;
  const notice: QueueEffect = { do: "notice", text: `allowed from now on ${where}: ${kept.rule}` };
  const visible = keeping(queue, kept);
  if (!visible) return [queue, [notice]];
  if (queue.paused) return [{ ...queue, visible: chooseAgain(visible) }, [notice]];
  const [next, effects] = answer(queue, visible, { decision: "allow" }, at);
  return [next, [notice, ...effects]];
}

/** The question stays: whoever wanted the rule did not ask for this call alone. */
function ruleNotKept(queue: Queue, kept: KeepRule, why: string): Queued {
  const visible = keeping(queue, kept);
  if (!visible) return [queue, [{ do: "notice", text: `the rule ${kept.rule} is not kept: ${why}` }]];
  return [{ ...queue, visible: chooseAgain(visible, { notKept: why }) }, []];
}

function keeping({ visible }: Queue, kept: KeepRule): VisibleRequest | undefined {
  return visible && isOnScreen(visible, kept) && visible.dialog.mode.is === "keeping" ? visible : undefined;
}

function chooseAgain(visible: VisibleRequest, more: { notKept?: string } = {}): VisibleRequest {
  const dialog: Dialog = {
    ...visible.dialog,
    ...more,
    mode: { is: "choosing" },
    selected: startOf(visible),
    top: 0,
    round: visible.dialog.round + 1,
    // The reason why the rule is not kept may move the rows.
    shown: visible.dialog.shown === "all" ? "all" : NOTHING_SHOWN,
  };
  return { ...visible, dialog };
}

/**
 * What is hidden, and what a guard should have judged, takes more than an Enter. So does what a person typed: the Enter that sent
 * it is easily pressed twice.
 */
function startOf(open: OpenRequest): number {
  const { failedHooks = [], origin } = open.request;
  const isDoubtful = open.hidden > 0 || failedHooks.length > 0 || origin === "person";
  return firstSelected(offeredChoices(open), { isDoubtful });
}

function answer(queue: Queue, open: OpenRequest, given: PermissionAnswer, at: number): Queued {
  const { inputHash, request } = open;
  const [next, effects] = close({ ...queue, answered: queue.answered + 1 }, request.id, at);
  return [next, [{ do: "answer", id: request.id, inputHash, answer: given }, ...effects]];
}

/** A yes to something that broken hooks hold back names them: that is what the choice said (see `choices.ts`). */
function withoutHooks({ failedHooks }: PendingPermission): { without?: string[] } {
  return failedHooks ? { without: failedHooks.map(({ id }) => id) } : {};
}

/** Takes a request out. Words that were typed for it and never sent go to the draft; blanks alone are no words. */
function close(queue: Queue, id: string, at: number): Queued {
  const { visible } = queue;
  const waiting = queue.waiting.filter(({ request }) => request.id !== id);
  if (visible?.request.id !== id) return [emptied({ ...queue, waiting }), []];
  const { words } = visible.dialog;
  const typed: Typed = { by: "paste", text: words };
  const effects: QueueEffect[] = words.trim() === "" ? [] : [{ do: "to-draft", text: words, typed }];
  return [showNext(emptied({ ...queue, waiting, visible: undefined }), at), effects];
}

function emptied(queue: Queue): Queue {
  return queue.visible || queue.waiting.length > 0 ? queue : { ...queue, answered: 0 };
}

function showNext(queue: Queue, at: number): Queue {
  const [next, ...waiting] = queue.waiting;
  if (queue.visible || queue.paused || !next || at < next.since + SHOW_AFTER_MS) return queue;
  const selected = startOf(next);
  const dialog: Dialog = {
    mode: { is: "choosing" },
    offers: "narrow",
    selected,
    words: "",
    top: 0,
    shown: NOTHING_SHOWN,
    round: 0,
  };
  return { ...queue, waiting, visible: { ...next, dialog } };
}

function isSecondEscape({ lastEscape }: Queue, times: 1 | 2, at: number): boolean {
  return times === 2 || (lastEscape !== undefined && at - lastEscape <= SECOND_ESC_MS);
}

function isOnScreen(visible: VisibleRequest, seen: { id: string; inputHash: string }): boolean {
  return visible.request.id === seen.id && visible.inputHash === seen.inputHash;
}

export function offeredChoices({
  request,
  rule,
  dialog,
}: OpenRequest & Partial<Pick<VisibleRequest, "dialog">>) {
  const { origin, failedHooks, cwd } = request;
  return choicesFor({ origin, rule, offers: dialog?.offers ?? "narrow", failedHooks, cwd });
}

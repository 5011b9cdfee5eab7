import { createHash } from "node:crypto";
import type { PendingPermission, PermissionAnswer, RuleOffer, RuleScope } from "wave-agent-sdk";
import { choicesFor, firstSelected } from "./choices.ts";
import { hiddenIn, isOfServer } from "./describe.ts";
import type { Dialog } from "./dialog.ts";
import { offerToShow } from "./rule.ts";
import { questionIn } from "./question.ts";
import { NOTHING_SHOWN } from "./shown.ts";
import type { Typed } from "./typed.ts";

/** As many as the agent keeps open (PD-1). */
export const QUEUE_LIMIT = 64;
/** A question that is answered sooner was never worth a flash on the screen (T78). */
export const SHOW_AFTER_MS = 150;

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

/** Rules that a person wants to keep, and the request they said so at. */
export interface KeepRule {
  rules: readonly string[];
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
  /** Before the answer that may come with it. "next": what Shift+Tab leads to. */
  | { do: "set-mode"; mode: "acceptEdits" | "next" }
  /** `text` is what it adds; `typed` is the key itself, for a prompt that also knows editing keys. */
  | { do: "to-draft"; text: string; typed: Typed }
  | { do: "interrupt" }
  | { do: "notice"; text: string };

export type Queued = [Queue, QueueEffect[]];

export function emptyQueue(): Queue {
  return { visible: undefined, waiting: [], answered: 0, lastEscape: undefined, paused: false };
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

export function arrive(queue: Queue, given: PendingPermission, at: number): Queued {
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

/** Takes a request out. Words that were typed for it and never sent go to the draft; blanks alone are no words. */
export function close(queue: Queue, id: string, at: number): Queued {
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

export function showNext(queue: Queue, at: number): Queue {
  const [next, ...waiting] = queue.waiting;
  if (queue.visible || queue.paused || !next || at < next.since + SHOW_AFTER_MS) return queue;
  const selected = startOf(next);
  const dialog: Dialog = {
    mode: { is: "choosing" },
    offers: 0,
    selected,
    words: "",
    top: 0,
    shown: NOTHING_SHOWN,
    round: 0,
  };
  return { ...queue, waiting, visible: { ...next, dialog } };
}

/**
 * What is hidden, and what a guard should have judged, takes more than an Enter. So does what a person typed: the Enter that sent
 * it is easily pressed twice.
 */
export function startOf(open: OpenRequest): number {
  const { failedHooks = [], origin } = open.request;
  const isDoubtful = open.hidden > 0 || failedHooks.length > 0 || origin === "person";
  return firstSelected(offeredChoices(open), { isDoubtful });
}

export function isOnScreen(visible: VisibleRequest, seen: { id: string; inputHash: string }): boolean {
  return visible.request.id === seen.id && visible.inputHash === seen.inputHash;
}

export function offeredChoices({
  request,
  rule,
  dialog,
}: OpenRequest & Partial<Pick<VisibleRequest, "dialog">>) {
  const { origin, failedHooks, toolName, wants } = request;
  const ofServer = isOfServer(toolName);
  const isPlan = toolName === "ExitPlanMode";
  const question = questionIn(request);
  const about = { origin, rule, offers: dialog?.offers ?? 0, failedHooks, isPlan, wants, ofServer };
  return choicesFor({ ...about, question });
}

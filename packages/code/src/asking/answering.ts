import type { PendingPermission, PermissionAnswer, RuleScope } from "wave-agent-sdk";
import { rulesOf, rulesShown } from "./choices.ts";
import type { Answer, Dialog } from "./dialog.ts";
import {
  close,
  isOnScreen,
  startOf,
  type KeepRule,
  type OpenRequest,
  type Queue,
  type Queued,
  type QueueEffect,
  type VisibleRequest,
} from "./openRequests.ts";
import { answerWith, questionIn } from "./question.ts";
import { NOTHING_SHOWN } from "./shown.ts";

/** One exhaustive switch from what was chosen to what is answered. */
export function choose(
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
    case "answer": {
      const spoken = { ...visible, dialog: { ...visible.dialog, words: "" } };
      return answer({ ...queue, visible: spoken }, spoken, { decision: "allow", value: words }, at);
    }
    case "allow":
      return answer(queue, visible, { decision: "allow", ...withoutHooks(visible.request) }, at);
    case "allow-edits": {
      const [next, effects] = answer(queue, visible, { decision: "allow" }, at);
      const text = "edits in this project are allowed from now on: mode acceptEdits, Shift+Tab changes it";
      return [next, [{ do: "set-mode", mode: "acceptEdits" }, { do: "notice", text }, ...effects]];
    }
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
    case "option-1":
    case "option-2":
    case "option-3":
    case "option-4": {
      const label = questionIn(visible.request)?.options[Number(choice.at(-1)) - 1]?.label ?? "";
      return answer(queue, visible, answerWith(visible.request, label), at);
    }
    case "answer-with-words": {
      const spoken = { ...visible, dialog: { ...visible.dialog, words: "" } };
      return answer({ ...queue, visible: spoken }, spoken, answerWith(visible.request, words), at);
    }
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
  const rules = rulesOf(offer, dialog.offers);
  if (!offer.offered || rules === undefined) return [queue, []];
  const keeping: Dialog = { ...dialog, mode: { is: "keeping" }, notKept: undefined };
  const kept = { rules, file: offer.file, scope, id: request.id, inputHash };
  return [{ ...queue, visible: { ...visible, dialog: keeping } }, [{ do: "keep-rule", kept }]];
}

/** The yes that came with the rule is given now. A question that is gone by then has its answer; the rule stays. */
export function ruleKept(queue: Queue, kept: KeepRule, at: number): Queued {
  const where = kept.scope === "session" ? "in this session" : `by ${kept.file}`;
  const notice: QueueEffect = {
    do: "notice",
    text: `allowed from now on ${where}: ${rulesShown(kept.rules)}`,
  };
  const visible = keeping(queue, kept);
  if (!visible) return [queue, [notice]];
  if (queue.paused) return [{ ...queue, visible: chooseAgain(visible) }, [notice]];
  const [next, effects] = answer(queue, visible, { decision: "allow" }, at);
  return [next, [notice, ...effects]];
}

/** The question stays: whoever wanted the rule did not ask for this call alone. */
export function ruleNotKept(queue: Queue, kept: KeepRule, why: string): Queued {
  const visible = keeping(queue, kept);
  if (!visible) return [queue, [{ do: "notice", text: `${rulesShown(kept.rules)} is not kept: ${why}` }]];
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

export function answer(queue: Queue, open: OpenRequest, given: PermissionAnswer, at: number): Queued {
  const { inputHash, request } = open;
  const [next, effects] = close({ ...queue, answered: queue.answered + 1 }, request.id, at);
  return [next, [{ do: "answer", id: request.id, inputHash, answer: given }, ...effects]];
}

/** A yes to something that broken hooks hold back names them: that is what the choice said (see `choices.ts`). */
function withoutHooks({ failedHooks }: PendingPermission): { without?: string[] } {
  return failedHooks ? { without: failedHooks.map(({ id }) => id) } : {};
}

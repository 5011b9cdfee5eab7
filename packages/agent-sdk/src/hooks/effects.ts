import type { Origin } from "../messages/blocks.ts";
import { headAndTail, headAndTailOfCharacters } from "../utils/headAndTail.ts";
import { heldByFailure, withoutAdvice } from "./brokenGuards.ts";
import { combine } from "./combine.ts";
import type { HookEventRow } from "./eventRow.ts";
import { HOOK_EVENTS, type HookEvent } from "./events.ts";
import type { HookFailure } from "./readFailure.ts";
import type { Verdict } from "./verdict.ts";

/** What Wave does about what hooks said. Data; one exhaustive switch carries it out. */
export type Effect =
  | { do: "deny-tool"; reason: string }
  | { do: "refuse-change"; reason: string }
  | { do: "drop-prompt" }
  | { do: "keep-going" }
  | {
      do: "tell-model";
      as: "message" | "hook-block";
      /** Context that stands already need not be sent again; that a check objects again is news. */
      says: "context" | "feedback";
      /** In the place of what the same hook said before a compaction and the summary kept. */
      again?: true;
      text: string;
      origin: Origin;
    }
  | {
      do: "tell-user";
      as: "error" | "warning";
      text: string;
      origin: Origin;
      /** Set when it is about a hook that could not decide. */
      failure?: { kind: string; message: string };
    }
  | { do: "end-turn"; reason: string; origin: Origin };

/** The model gets at most this much of one hook's text, unless settings say otherwise. */
export const HOOK_TEXT_LIMIT = 16 * 1024;

/** The effects of all verdicts of one event, in declared order. Blocks win; context of a dropped prompt is dropped too. */
export function effectsOf(event: HookEvent, verdicts: readonly Verdict[]): Effect[] {
  const { onBlock } = HOOK_EVENTS[event];
  const combined = combine(verdicts);
  const halted = combined.halts.length > 0;
  const blocked = combined.decision === "deny";
  const promptDropped = onBlock === "drop-prompt" && (blocked || halted);
  const effects = verdicts.flatMap((verdict) => effectsOfOne(event, verdict, { promptDropped, halted }));
  if (promptDropped) effects.push({ do: "drop-prompt" });
  if (blocked && onBlock === "deny-tool") effects.push({ do: "deny-tool", reason: combined.reason });
  if (blocked && onBlock === "refuse-change") effects.push({ do: "refuse-change", reason: combined.reason });
  if (blocked && onBlock === "keep-going" && !halted) effects.push({ do: "keep-going" });
  return effects;
}

function effectsOfOne(
  event: HookEvent,
  verdict: Verdict,
  all: { promptDropped: boolean; halted: boolean },
): Effect[] {
  const row: HookEventRow = HOOK_EVENTS[event];
  const origin: Origin = { hookEvent: event, hook: verdict.hook.name, source: verdict.hook.source };
  const tellUser = (as: "error" | "warning", text: string, failure?: HookFailure): Effect => ({
    do: "tell-user",
    as,
    text: headAndTail(text, HOOK_TEXT_LIMIT).text,
    origin,
    ...(failure ? { failure: { kind: failure.kind, message: failure.message } } : {}),
  });
  const effects: Effect[] = [
    ...verdict.errors.map(({ text, failure }) => tellUser("error", text, failure)),
    ...verdict.warnings.map((text) => tellUser("warning", text)),
  ];
  const toModel = all.promptDropped || verdict.context === undefined ? [] : [contextOf(verdict.context)];
  if (verdict.decision === "deny" && verdict.reason) {
    switch (row.onBlock) {
      case "deny-tool":
        // Joined in the one tool result; see deny-tool above.
        break;
      case "drop-prompt":
      case "tell-user":
      case "refuse-change":
        effects.push(tellUser("error", verdict.reason.text, heldByFailure(verdict)));
        break;
      case "end-turn":
        effects.push({ do: "end-turn", reason: verdict.reason.text, origin });
        break;
      case "keep-going":
        if (all.halted) effects.push(tellUser("warning", overruled(verdict)));
        else toModel.unshift(feedbackOf(verdict.reason));
        break;
      case "tell-model": {
        const text = withoutAdvice(verdict.reason.text, [verdict]);
        toModel.unshift(feedbackOf({ ...verdict.reason, text }));
        effects.push(...adviceOn(event, [verdict]));
        break;
      }
    }
  }
  if (verdict.decision === "allow" && verdict.reason) {
    effects.push(tellUser("warning", `hook ${verdict.hook.name} allowed this: ${verdict.reason.text}`));
  }
  for (const part of joinBlocks(toModel)) {
    const { text, notice } = cutForModel(verdict, part.text);
    effects.push({ do: "tell-model", as: part.as, says: part.says, text, origin });
    if (notice !== undefined) effects.push(tellUser("warning", notice));
  }
  if (verdict.halt !== undefined && row.endsNothing)
    effects.push(
      tellUser(
        "warning",
        `hook ${verdict.hook.name} printed "continue": false, and ${event} ends nothing: ${verdict.halt}`,
      ),
    );
  else if (verdict.halt !== undefined) effects.push({ do: "end-turn", reason: verdict.halt, origin });
  return effects;
}

/** Of a hook that nobody waited for: what it tells, and that what it wanted to hold back has happened. */
export function laterEffects(event: HookEvent, verdict: Verdict, wakes: boolean): Effect[] {
  const { decision, reason, halt, hook } = verdict;
  const origin: Origin = { hookEvent: event, hook: hook.name, source: hook.source };
  const told = effectsOf(event, [{ ...verdict, decision: "none", reason: undefined, halt: undefined }]);
  const held = halt ?? (decision === "deny" || decision === "ask" ? (reason?.text ?? "") : undefined);
  if (held === undefined) return told;
  if (wakes && decision === "deny") {
    const { text } = cutForModel(verdict, held);
    return [...told, { do: "tell-model", as: "hook-block", says: "feedback", text, origin }];
  }
  const text = `hook ${hook.name} runs in the background, so it came too late to hold anything back: ${held}`;
  return [...told, { do: "tell-user", as: "warning", text, origin }];
}

/** What a person can do about hooks that hold something back because they failed: the model is not told. */
export function adviceOn(event: HookEvent, verdicts: readonly Verdict[]): Effect[] {
  return verdicts.flatMap((verdict): Effect[] => {
    const failure = heldByFailure(verdict);
    const { name: hook, source } = verdict.hook;
    const origin = { hookEvent: event, hook, source };
    return failure ? [{ do: "tell-user", as: "warning", text: `what helps: ${failure.advice}`, origin }] : [];
  });
}

/** What the model gets of one hook's text, and what the user is told when that is not all. */
export function cutForModel(
  { hook, contextLimit }: Verdict,
  whole: string,
): { text: string; notice?: string } {
  if (contextLimit === undefined) {
    const { text, cutBytes } = headAndTail(whole, HOOK_TEXT_LIMIT);
    return { text, ...(cutBytes > 0 ? { notice: cutNotice(hook.name, cutBytes) } : {}) };
  }
  const { text, cut } = headAndTailOfCharacters(whole, contextLimit);
  const notice = `hook ${hook.name} said more than the model is given (${contextLimit} characters, by hookContextLimit): ${cut} characters in the middle were cut`;
  return { text, ...(cut > 0 ? { notice } : {}) };
}

const cutNotice = (hook: string, cutBytes: number) =>
  `hook ${hook} said more than the model is given (${HOOK_TEXT_LIMIT / 1024} KiB): ${cutBytes} bytes in the middle were cut`;

interface ToModel {
  as: "message" | "hook-block";
  says: "context" | "feedback";
  text: string;
}

const contextOf = (context: NonNullable<Verdict["context"]>): ToModel => ({
  as: context.as === "hook-block" ? "hook-block" : "message",
  says: "context",
  text: context.text,
});

/** stderr of exit code 2 is a plain message, what JSON says is a block with its origin. */
const feedbackOf = (reason: NonNullable<Verdict["reason"]>): ToModel => ({
  as: reason.from === "stderr" ? "message" : "hook-block",
  says: "feedback",
  text: reason.text,
});

/** One block per hook: a reason and context of the same JSON arrive together. */
function joinBlocks(parts: readonly ToModel[]): ToModel[] {
  const [first, second] = parts;
  if (first && second && first.as === second.as)
    return [{ as: first.as, says: "feedback", text: `${first.text}\n${second.text}` }];
  return [...parts];
}

function overruled({ hook, halt, reason }: Verdict): string {
  const by = halt === undefined ? "another hook's" : "its own";
  return `hook ${hook.name} wanted the turn to go on, but ${by} "continue": false ends it: ${reason?.text ?? ""}`;
}
